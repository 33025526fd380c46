#pragma once

#include <filesystem>
#include <string>

#include "assay/core/result.hpp"
#include "assay/release/dashboard.hpp"
#include "assay/release/dashboard_options.hpp"
#include "assay/release/detail/dashboard_page.hpp"
#include "assay/report/write_file.hpp"

namespace assay::inline v0 {

/// The dashboard as one page that loads nothing: the answer of the gate with its reasons, what fails, since when and
/// where, with its diagnosis, the version matrix with its holes, trends with their change points, and every outcome.
/// Light and dark, for screens of any width. Without JavaScript all but the list of outcomes is there to read; with it,
/// 50,000 outcomes and more are filtered, sorted and scrolled without delay, and a cell of the matrix leads to the
/// outcomes behind it, failing elements included.
///
/// The page takes some 20 bytes an outcome beside the texts; `options` bounds what details add. Every metric is
/// searched for change points by `e_divisive` over the medians of its runs. O(outcomes · log outcomes + metrics · runs
/// · log runs · permutations).
[[nodiscard]] inline std::string dashboard_html(const Dashboard& dashboard, const DashboardOptions& options = {}) {
  return detail::DashboardPage(dashboard, options).text();
}

/// Writes the page to a file, whole or not at all (`write_file`).
[[nodiscard]] inline Result<void> write_dashboard(const Dashboard& dashboard, const std::filesystem::path& path,
                                                  const DashboardOptions& options = {}) {
  return write_file(path, dashboard_html(dashboard, options));
}

}  // namespace assay::inline v0
