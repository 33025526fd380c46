#pragma once

#include <string>
#include <string_view>

#include "assay/core/result.hpp"
#include "assay/frameworks/door/graph_executor.hpp"

namespace assay::inline v0 {

/// The name of a foreign runtime in a mode, as backends bear it. Libraries of providers are no part of it.
///
/// - ONNX Runtime: "ort.cpu.level99", "ort.cpu.level1.threads4", "ort.OpenVINO.device_type=CPU.level99".
/// - PJRT: "xla", which leaves XLA its excess precision; "xla.cpu", which only a plugin of that platform answers;
///   "xla.no-excess" (xla_allow_excess_precision=false); "xla.highest" (products keep all bits of float32);
///   "xla.xla_cpu_enable_fast_math=true", any flag of XLA.
/// - OpenVINO: "openvino", its default on the CPU; "openvino.accurate" (EXECUTION_MODE_HINT=ACCURACY: float32 stays
///   float32); "openvino.GPU.accurate", a device by its name; "openvino.INFERENCE_PRECISION_HINT=bf16", any property;
///   "openvino.threads4".
[[nodiscard]] std::string mode_name(const ExecutionMode& mode);

/// The mode of such a name. `invalid`, with what is wrong, where it is none: a level of ONNX Runtime is never left
/// out.
[[nodiscard]] Result<ExecutionMode> read_mode_name(std::string_view name);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/frameworks/door/mode_name.ipp"
#endif
