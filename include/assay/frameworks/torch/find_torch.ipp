#pragma once

#include "assay/frameworks/torch/find_torch.hpp"

#include "assay/core/config.hpp"
#include "assay/frameworks/detail/python_environment.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Result<std::string> find_torch() {
  return detail::find_runtime_file({"ASSAY_TORCH",
                                    "libtorch_cpu.so",
                                    "PyTorch is not here: pip install torch in an environment that is active, or set "
                                    "ASSAY_TORCH to libtorch_cpu.so or the environment's folder",
                                    {"", "lib", "torch/lib"},
                                    [](const std::string& name) { return name == "libtorch_cpu.so"; }});
}

}  // namespace assay::inline v0
