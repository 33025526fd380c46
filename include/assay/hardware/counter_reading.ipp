#pragma once

#include "assay/hardware/counter_reading.hpp"

#include <algorithm>

#include "assay/core/config.hpp"
#include "assay/core/printed_number.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE void judge_counters(Outcome& outcome, const std::vector<CounterReading>& before,
                                               const std::vector<CounterReading>& after) {
  if (before.empty() && after.empty()) {
    outcome.derivation.push_back("no counters of errors were read: corrected errors would not show");
    return;
  }
  const auto demote = [&](Verdict verdict, const std::string& why) {
    outcome.diagnosis.push_back(why);
    if (outcome.verdict == Verdict::pass || (outcome.verdict == Verdict::inconclusive && verdict == Verdict::fail)) {
      outcome.verdict = verdict;
      outcome.reason = why;
    }
  };
  const auto find = [](const std::vector<CounterReading>& readings, const std::string& name) {
    return std::find_if(readings.begin(), readings.end(), [&](const CounterReading& r) { return r.name == name; });
  };
  for (const CounterReading& first : before) {
    const auto last = find(after, first.name);
    if (last == after.end()) {
      demote(Verdict::inconclusive, "the counter " + first.name + " could be read before the test and not after it");
      continue;
    }
    const double change = last->value - first.value;
    outcome.measure("counter " + first.name, change, "errors");
    if (change > 0)
      demote(Verdict::fail, "the counter " + first.name + " rose by " + detail::printed_number(change) +
                                " during the test, from " + detail::printed_number(first.value));
    else if (!(change >= 0))
      demote(Verdict::inconclusive, "the counter " + first.name + " fell from " + detail::printed_number(first.value) +
                                        " to " + detail::printed_number(last->value) +
                                        ": it was set back during the test");
  }
  for (const CounterReading& last : after)
    if (find(before, last.name) == before.end())
      demote(Verdict::inconclusive, "the counter " + last.name + " could not be read before the test");
}

}  // namespace assay::inline v0
