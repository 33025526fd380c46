#include "assay/release/certification.hpp"

#include "release/sample_certifications.hpp"
#include "testing/catch.hpp"

using namespace assay;
using namespace assay::testing;

TEST_CASE("who, what, when, where") {
  const Certification made =
      certify(certifying_run({Verdict::pass, Verdict::unsupported}), {{"driver", "1"}}, "ada", "a.json");
  CHECK(made.verdict == Verdict::pass);
  CHECK(made.by == "ada");
  CHECK(made.when == "2026-01-02T03:04:05Z");
  CHECK(made.host == "lab1");
  CHECK(made.environment == "H100, CPU, oneDNN 3.1");
  CHECK(made.source == "a.json");
  CHECK(made.counts[static_cast<std::size_t>(Verdict::unsupported)] == 1);
  CHECK(made.outcomes ==
        std::vector<std::pair<std::string, Verdict>>{{"t0", Verdict::pass}, {"t1", Verdict::unsupported}});
}

TEST_CASE("only a whole run in which something was found right certifies") {
  const auto verdict = [](const std::vector<Verdict>& verdicts) {
    return certify(certifying_run(verdicts), {}, "", "").verdict;
  };
  CHECK(verdict({Verdict::pass}) == Verdict::pass);
  CHECK(verdict({Verdict::pass, Verdict::fail}) == Verdict::fail);
  CHECK(verdict({Verdict::pass, Verdict::error}) == Verdict::fail);
  CHECK(verdict({Verdict::unsupported, Verdict::skipped}) == Verdict::inconclusive);
  CHECK(verdict({}) == Verdict::inconclusive);
  Run cut = certifying_run({Verdict::pass});
  cut.planned_cases = 2;
  CHECK(certify(cut, {}, "", "").verdict == Verdict::inconclusive);
  CHECK(certify(cut, {}, "", "").cut_short);
}
