#include "gpgpu_options.hpp"

#include <algorithm>

namespace assay_program {

bool names_clblast(const CommandLine& line) {
  const auto& names = line.selection.backends;
  return std::find(names.begin(), names.end(), clblast_backend) != names.end();
}

bool uses_gpgpu(const CommandLine& line) {
  return !line.opencl.empty() || !line.vulkan.empty() || !line.webgpu.empty() || names_clblast(line);
}

}  // namespace assay_program
