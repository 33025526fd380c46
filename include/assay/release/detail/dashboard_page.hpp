#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>

#include "assay/release/dashboard.hpp"
#include "assay/release/dashboard_options.hpp"
#include "assay/release/detail/dashboard_failures.hpp"
#include "assay/release/detail/dashboard_gate.hpp"
#include "assay/release/detail/dashboard_matrix.hpp"
#include "assay/release/detail/dashboard_outcomes.hpp"
#include "assay/release/detail/dashboard_script.hpp"
#include "assay/release/detail/dashboard_style.hpp"
#include "assay/release/detail/dashboard_trends.hpp"
#include "assay/report/html_head.hpp"
#include "assay/report/html_parts.hpp"
#include "assay/report/markup.hpp"
#include "assay/report/page_script.hpp"
#include "assay/report/page_style.hpp"

namespace assay::inline v0::detail {

/// Writes the page of one dashboard.
class DashboardPage {
 public:
  DashboardPage(const Dashboard& dashboard, const DashboardOptions& options)
      : dashboard_(dashboard), options_(options), failures_(dashboard, options_), outcomes_(dashboard, options_) {
    if (dashboard.history) trends_.emplace(*dashboard.history, options_);
  }

  [[nodiscard]] std::string text() const;

 private:
  [[nodiscard]] std::size_t count(Verdict verdict) const {
    std::size_t number = 0;
    for (const DashboardRun& run : dashboard_.runs) number += run.run.count(verdict);
    return number;
  }

  /// Without a gate the page says what it saw, and approves nothing.
  [[nodiscard]] RunVerdict answer() const;

  [[nodiscard]] std::string reason() const;

  [[nodiscard]] std::string navigation() const;

  [[nodiscard]] std::string explorer() const;

  [[nodiscard]] std::string verdict_bar() const;

  const Dashboard& dashboard_;
  DashboardOptions options_;
  DashboardFailures failures_;
  DashboardOutcomes outcomes_;
  std::optional<DashboardTrends> trends_;
};

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/release/detail/dashboard_page.ipp"
#endif
