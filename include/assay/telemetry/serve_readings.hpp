#pragma once

#include <string>

namespace assay::inline v0 {

/// The worker's side of a `WorkerSource`: opens a library (see `open_vendor_library`) and answers until its parent has
/// gone. To be called by a program that does nothing else; returns the program's exit code. It ends the process as soon
/// as the parent ends, also out of a call of the library that hangs.
[[nodiscard]] int serve_readings(const std::string& library, const std::string& path = {});

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/telemetry/serve_readings.ipp"
#endif
