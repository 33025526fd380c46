#pragma once

#include <string>
#include <vector>

#include "assay/core/result.hpp"
#include "assay/telemetry/source.hpp"

namespace assay_program {

/// Where readings come from.
struct TelemetryOrigin {
  std::vector<std::string> sources;  ///< none: all that are here
  std::string root = "/sys";
  std::string kernel_log = "/dev/kmsg";
  std::string library;          ///< the file of a vendor's library, where it is not where it usually is
  double seldom_seconds = 5;    ///< how often limits and counts of errors are read
  double deadline_seconds = 1;  ///< of a poll of a vendor's library
};

struct TelemetrySources {
  std::vector<assay::AnySource> open;
  std::vector<std::string> notes;  ///< what is not here, and why
};

/// Asked for by name, a source must open; else those that are here do. Errors: `not_found` for an unknown name,
/// `invalid`, and those of the source.
[[nodiscard]] assay::Result<TelemetrySources> open_telemetry_sources(const TelemetryOrigin& options);

}  // namespace assay_program
