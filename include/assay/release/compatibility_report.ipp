#pragma once

#include "assay/release/compatibility_report.hpp"

#include <map>
#include <unordered_map>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

/// Why a combination is none of the matrix; empty if it has all its axes with values of theirs.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string strangeness(const VersionMatrix& matrix,
                                                                 const NamedCombination& combination) {
  for (const MatrixAxis& axis : matrix.axes) {
    const auto value = combination.find(axis.name);
    if (value == combination.end()) return "it says nothing of the axis '" + axis.name + "'";
    if (std::find(axis.values.begin(), axis.values.end(), value->second) == axis.values.end())
      return unknown_name("value of the axis '" + axis.name + "'", value->second, axis.values);
  }
  for (const auto& [axis, value] : combination)
    if (std::none_of(matrix.axes.begin(), matrix.axes.end(),
                     [&, &name = axis](const MatrixAxis& known) { return known.name == name; }))
      return unknown_name("axis", axis, axis_names(matrix));
  return {};
}

/// Outcomes on which runs of one combination disagree; an outcome that one of them does not have is no disagreement.
ASSAY_DETAIL_HEADER_INLINE void find_conflicts(CompatibilityReport& report, CompatibilityEntry& entry) {
  constexpr std::size_t most_told = 5;
  std::map<std::string, std::pair<Verdict, std::size_t>> first;
  std::size_t found = 0;
  const std::string combination = combination_text(report.certifications[entry.certifications.front()].combination);
  const auto says = [&](std::size_t index, Verdict verdict) {
    const Certification& by = report.certifications[index];
    return by.source + (by.host.empty() ? "" : " of " + by.host) + " says " + std::string(name_of(verdict));
  };
  for (const std::size_t index : entry.certifications)
    for (const auto& [id, verdict] : report.certifications[index].outcomes) {
      const auto [known, added] = first.emplace(id, std::pair(verdict, index));
      if (added || known->second.first == verdict || known->second.second == index) continue;
      if (++found <= most_told)
        report.conflicts.push_back(
            {combination, id + ": " + says(known->second.second, known->second.first) + ", " + says(index, verdict)});
    }
  if (found > most_told)
    report.conflicts.push_back({combination, "and " + std::to_string(found - most_told) + " outcomes more"});
  if (found > 0) entry.state = CompatibilityState::conflict;
}

ASSAY_DETAIL_HEADER_INLINE CompatibilityState state_of(const CompatibilityReport& report,
                                                       const CompatibilityEntry& entry) {
  if (entry.certifications.empty()) return CompatibilityState::hole;
  std::vector<std::string> shards;
  for (const std::size_t index : entry.certifications) shards.push_back(report.certifications[index].shard);
  bool undecided = !missing_shards(shards).empty();
  for (const std::size_t index : entry.certifications) {
    if (report.certifications[index].verdict == Verdict::fail) return CompatibilityState::failed;
    undecided = undecided || report.certifications[index].verdict != Verdict::pass;
  }
  return undecided ? CompatibilityState::undecided : CompatibilityState::certified;
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE CompatibilityReport compatibility_report(const VersionMatrix& matrix,
                                                                    const CombinationList& promised,
                                                                    std::vector<Certification> certifications) {
  CompatibilityReport report;
  report.title = matrix.title;
  report.axes = matrix.axes;
  report.certifications = std::move(certifications);
  std::unordered_map<std::string, std::vector<std::size_t>> by_combination;
  for (std::size_t i = 0; i < report.certifications.size(); ++i) {
    const NamedCombination& combination = report.certifications[i].combination;
    if (const std::string why = detail::strangeness(matrix, combination); !why.empty())
      report.strangers.emplace_back(i, why);
    else
      by_combination[combination_text(combination)].push_back(i);
  }
  report.entries.reserve(promised.size());
  for (std::size_t i = 0; i < promised.size(); ++i) {
    CompatibilityEntry entry;
    for (std::size_t axis = 0; axis < promised.axes(); ++axis)
      entry.values.push_back(matrix.axes[axis].values[promised[i][axis]]);
    if (!by_combination.empty()) {
      const auto found = by_combination.find(combination_text(named_combination(matrix, promised[i])));
      if (found != by_combination.end()) {
        entry.certifications = std::move(found->second);
        by_combination.erase(found);
      }
    }
    entry.state = detail::state_of(report, entry);
    if (entry.certifications.size() > 1) detail::find_conflicts(report, entry);
    report.entries.push_back(std::move(entry));
  }
  for (const auto& [combination, indices] : by_combination)
    for (const std::size_t index : indices)
      report.strangers.emplace_back(
          index,
          "it is not among the combinations that were promised: a rule excludes it, or only pairs were asked for");
  std::sort(report.strangers.begin(), report.strangers.end());
  return report;
}

}  // namespace assay::inline v0
