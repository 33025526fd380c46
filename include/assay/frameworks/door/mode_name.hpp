#pragma once

#include <string>
#include <string_view>

#include "assay/core/result.hpp"
#include "assay/frameworks/door/graph_executor.hpp"

namespace assay::inline v0 {

/// The name of ONNX Runtime in a mode, as backends bear it: "ort.cpu.level99", "ort.cpu.level1.threads4",
/// "ort.OpenVINO.device_type=CPU.level99". Libraries of providers are no part of it.
[[nodiscard]] std::string mode_name(const ExecutionMode& mode);

/// The mode of such a name. `invalid`, with what is wrong, where it is none: a level is never left out.
[[nodiscard]] Result<ExecutionMode> read_mode_name(std::string_view name);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/frameworks/door/mode_name.ipp"
#endif
