#pragma once

#include "assay/frameworks/tensorflow/find_tensorflow.hpp"

#include "assay/core/config.hpp"
#include "assay/frameworks/detail/python_environment.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Result<std::string> find_tensorflow() {
  return detail::find_runtime_file({"ASSAY_TENSORFLOW",
                                    "libtensorflow_cc.so",
                                    "TensorFlow is not here: pip install tensorflow-cpu in an environment that is "
                                    "active, or set ASSAY_TENSORFLOW to "
                                    "libtensorflow_cc.so.2 or the environment's folder",
                                    {"", "lib", "tensorflow"},
                                    [](const std::string& name) { return name.rfind("libtensorflow_cc.so", 0) == 0; }});
}

}  // namespace assay::inline v0
