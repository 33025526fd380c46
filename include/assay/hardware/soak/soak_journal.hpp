#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "assay/core/result.hpp"
#include "assay/hardware/soak/soak.hpp"

namespace assay::inline v0 {

/// The records of a soak in a file, JSON lines, flushed to the medium one by one: what was kept survives kill −9 and a
/// power failure. A leaf: component `json`.
class SoakJournal {
 public:
  /// Opens or begins the journal at `path`. `plan` tells what is soaked and how long; a journal of another is refused
  /// (`invalid`). A last line that is torn is dropped; others that are no records are `malformed`, with their number.
  /// Errors besides: `io`.
  [[nodiscard]] static Result<SoakJournal> open(const std::filesystem::path& path, const std::string& plan);

  /// Takes the file over.
  SoakJournal(SoakJournal&& other) noexcept;
  SoakJournal& operator=(SoakJournal&&) = delete;
  ~SoakJournal();

  /// What sessions before kept.
  [[nodiscard]] const std::vector<SoakRecord>& records() const noexcept { return records_; }
  /// Appends a record and waits until it is on the medium. Error `io`.
  [[nodiscard]] Result<void> keep(const SoakRecord& record);

 private:
  SoakJournal(std::filesystem::path path, int file, std::vector<SoakRecord> records)
      : path_(std::move(path)), file_(file), records_(std::move(records)) {}

  std::filesystem::path path_;
  int file_ = -1;
  std::vector<SoakRecord> records_;
};

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/hardware/soak/soak_journal.ipp"
#endif
