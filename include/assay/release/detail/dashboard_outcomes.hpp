#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "assay/core/run.hpp"
#include "assay/release/dashboard.hpp"
#include "assay/release/dashboard_options.hpp"
#include "assay/release/detail/dashboard_json.hpp"
#include "assay/report/markup.hpp"
#include "assay/report/text.hpp"

namespace assay::inline v0::detail {

inline constexpr std::array<const char*, 4> dashboard_labels{"operation", "backend", "formats", "data"};

/// What the page calls a run.
[[nodiscard]] inline std::string run_name(const DashboardRun& run) {
  if (!run.combination.empty()) return combination_text(run.combination);
  if (!run.source.empty()) return run.source;
  return run.run.title.empty() ? "run" : run.run.title;
}

/// All outcomes for the script of the page: columns of numbers, texts once each.
class DashboardOutcomes {
 public:
  DashboardOutcomes(const Dashboard& dashboard, const DashboardOptions& options) : options_(options) {
    for (std::size_t run = 0; run < dashboard.runs.size(); ++run)
      for (const Outcome& outcome : dashboard.runs[run].run.outcomes) add(run, outcome);
    add_runs(dashboard);
  }

  [[nodiscard]] std::size_t size() const { return count_; }
  /// Outcomes whose details did not fit.
  [[nodiscard]] std::size_t without_details() const { return without_details_; }

  [[nodiscard]] std::string json() const;

 private:
  static void append(std::string& column, const std::string& value) {
    if (!column.empty()) column += ',';
    column += value;
  }

  void add(std::size_t run, const Outcome& outcome);

  /// What is known of an outcome that did not pass: diagnosis, its first table, the command that runs it again. 0:
  /// nothing.
  std::size_t detail_of(const Outcome& outcome);

  void add_runs(const Dashboard& dashboard);

  const DashboardOptions& options_;
  std::map<std::string, std::size_t> places_;
  std::vector<std::string> ids_;
  std::array<TextPool, dashboard_labels.size()> values_;
  TextPool reasons_, details_;
  std::string runs_, cells_, id_labels_, id_column_, run_column_, ratio_column_, seconds_column_, reason_column_,
      detail_column_, verdict_column_;
  std::size_t count_ = 0, without_details_ = 0;
};

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/release/detail/dashboard_outcomes.ipp"
#endif
