#pragma once

#include <filesystem>
#include <string>

#include "assay/core/result.hpp"
#include "assay/core/run.hpp"
#include "assay/report/detail/html_page.hpp"
#include "assay/report/html_options.hpp"
#include "assay/report/write_file.hpp"

namespace assay::inline v0 {

/// The run as one HTML page that loads nothing: light and dark, for screens of any width, readable without JavaScript;
/// with it, cases can be filtered and sorted, the choice stands in the address, and heat maps tell their cells. What
/// failed comes first. The page stays within `options.bytes` (and what a single case adds).
[[nodiscard]] inline std::string html_text(const Run& run, const HtmlOptions& options = {}) {
  return detail::HtmlPage(run, options).text();
}

/// Writes the page to a file, whole or not at all (`write_file`).
[[nodiscard]] inline Result<void> write_html(const Run& run, const std::filesystem::path& path,
                                             const HtmlOptions& options = {}) {
  return write_file(path, html_text(run, options));
}

}  // namespace assay::inline v0
