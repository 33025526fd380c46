#include "assay/hardware/counter_reading.hpp"

#include <limits>

#include "testing/catch.hpp"

using namespace assay;

namespace {

Outcome judged(Verdict verdict, const std::vector<CounterReading>& before, const std::vector<CounterReading>& after) {
  Outcome outcome;
  outcome.verdict = verdict;
  judge_counters(outcome, before, after);
  return outcome;
}

}  // namespace

TEST_CASE("counters count by what they rose; one that fell or is gone tells nothing") {
  CHECK(judged(Verdict::pass, {{"ce", 5}}, {{"ce", 5}}).verdict == Verdict::pass);
  const Outcome rose = judged(Verdict::pass, {{"ce", 5}}, {{"ce", 7}});
  CHECK(rose.verdict == Verdict::fail);
  CHECK(rose.measurement("counter ce") == 2);
  CHECK(judged(Verdict::pass, {{"ce", 5}}, {{"ce", 0}}).verdict == Verdict::inconclusive);
  CHECK(judged(Verdict::pass, {{"ce", 5}}, {}).verdict == Verdict::inconclusive);
  CHECK(judged(Verdict::pass, {}, {{"ce", 5}}).verdict == Verdict::inconclusive);
  CHECK(judged(Verdict::pass, {{"ce", std::numeric_limits<double>::quiet_NaN()}}, {{"ce", 5}}).verdict ==
        Verdict::inconclusive);
  CHECK(judged(Verdict::pass, {{"a", 5}, {"b", 1}}, {{"a", 0}, {"b", 2}}).verdict == Verdict::fail);
  CHECK(judged(Verdict::error, {{"ce", 5}}, {{"ce", 7}}).verdict == Verdict::error);
  CHECK(judged(Verdict::pass, {}, {}).derivation.size() == 1);
}
