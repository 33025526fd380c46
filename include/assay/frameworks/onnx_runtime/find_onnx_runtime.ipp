#pragma once

#include "assay/frameworks/onnx_runtime/find_onnx_runtime.hpp"

#include "assay/core/config.hpp"
#include "assay/frameworks/detail/python_environment.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Result<std::string> find_onnx_runtime() {
  return detail::find_runtime_file({"ASSAY_ONNXRUNTIME",
                                    "libonnxruntime.so",
                                    "ONNX Runtime is not here: pip install onnxruntime in an environment that is "
                                    "active, or set ASSAY_ONNXRUNTIME to "
                                    "libonnxruntime.so or the environment's folder",
                                    {"", "capi", "onnxruntime/capi"},
                                    [](const std::string& name) { return name.rfind("libonnxruntime.so", 0) == 0; }});
}

}  // namespace assay::inline v0
