#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "assay/core/result.hpp"

namespace assay::inline v0 {

/// A row of a table in CSV.
struct CsvRow {
  std::size_t line = 0;            ///< where it begins, from 1
  std::vector<std::string> cells;  ///< without their quotes
};

/// Reads a table after RFC 4180, with LF or CRLF; a byte order mark and empty lines are skipped. Error `malformed`, with
/// the line. O(bytes).
[[nodiscard]] Result<std::vector<CsvRow>> csv_rows(std::string_view text, char separator = ',');

/// The number that a cell holds, blanks around it and a plus sign allowed; nothing if it holds none.
[[nodiscard]] std::optional<double> csv_number(std::string_view text);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/report/csv.ipp"
#endif
