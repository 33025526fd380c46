#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "assay/core/result.hpp"

namespace assay::inline v0::detail {

struct CsvRow {
  std::size_t line = 0;  ///< where it begins, from 1
  std::vector<std::string> cells;
};

/// RFC 4180, with \n or \r\n. Empty lines are skipped. Error `malformed`, with the line.
[[nodiscard]] Result<std::vector<CsvRow>> csv_rows(std::string_view text, char separator);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/performance/detail/csv_rows.ipp"
#endif
