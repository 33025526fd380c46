#pragma once

#include <map>
#include <set>
#include <string>

#include "assay/core/run.hpp"
#include "assay/report/detail/html_filters.hpp"
#include "assay/report/html_parts.hpp"
#include "assay/report/markup.hpp"
#include "assay/report/summary.hpp"

namespace assay::inline v0::detail {

/// What became of each family of operations on each backend: a grid that shows at a glance where failures are. A cell
/// tells the most urgent verdict alone, and leads to its cases.
class HtmlGrid {
 public:
  explicit HtmlGrid(const Run& run);

  /// Nothing where there is one family on one backend.
  [[nodiscard]] std::string markup() const;

 private:
  /// On a phone a long name goes on in the next line, behind an underscore.
  static std::string breakable(const std::string& name) {
    std::string markup;
    for (const char letter : escaped_markup(name))
      markup += letter == '_' ? std::string("_<wbr>") : std::string(1, letter);
    return markup;
  }
  static std::string cell(const SummaryRow& row);

  std::map<std::string, std::map<std::string, SummaryRow>> cells_;  ///< by family, by backend
  std::set<std::string> backends_;
};

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/report/detail/html_grid.ipp"
#endif
