#pragma once

#include "assay/release/detail/dashboard_failures.hpp"

#include <algorithm>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE std::vector<FailureGroup> failure_groups(const Dashboard& dashboard) {
  std::map<std::string_view, std::size_t> places;
  std::vector<FailureGroup> groups;
  const auto each = [&](auto&& action) {
    for (std::size_t run = 0; run < dashboard.runs.size(); ++run)
      for (const Outcome& outcome : dashboard.runs[run].run.outcomes) action(run, outcome);
  };
  each([&](std::size_t run, const Outcome& outcome) {
    if (outcome.verdict != Verdict::fail && outcome.verdict != Verdict::error) return;
    const auto [place, added] = places.emplace(outcome.id, groups.size());
    if (added) groups.push_back({outcome.id, {}, {}});
    groups[place->second].failures.emplace_back(run, &outcome);
  });
  each([&](std::size_t run, const Outcome& outcome) {
    if (outcome.verdict != Verdict::pass) return;
    if (const auto place = places.find(outcome.id); place != places.end()) groups[place->second].others.push_back(run);
  });
  const auto started = [&](std::size_t run) -> const std::string& {
    return dashboard.runs[run].run.environment.started_at;
  };
  for (FailureGroup& group : groups)
    detail::stable_sort(group.failures, [&](const auto& left, const auto& right) {
      return started(left.first) > started(right.first);
    });
  detail::stable_sort(groups, [&](const FailureGroup& left, const FailureGroup& right) {
    const std::string &first = started(left.failures.front().first), &second = started(right.failures.front().first);
    return first != second ? first > second : left.failures.size() > right.failures.size();
  });
  return groups;
}

/// What all runs have in common in which it fails, and none in which it passes: "driver=550.54". Empty where that is
/// nothing, or where it passes nowhere.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::vector<std::string> common_cause(const Dashboard& dashboard,
                                                                               const FailureGroup& group) {
  std::vector<std::string> causes;
  if (group.others.empty()) return causes;
  for (const auto& [axis, value] : dashboard.runs[group.failures.front().first].combination) {
    const auto has = [&, &name = axis, &wanted = value](std::size_t run) {
      const NamedCombination& combination = dashboard.runs[run].combination;
      const auto found = combination.find(name);
      return found != combination.end() && found->second == wanted;
    };
    const bool in_all = std::all_of(group.failures.begin(), group.failures.end(),
                                    [&](const auto& failure) { return has(failure.first); });
    if (in_all && std::none_of(group.others.begin(), group.others.end(), has)) causes.push_back(axis + "=" + value);
  }
  return causes;
}

ASSAY_DETAIL_HEADER_INLINE std::string DashboardFailures::section() const {
  if (groups_.empty()) return {};
  std::string text =
      "<section id=\"failures\"><h2><span class=\"fail\" aria-hidden=\"true\">✗</span> Newest failures <small>" +
      std::to_string(groups_.size()) +
      "</small></h2>\n<p class=\"columns\" aria-hidden=\"true\"><span>error / allowed</span><span>time</span></p>\n";
  for (std::size_t i = 0; i < groups_.size() && i < options_.listed_failures; ++i) text += entry(i);
  if (groups_.size() > options_.listed_failures)
    text += "<p class=\"note\">and " + std::to_string(groups_.size() - options_.listed_failures) +
            " more, in the list of all outcomes</p>\n";
  return text + "</section>\n";
}

ASSAY_DETAIL_HEADER_INLINE std::string DashboardFailures::entry(std::size_t i) const {
  const FailureGroup& group = groups_[i];
  const Outcome& newest = *group.failures.front().second;
  std::string text = "<details class=\"case failure\" id=\"failure-" + std::to_string(i) + "\"><summary>" +
                     case_line(newest, i < options_.charted_failures ? 1000 : 200) + "<span class=\"where\">" +
                     where(group) + "</span>";
  if (!newest.diagnosis.empty())
    text += "<span class=\"finding\">" + escaped_markup(clipped(visible(newest.diagnosis.front()), 300)) + "</span>";
  text += "</summary>";
  text += i < options_.charted_failures ? case_details(newest, true, 12) : brief(newest);
  return text + "</details>\n";
}

ASSAY_DETAIL_HEADER_INLINE std::string DashboardFailures::where(const FailureGroup& group) const {
  const std::size_t failing = group.failures.size(), all = failing + group.others.size();
  const DashboardRun& newest = dashboard_.runs[group.failures.front().first];
  std::string text =
      all == 1 ? "in the one run that has it"
               : "fails in " + std::to_string(failing) + " of " + std::to_string(all) + " runs that decide it";
  std::string causes;
  for (const std::string& cause : common_cause(dashboard_, group))
    causes += (causes.empty() ? "<b>" : ", <b>") + escaped_markup(clipped(visible(cause), 100)) + "</b>";
  if (!causes.empty()) text += "; all of them, and none of the others, with " + causes;
  return text + "; newest: " + escaped_markup(clipped(visible(run_name(newest)), 200)) +
         (newest.run.environment.started_at.empty()
              ? ""
              : ", " + escaped_markup(clipped(visible(newest.run.environment.started_at), 40)));
}

}  // namespace assay::inline v0::detail
