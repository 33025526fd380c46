#pragma once

#include <string>
#include <vector>

#include "assay/core/result.hpp"

namespace CLI {
class App;
}

namespace assay_program {

/// What `assay baseline` was asked for.
struct BaselineCommandOptions {
  std::string action;              ///< record, compare, approve, list, show, diff, prune, export or import
  std::vector<std::string> names;  ///< baselines by the beginning of their key, or by test (glob); import: the file
  std::string store;               ///< a folder, sqlite:FILE or postgresql:CONNINFO
  std::string other_store;         ///< diff: the store to hold it against
  std::string by;                  ///< who approves
  std::string note;
  std::string tolerance = "derived";   ///< record: that new records name
  std::string to;                      ///< export: the file to write
  std::string older_than;              ///< prune: days
  std::vector<std::string> unused_in;  ///< prune: reports of comparisons
  bool candidates = false;             ///< prune: only those
  bool dry_run = false;
};

/// Declares the command; `options` must outlive the app.
CLI::App& add_baseline_command(CLI::App& app, BaselineCommandOptions& options);

/// What options of the command must agree on with each other.
[[nodiscard]] assay::Result<void> check_baseline_options(const BaselineCommandOptions& options);

}  // namespace assay_program
