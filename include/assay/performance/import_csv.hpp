#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "assay/core/nearest_name.hpp"
#include "assay/core/printed_number.hpp"
#include "assay/performance/import_options.hpp"
#include "assay/report/csv.hpp"

namespace assay::inline v0 {

/// Which columns of a CSV file are what. Those that are named nowhere are configuration: they tell variants of a
/// benchmark apart.
struct CsvColumns {
  std::string name = "name";  ///< of the benchmark; absent: every row is of `benchmark`
  std::string benchmark;      ///< its name where there is no such column
  std::vector<std::string> values{
      "value"};  ///< of the samples; the name of each is its metric's where there is no column `metric`
  std::string metric = "metric";        ///< the metric's name; optional
  std::string unit = "unit";            ///< optional; a value column may also be headed "seconds [s]" or "time (ms)"
  std::string direction = "direction";  ///< lower_is_better or higher_is_better; optional
  std::string time = "time";            ///< of day: ISO 8601, a date, or seconds since 1970; optional
  std::vector<std::string> labels{"version", "commit", "build", "branch"};  ///< of what was measured; each optional
  std::vector<std::string> ignored;                                         ///< columns that are left out
  /// Between columns; 0: the one of ',', ';', tab and '|' that the first line has.
  char separator = 0;
  /// Before the decimals of a value; 0: ',' where that is certain ("0,5" between semicolons), else '.'.
  char decimal = 0;
  std::map<std::string, std::string> units;  ///< of columns of values whose headings do not tell them
};

namespace detail {

/// Where the columns stand in one file.
struct CsvLayout {
  struct Value {
    std::size_t column;
    std::string metric, unit;
  };
  std::optional<std::size_t> name, metric, unit, direction, time;
  std::vector<Value> values;
  std::vector<std::pair<std::size_t, std::string>> labels, configuration;
};

}  // namespace detail

/// Reads results from CSV with a header. Rows of equal name, configuration and metric are samples of one metric; rows
/// of other labels or times are other runs, so that years come in at once. Units of time become seconds. Values that
/// are empty or no finite number are left out, and told.
///
/// What is not said is guessed where it is certain, and told: columns of values by a known unit in their headings, of
/// names by "benchmark", "test" or "case", of times by "timestamp", "date" or "datetime". A column "time" of durations
/// is refused, not taken for times of day. Errors: `malformed`, `not_found` (a column), `invalid`, with
/// the line. O(cells · log rows).
[[nodiscard]] Result<Imported> import_csv(std::string_view text, const CsvColumns& columns = {},
                                          const ImportOptions& options = {});

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/performance/import_csv.ipp"
#endif
