#pragma once

#include <chrono>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "assay/baselines/baseline.hpp"
#include "assay/core/result.hpp"
#include "assay/report/utc_time.hpp"

namespace assay::inline v0 {

/// Which records are no longer wanted: those of which everything that is said here holds. Without anything said, none.
struct PruneRule {
  std::optional<std::chrono::seconds> older_than;  ///< since they were made, or approved if that was later
  std::optional<std::set<std::string>>
      used;                      ///< keys: others are unused; a candidate is used where its golden record is
  bool candidates_only = false;  ///< only what waits for approval
};

/// A record that a rule looked at.
struct PruneEntry {
  std::string key;      ///< of the record
  std::string test;     ///< empty of one that cannot be read
  bool chosen = false;  ///< the rule holds of it
  std::string reason;   ///< why, or why not
};

/// What a rule chooses of a store, `now` being the time; nothing is erased. Records that cannot be read are never
/// chosen: whoever looks for them finds them. Errors: those of the store's `list`.
template <Store S>
[[nodiscard]] Result<std::vector<PruneEntry>> chosen_by(
    const PruneRule& rule, const Baseline<S>& baseline,
    std::chrono::system_clock::time_point now = std::chrono::system_clock::now()) {
  const auto keys = baseline.store().list();
  if (!keys) return keys.propagate();
  const bool anything = rule.older_than || rule.used || rule.candidates_only;
  std::vector<PruneEntry> entries;
  for (const std::string& key : keys.value()) {
    PruneEntry& entry = entries.emplace_back();
    entry.key = key;
    const auto record = baseline.load(key);
    if (!record || !record.value()) {
      entry.reason = record ? "gone meanwhile" : record.error().message;
      continue;
    }
    const BaselineRecord& found = *record.value();
    entry.test = found.subject.test + (found.subject.output.empty() ? "" : "/" + found.subject.output);
    const bool candidate = key != found.key;
    const auto made = detail::utc_time(found.created_at), approved = detail::utc_time(found.approved_at);
    const auto last = approved && (!made || *approved > *made) ? approved : made;
    // In seconds: in the clock's nanoseconds, 107,000 days are more than there are.
    using std::chrono::floor, std::chrono::seconds;
    const bool old = !rule.older_than || (last && floor<seconds>(now) - floor<seconds>(*last) > *rule.older_than);
    const bool unused = !rule.used || rule.used->count(found.key) == 0;
    entry.chosen = anything && old && unused && (!rule.candidates_only || candidate);
    if (entry.chosen)
      entry.reason = std::string(candidate ? "a candidate" : "a golden record") + " of " +
                     (approved ? found.approved_at + ", approved by " + found.approved_by : found.created_at);
  }
  return entries;
}

}  // namespace assay::inline v0
