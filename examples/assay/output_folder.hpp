#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "assay/core/result.hpp"
#include "assay/core/run.hpp"
#include "report_format.hpp"

namespace assay_program {

/// Where a report goes. It is proved writable before the run, so that no work is lost for want of a place.
class OutputFolder {
 public:
  /// Makes the folder if it is absent. Error `io`: it cannot be made, or its files cannot be written.
  [[nodiscard]] static assay::Result<OutputFolder> open(const std::string& folder,
                                                        std::vector<const ReportFormat*> formats);

  /// Error `io` if the medium has no room for a report on so many cases, as far as can be told beforehand.
  [[nodiscard]] assay::Result<void> has_room_for(std::size_t cases) const;

  /// Writes the report in every format, the others too where one cannot be written; the error names all that could not.
  [[nodiscard]] assay::Result<void> write(const assay::Run& run) const;

  /// The files, in the order in which they are written.
  [[nodiscard]] std::vector<std::filesystem::path> files() const;

 private:
  OutputFolder(std::filesystem::path folder, std::vector<const ReportFormat*> formats)
      : folder_(std::move(folder)), formats_(std::move(formats)) {}

  std::filesystem::path folder_;
  std::vector<const ReportFormat*> formats_;
};

}  // namespace assay_program
