#include "assay/hardware/soak/soak.hpp"

#include <stdexcept>

#include "testing/catch.hpp"

using namespace assay;

namespace {

SoakStep step(const std::string& name, Verdict verdict = Verdict::pass) {
  return {name, [=](double, std::uint64_t) {
            Outcome outcome;
            outcome.verdict = verdict;
            outcome.reason = verdict == Verdict::pass ? "" : "as asked";
            outcome.measure("rate", 10);
            return outcome;
          }};
}

/// A soak of one step with these rates.
SoakResult soaked(const std::vector<double>& rates) {
  SoakResult result;
  result.complete = true;
  for (std::size_t i = 0; i < rates.size(); ++i)
    result.records.push_back({i, "a", static_cast<double>(i), 1, rates[i], Verdict::pass, ""});
  return result;
}

}  // namespace

TEST_CASE("steps run in turn until the time is over, and go on where a session before ended") {
  const std::vector<SoakStep> steps{step("a"), step("b")};
  SoakOptions options;
  options.seconds = 1e-9;
  const SoakResult short_one = run_soak(steps, options).value();
  REQUIRE(short_one.records.size() == 2);  // each once at least
  CHECK(short_one.complete);
  CHECK(short_one.records[1].step == "b");
  CHECK(judge_soak(steps, short_one, options)[0].verdict == Verdict::pass);
  options.seconds = 100.001;
  std::vector<SoakRecord> earlier{{4, "a", 99, 1, 10, Verdict::pass, ""}};
  std::size_t kept = 0;
  options.keep = [&](const SoakRecord&) -> Result<void> {
    ++kept;
    return {};
  };
  const SoakResult resumed = run_soak(steps, options, earlier).value();
  CHECK(resumed.earlier == 1);
  CHECK(kept == resumed.records.size() - 1);
  CHECK(resumed.records[1].step == "b");
  CHECK(resumed.records[1].round == 4);
  CHECK(resumed.records[1].begin >= 100);
  if (resumed.records.size() > 2) CHECK(resumed.records[2].round == 5);
}

TEST_CASE("what cannot be soaked is refused") {
  SoakOptions options;
  options.seconds = 1e-9;
  CHECK(!run_soak({}, options));
  CHECK(!run_soak(std::vector{step("a"), step("a")}, options));
  CHECK(!run_soak(std::vector{step("a")}, options, {{0, "gone", 0, 1, {}, Verdict::pass, ""}}));
  options.keep = [](const SoakRecord&) -> Result<void> { return failure(ErrorKind::io, "no room"); };
  CHECK(run_soak(std::vector{step("a")}, options).error().message == "no room");
}

TEST_CASE("the first deviation is named; errors, undecided runs and a soak that ended early are no pass") {
  SoakOptions options;
  options.seconds = 1e-9;
  const std::vector<SoakStep> steps{
      {"throws", [](double, std::uint64_t) -> Outcome { throw std::runtime_error("broken"); }},
      step("undecided", Verdict::inconclusive),
      step("absent", Verdict::unsupported)};
  const auto outcomes = judge_soak(steps, run_soak(steps, options).value(), options);
  CHECK(outcomes[0].verdict == Verdict::error);
  CHECK(outcomes[0].reason.find("broken") != std::string::npos);
  CHECK(outcomes[1].verdict == Verdict::inconclusive);
  CHECK(outcomes[2].verdict == Verdict::unsupported);
  SoakResult result = soaked({10, 10, 10});
  result.records[1].verdict = Verdict::fail;
  result.records[1].reason = "a bit flipped";
  const Outcome failed = judge_soak(std::vector{step("a")}, result, options)[0];
  CHECK(failed.verdict == Verdict::fail);
  CHECK(failed.reason.find("in round 2 after 1 s: a bit flipped") != std::string::npos);
  result = soaked({10, 10});
  result.complete = false;
  CHECK(judge_soak(std::vector{step("a")}, result, options)[0].verdict == Verdict::inconclusive);
  CHECK(judge_soak(std::vector{step("a")}, {}, options)[0].verdict == Verdict::inconclusive);
}

TEST_CASE("a rate whose level falls fails, and is told where; noise and a rise do not") {
  const SoakOptions options;
  const std::vector<SoakStep> steps{step("a")};
  const auto judged = [&](const std::vector<double>& rates) { return judge_soak(steps, soaked(rates), options)[0]; };
  std::vector<double> level, falls, rises;
  for (int i = 0; i < 40; ++i) {
    const double noise = 0.02 * ((i * 7919) % 13 - 6);
    level.push_back(10 + noise);
    falls.push_back((i < 25 ? 10 : 8) + noise);
    rises.push_back((i < 25 ? 10 : 12) + noise);
  }
  CHECK(judged(level).verdict == Verdict::pass);
  const Outcome fell = judged(falls);
  CHECK(fell.verdict == Verdict::fail);
  CHECK(fell.reason.find("first at 25 s") != std::string::npos);
  CHECK(judged(rises).verdict == Verdict::pass);
  falls[30] = 0;
  CHECK(judged(falls).verdict == Verdict::fail);
}
