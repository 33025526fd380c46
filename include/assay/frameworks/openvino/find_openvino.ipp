#pragma once

#include "assay/frameworks/openvino/find_openvino.hpp"

#include "assay/core/config.hpp"
#include "assay/frameworks/detail/python_environment.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Result<std::string> find_openvino() {
  return detail::find_runtime_file({"ASSAY_OPENVINO",
                                    "libopenvino_c.so",
                                    "OpenVINO is not here: pip install openvino in an environment that is active, or "
                                    "set ASSAY_OPENVINO to libopenvino_c.so or the environment's folder",
                                    {"", "libs", "openvino/libs", "runtime/lib/intel64"},
                                    [](const std::string& name) { return name.rfind("libopenvino_c.so", 0) == 0; }});
}

}  // namespace assay::inline v0
