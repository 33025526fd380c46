#pragma once

#include "assay/fleet/population/fleet_results.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

#include "assay/core/config.hpp"
#include "assay/core/nearest_name.hpp"
#include "assay/report/csv.hpp"
#include "assay/report/text.hpp"

namespace assay::inline v0 {

namespace detail {

[[nodiscard]] inline std::string node_of(const std::string& subject) {
  return subject.substr(0, subject.find('/'));
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE Outcome suspect_outcome(const PeerGroup& group, const PeerVerdict& verdict,
                                                                 const std::string& subject, const PeerOutlier& one) {
  Outcome outcome;
  outcome.id = "fleet/" + group.name + "/" + subject;
  outcome.labels = {{"group", group.name}, {"node", node_of(subject)}, {"subject", subject}};
  outcome.measure("value", one.value);
  outcome.measure("median_of_peers", verdict.median);
  outcome.measure("relative_effect", one.effect);
  if (std::isfinite(one.deviation)) outcome.measure("robust_deviations", one.deviation);
  const std::string far = number_text(std::abs(one.effect) * 100) + " % " + (one.effect < 0 ? "worse" : "better") +
                          " than the median of " + std::to_string(verdict.subjects) + " peers";
  outcome.verdict = one.effect < 0 ? Verdict::fail : Verdict::inconclusive;
  outcome.reason = one.effect < 0 ? far + "; swap it with a good neighbor to tell part from place"
                                  : far + ": was it measured as the others were?";
  return outcome;
}

/// A subject that no value says anything of.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE Outcome unmeasured_outcome(const PeerGroup& group,
                                                                    const std::string& subject) {
  Outcome outcome;
  outcome.id = "fleet/" + group.name + "/" + subject;
  outcome.labels = {{"group", group.name}, {"node", node_of(subject)}, {"subject", subject}};
  outcome.verdict = Verdict::inconclusive;
  outcome.reason = "no value of it is a number that can be compared; measure it again";
  return outcome;
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE Result<void> add_fleet_results(std::string_view csv, FleetResults& results) {
  const auto rows = csv_rows(csv);
  if (!rows) return rows.propagate();
  if (rows.value().empty()) return failure(ErrorKind::malformed, "results begin with a line that names columns");
  const std::vector<std::string>& columns = rows.value().front().cells;
  const std::vector<std::string> known{"node", "unit", "class", "metric", "value", "direction"};
  std::map<std::string, std::size_t> at;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (std::find(known.begin(), known.end(), columns[i]) == known.end())
      return failure(ErrorKind::not_found, "line 1: " + unknown_name("column", columns[i], known));
    if (!at.emplace(columns[i], i).second)
      return failure(ErrorKind::malformed, "line 1: two columns are headed '" + columns[i] + "'");
  }
  for (const char* required : {"node", "metric", "value"})
    if (at.count(required) == 0)
      return failure(ErrorKind::malformed, "line 1: no column '" + std::string(required) + "'");
  std::unordered_map<std::string, std::uint32_t> subjects;
  for (std::size_t i = 0; i < results.subjects.size(); ++i)
    subjects[results.subjects[i]] = static_cast<std::uint32_t>(i);
  std::unordered_map<std::string, std::size_t> groups;
  for (std::size_t i = 0; i < results.groups.size(); ++i) groups[results.groups[i].name] = i;
  for (std::size_t i = 1; i < rows.value().size(); ++i) {
    const CsvRow& row = rows.value()[i];
    const std::string place = "line " + std::to_string(row.line) + ": ";
    if (row.cells.size() != columns.size())
      return failure(ErrorKind::malformed, place + std::to_string(row.cells.size()) + " cells, where line 1 names " +
                                               std::to_string(columns.size()) + " columns");
    const auto cell = [&](const char* name) {
      const auto found = at.find(name);
      return found == at.end() ? std::string() : row.cells[found->second];
    };
    if (cell("node").empty() || cell("metric").empty())
      return failure(ErrorKind::malformed, place + "a result has a node and a metric");
    const std::string direction = cell("direction");
    if (!direction.empty() && direction != "higher_is_better" && direction != "lower_is_better")
      return failure(ErrorKind::not_found,
                     place + unknown_name("direction", direction, {"higher_is_better", "lower_is_better"}));
    const std::string name = cell("metric") + (cell("class").empty() ? "" : "/" + cell("class")),
                      subject = cell("node") + (cell("unit").empty() ? "" : "/" + cell("unit"));
    const auto [group_at, new_group] = groups.try_emplace(name, results.groups.size());
    if (new_group) {
      results.groups.emplace_back();
      results.groups.back().name = name;
      results.groups.back().higher_is_better = direction != "lower_is_better";
    }
    PeerGroup& group = results.groups[group_at->second];
    if (!direction.empty() && group.higher_is_better != (direction == "higher_is_better"))
      return failure(ErrorKind::malformed, place + "'" + name + "' had the other direction before");
    const auto [subject_at, new_subject] =
        subjects.try_emplace(subject, static_cast<std::uint32_t>(results.subjects.size()));
    if (new_subject) results.subjects.push_back(subject);
    group.subjects.push_back(subject_at->second);
    group.values.push_back(csv_number(cell("value")).value_or(std::numeric_limits<double>::quiet_NaN()));
  }
  return {};
}

ASSAY_DETAIL_HEADER_INLINE std::vector<Outcome> fleet_outcomes(const FleetResults& results,
                                                               const PeerOptions& options) {
  std::vector<Outcome> outcomes;
  for (const PeerGroup& group : results.groups) {
    const PeerVerdict verdict = compare_peers(group, options);
    Outcome whole;
    whole.id = "fleet/" + group.name;
    whole.labels = {{"group", group.name}};
    whole.measure("subjects", static_cast<double>(verdict.subjects));
    whole.measure("median_of_peers", verdict.median);
    whole.measure("robust_deviation", verdict.deviation);
    whole.measure("left_out", static_cast<double>(verdict.left_out));
    if (!verdict.decided) {
      whole.verdict = Verdict::inconclusive;
      whole.reason = std::to_string(verdict.subjects) + " peers are too few to say who differs from them; " +
                     std::to_string(options.fewest_peers) + " are needed";
      outcomes.push_back(std::move(whole));
      continue;
    }
    if (verdict.worse.empty()) {
      whole.verdict = Verdict::pass;
      outcomes.push_back(std::move(whole));
    }
    std::unordered_map<std::string, std::size_t> units, worse;  // of each node
    std::vector<std::uint32_t> distinct = group.subjects;
    std::sort(distinct.begin(), distinct.end());
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
    if (!verdict.worse.empty())
      for (const std::uint32_t subject : distinct) ++units[detail::node_of(results.subjects[subject])];
    for (const PeerOutlier& one : verdict.worse) ++worse[detail::node_of(results.subjects[one.subject])];
    std::unordered_map<std::string, bool> told;
    for (const PeerOutlier& one : verdict.worse) {
      const std::string& subject = results.subjects[one.subject];
      const std::string node = detail::node_of(subject);
      const bool most = worse[node] >= 2 && 2 * worse[node] > units[node];
      if (most && std::exchange(told[node], true)) continue;
      outcomes.push_back(detail::suspect_outcome(group, verdict, most ? node : subject, one));
      if (most)
        outcomes.back().diagnosis.push_back(std::to_string(worse[node]) + " of " + std::to_string(units[node]) +
                                            " units of the node are behind: power, cooling or host rather than a unit");
    }
    for (const PeerOutlier& one : verdict.better)
      outcomes.push_back(detail::suspect_outcome(group, verdict, results.subjects[one.subject], one));
    std::vector<std::uint32_t> measured;
    for (std::size_t i = 0; i < group.values.size(); ++i)
      if (detail::is_peer_value(group.values[i])) measured.push_back(group.subjects[i]);
    std::sort(measured.begin(), measured.end());
    for (const std::uint32_t subject : distinct)
      if (!std::binary_search(measured.begin(), measured.end(), subject))
        outcomes.push_back(detail::unmeasured_outcome(group, results.subjects[subject]));
  }
  return outcomes;
}

}  // namespace assay::inline v0
