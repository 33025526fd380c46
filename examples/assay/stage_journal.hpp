#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "assay/core/result.hpp"

namespace assay_program {

inline constexpr const char* journal_file = "journal.jsonl";

/// What is known of a stage that has ended.
struct EndedStage {
  std::string key;                           ///< of its command, its program and its version
  double start = 0, end = 0;                 ///< seconds since 1970
  std::map<std::string, std::string> files;  ///< by path from the certification's folder, their hashes
};

/// The stages of a folder that have ended, by name. Lines that do not parse are those that a crash has torn: their
/// stages count as never run. A folder without a journal has none.
[[nodiscard]] std::map<std::string, EndedStage> read_stage_journal(const std::filesystem::path& folder);
/// The first file that is not what it was when the stage ended; empty: all are. A stage without files is none.
[[nodiscard]] std::string changed_file(const std::filesystem::path& folder, const EndedStage& stage);
/// Adds a stage, whole or not at all. Errors: `io`.
[[nodiscard]] assay::Result<void> note_ended_stage(const std::filesystem::path& folder, const std::string& name,
                                                   const EndedStage& stage);

/// Keeps a folder to this process until it ends, however it ends.
class FolderLock {
 public:
  /// Errors: `invalid` where another process has it; file systems without locks give none, and no error.
  [[nodiscard]] static assay::Result<FolderLock> take(const std::filesystem::path& folder);
  FolderLock(FolderLock&& other) noexcept;
  FolderLock& operator=(FolderLock&&) = delete;
  ~FolderLock();

 private:
  explicit FolderLock(int file) : file_(file) {}
  int file_;
};

}  // namespace assay_program
