#include "assay/core/run.hpp"

#include <initializer_list>

#include "testing/catch.hpp"

using assay::Run;
using assay::Verdict;

namespace {

Run run_of(std::initializer_list<Verdict> verdicts, std::size_t planned = 0) {
  Run run;
  for (const Verdict verdict : verdicts) run.outcomes.emplace_back().verdict = verdict;
  run.planned_cases = planned > 0 ? planned : verdicts.size();
  return run;
}

}  // namespace

TEST_CASE("a run counts its verdicts", "[core]") {
  const Run run = run_of({Verdict::pass, Verdict::fail, Verdict::pass, Verdict::unsupported});
  CHECK(run.count(Verdict::pass) == 2);
  CHECK(run.count(Verdict::fail) == 1);
  CHECK(run.count(Verdict::unsupported) == 1);
  CHECK(run.count(Verdict::error) == 0);
}

TEST_CASE("a run passes if something was computed and nothing failed", "[core]") {
  CHECK(run_of({Verdict::pass}).exit_code() == 0);
  CHECK(run_of({Verdict::pass, Verdict::unsupported, Verdict::skipped}).exit_code() == 0);
  CHECK(run_of({Verdict::new_baseline}).exit_code() == 0);
}

TEST_CASE("an undecided case is no failure unless one asks for it, and no success by itself", "[core]") {
  CHECK(run_of({Verdict::pass, Verdict::inconclusive}).exit_code() == 0);
  CHECK(run_of({Verdict::pass, Verdict::inconclusive}).exit_code(true) == 1);
  CHECK(run_of({Verdict::inconclusive}).exit_code() == 2);
  Run every_case_decides = run_of({Verdict::pass, Verdict::inconclusive});
  every_case_decides.require_conclusive = true;
  CHECK(every_case_decides.exit_code() == 1);
}

TEST_CASE("one failure or error fails the run, even one cut short", "[core]") {
  for (const Verdict verdict : {Verdict::fail, Verdict::error}) {
    CHECK(run_of({Verdict::pass, verdict, Verdict::pass}).exit_code() == 1);
    CHECK(run_of({verdict}).exit_code() == 1);
    CHECK(run_of({Verdict::pass, verdict}, 10).exit_code() == 1);
  }
}

TEST_CASE("a run that decided nothing, or was cut short, does not pass", "[core]") {
  CHECK(run_of({}).exit_code() == 2);
  CHECK(run_of({Verdict::unsupported, Verdict::skipped}).exit_code() == 2);
  CHECK(run_of({Verdict::pass, Verdict::pass}, 3).exit_code() == 2);
}
