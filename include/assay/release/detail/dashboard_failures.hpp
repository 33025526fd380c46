#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/run.hpp"
#include "assay/core/stable_sort.hpp"
#include "assay/release/dashboard.hpp"
#include "assay/release/dashboard_options.hpp"
#include "assay/release/detail/dashboard_outcomes.hpp"
#include "assay/report/html_case.hpp"
#include "assay/report/html_parts.hpp"
#include "assay/report/markup.hpp"

namespace assay::inline v0::detail {

/// Everything that one id does wrong, over all runs.
struct FailureGroup {
  std::string id;
  std::vector<std::pair<std::size_t, const Outcome*>> failures;  ///< run, outcome; the newest first
  std::vector<std::size_t> others;                               ///< runs in which it passed
};

/// Newest failures first. Times are texts in ISO 8601, which sort as they are. O(outcomes · log outcomes).
[[nodiscard]] std::vector<FailureGroup> failure_groups(const Dashboard& dashboard);

class DashboardFailures {
 public:
  DashboardFailures(const Dashboard& dashboard, const DashboardOptions& options)
      : dashboard_(dashboard), options_(options), groups_(failure_groups(dashboard)) {
    for (std::size_t i = 0; i < groups_.size(); ++i) places_.emplace(groups_[i].id, i);
  }

  [[nodiscard]] std::size_t size() const { return groups_.size(); }

  /// Whether the id is among the failures that are listed.
  [[nodiscard]] bool tells(const std::string& id) const {
    const auto place = places_.find(id);
    return place != places_.end() && place->second < options_.listed_failures;
  }
  /// A link to what is told of an id, or the id alone.
  [[nodiscard]] std::string link(const std::string& id) const {
    return tells(id) ? "<a href=\"#failure-" + std::to_string(places_.at(id)) + "\">" + id_markup(id) + "</a>"
                     : id_markup(id);
  }

  [[nodiscard]] std::string section() const;

 private:
  [[nodiscard]] std::string entry(std::size_t i) const;

  [[nodiscard]] static std::string brief(const Outcome& outcome) {
    std::string text = "<div class=\"body\">";
    if (!outcome.diagnosis.empty()) text += findings_markup(outcome.diagnosis);
    if (!outcome.reproduce.empty()) text += command_markup(clipped(outcome.reproduce, 2000));
    return text + "</div>";
  }

  [[nodiscard]] std::string where(const FailureGroup& group) const;

  const Dashboard& dashboard_;
  const DashboardOptions& options_;
  std::vector<FailureGroup> groups_;
  std::map<std::string, std::size_t> places_;
};

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/release/detail/dashboard_failures.ipp"
#endif
