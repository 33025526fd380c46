#pragma once

#include "assay/core/result.hpp"
#include "command_line.hpp"

namespace assay_program {

/// Makes libraries of the files of --opencl, --vulkan and --webgpu, and of CLBlast where --backend names it: from here
/// on `libraries()` has them. No device is opened before a kernel runs. Errors: those of the files.
[[nodiscard]] assay::Result<void> load_gpgpu(const CommandLine& line);

/// Prints the devices of OpenCL, Vulkan and WebGPU, each asked for in a process of its own, within 20 seconds.
void print_devices();

}  // namespace assay_program
