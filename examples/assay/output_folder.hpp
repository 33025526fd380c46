#pragma once

#include <filesystem>
#include <string>

#include "assay/core/result.hpp"
#include "assay/core/run.hpp"

namespace assay_program {

/// Where a report goes. It is proved writable before the run, so that no work is lost for want of a place.
class OutputFolder {
 public:
  /// Makes the folder if it is absent. Error `io`: it cannot be made, or its files cannot be written.
  [[nodiscard]] static assay::Result<OutputFolder> open(const std::string& folder);

  /// Writes report.json and report.html.
  [[nodiscard]] assay::Result<void> write(const assay::Run& run) const;

  [[nodiscard]] std::filesystem::path json() const { return folder_ / "report.json"; }
  [[nodiscard]] std::filesystem::path html() const { return folder_ / "report.html"; }

 private:
  explicit OutputFolder(std::filesystem::path folder) : folder_(std::move(folder)) {}

  std::filesystem::path folder_;
};

}  // namespace assay_program
