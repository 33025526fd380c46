// Serves a foreign runtime, or what looks like it, to a test: door_worker LIBRARY [pjrt|openvino|torch|tensorflow].
#include <string_view>

#include "assay/frameworks/onnx_runtime/onnx_runtime.hpp"
#include "assay/frameworks/openvino/openvino.hpp"
#include "assay/frameworks/pjrt/pjrt.hpp"
#include "assay/frameworks/tensorflow/tensorflow.hpp"
#include "assay/frameworks/torch/torch.hpp"

int main(int count, char** arguments) {
  if (count < 2) return 2;
  const std::string_view runtime = count > 2 ? arguments[2] : "";
  if (runtime == "openvino") return assay::serve_openvino(arguments[1]);
  if (runtime == "torch") return assay::serve_torch(arguments[1]);
  if (runtime == "tensorflow") return assay::serve_tensorflow(arguments[1]);
  return runtime == "pjrt" ? assay::serve_pjrt(arguments[1]) : assay::serve_onnx_runtime(arguments[1]);
}
