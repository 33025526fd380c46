#pragma once

#include <cstddef>
#include <string>

namespace assay::inline v0 {

/// How large the page may grow: 5 MB, with what a last case adds. What no longer fits is told in fewer words, never silently left out.
struct HtmlOptions {
  std::size_t bytes_with_charts = 2'400'000;   ///< up to here cases carry tables, heat maps and series
  std::size_t bytes_with_details = 3'400'000;  ///< up to here cases carry diagnosis, measurements and derivation
  std::size_t bytes = 4'800'000;               ///< up to here cases are listed
  std::size_t rows_of_a_table = 200;           ///< at most
  std::string figures;        ///< markup of the caller's, which stands below the overview; it is not escaped
  std::string figures_style;  ///< rules of style, as CSS, for it
};

}  // namespace assay::inline v0
