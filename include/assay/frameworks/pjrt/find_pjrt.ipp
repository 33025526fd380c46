#pragma once

#include "assay/frameworks/pjrt/find_pjrt.hpp"

#include "assay/core/config.hpp"
#include "assay/frameworks/detail/python_environment.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Result<std::string> find_pjrt() {
  return detail::find_runtime_file(
      {"ASSAY_PJRT",
       "plugin of PJRT (xla_cpu_pjrt.so, xla_cuda_plugin.so, pjrt_plugin_*.so)",
       "no plugin of PJRT is here: pip install xla-cpu-pjrt in an environment that is active, or set ASSAY_PJRT to a "
       "plugin's file or the environment's folder",
       {"", "xla_plugins/*", "jax_plugins/*"},
       [](const std::string& name) {
         const bool shared = name.size() > 3 && name.compare(name.size() - 3, 3, ".so") == 0;
         return shared && (name.find("pjrt") != std::string::npos || name == "xla_cuda_plugin.so" ||
                           name == "xla_rocm_plugin.so");
       }});
}

}  // namespace assay::inline v0
