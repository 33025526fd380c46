#pragma once

#include <optional>
#include <string>
#include <vector>

#include "assay/core/result.hpp"

namespace CLI {
class App;
}

namespace assay_program {

/// What `assay history` was asked for.
struct HistoryOptions {
  std::string action;  ///< import, list, show, scan or export
  std::vector<std::string>
      names;         ///< import: files of results; else the history and, of list, show and scan, series by key or glob
  std::string into;  ///< import: the history
  std::vector<std::string> labels;      ///< NAME=VALUE
  std::vector<std::string> directions;  ///< METRIC=lower|higher
  std::string time;
  std::vector<std::string> value_columns;  ///< of CSV
  std::vector<std::string> label_columns;
  std::vector<std::string> ignored_columns;
  std::string name_column;
  std::string metric_column, unit_column, time_column;
  std::string separator, decimal;  ///< a character, or "tab"
  std::string benchmark;
  std::string baseline;               ///< VERSION, NAME=VALUE or a number of runs
  std::optional<std::string> newest;  ///< none: 10
  std::string order = "time";
  std::string allowed = "1";  ///< percent
  std::string to;             ///< export: the file to write
};

/// Declares the command; `options` must outlive the app.
CLI::App& add_history_command(CLI::App& app, HistoryOptions& options);

/// What options of the command must agree on with each other.
[[nodiscard]] assay::Result<void> check_history_options(const HistoryOptions& options);

}  // namespace assay_program
