#pragma once

#include <cstddef>

namespace assay::inline v0 {

/// How large the page may grow. What no longer fits is told in fewer words, never silently left out.
struct HtmlOptions {
  std::size_t bytes_with_charts = 8'000'000;    ///< up to here cases carry tables, heat maps and series
  std::size_t bytes_with_details = 10'000'000;  ///< up to here cases carry diagnosis, measurements and derivation
  std::size_t bytes = 14'000'000;               ///< up to here cases are listed
  std::size_t rows_of_a_table = 200;            ///< at most
};

}  // namespace assay::inline v0
