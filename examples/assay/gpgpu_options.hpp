#pragma once

#include "command_line.hpp"

namespace assay_program {

/// CLBlast, as `--backend` names it.
inline constexpr const char* clblast_backend = "clblast";

/// Whether `--backend` names CLBlast.
[[nodiscard]] bool names_clblast(const CommandLine& line);

/// Whether kernels are asked for that run on a device of OpenCL, Vulkan or WebGPU.
[[nodiscard]] bool uses_gpgpu(const CommandLine& line);

}  // namespace assay_program
