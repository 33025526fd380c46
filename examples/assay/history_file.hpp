#pragma once

#include <memory>
#include <string>
#include <vector>

#include "assay/performance/history_store.hpp"

namespace assay_program {

/// A history in the form that its file's name tells.
class HistoryFile {
 public:
  virtual ~HistoryFile() = default;
  [[nodiscard]] virtual assay::Result<void> append(const std::vector<assay::HistoryRun>& runs) = 0;
  [[nodiscard]] virtual assay::Result<assay::History> load() = 0;
};

/// Errors: `unsupported` for other names, and for SQLite where the tool was built without.
[[nodiscard]] assay::Result<std::unique_ptr<HistoryFile>> open_history(const std::string& path);

/// `open_history`, and its history. Error `not_found`: there is no such file.
[[nodiscard]] assay::Result<assay::History> load_history(const std::string& path);

}  // namespace assay_program
