#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/run.hpp"
#include "assay/report/detail/html_filters.hpp"
#include "assay/report/detail/html_overview.hpp"
#include "assay/report/html_case.hpp"
#include "assay/report/html_head.hpp"
#include "assay/report/html_options.hpp"
#include "assay/report/html_parts.hpp"
#include "assay/report/markup.hpp"
#include "assay/report/page_script.hpp"
#include "assay/report/page_style.hpp"
#include "assay/report/summary.hpp"
#include "assay/report/text.hpp"

namespace assay::inline v0 {

namespace detail {

/// Writes the page of one run.
class HtmlPage {
 public:
  HtmlPage(const Run& run, const HtmlOptions& options) : run_(run), options_(options), filters_(run) {}

  [[nodiscard]] std::string text();

 private:
  static const char* heading(Verdict verdict);

  /// One case, with its details as long as the page has room for them; counted as unlisted once it has no room at all.
  void add_case(std::size_t index, bool open);

  /// A case whose reason stands above its group.
  void add_id(std::size_t index);

  void section(Verdict verdict);

  void grouped(const std::vector<std::size_t>& cases, bool by_reason);

  const Run& run_;
  HtmlOptions options_;
  HtmlFilters filters_;
  std::string page_;
  std::size_t unlisted_ = 0;
  bool passes_in_full_ = true;
};

}  // namespace detail
}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/report/detail/html_page.ipp"
#endif
