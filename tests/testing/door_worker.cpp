// Serves a foreign runtime, or what looks like it, to a test: door_worker LIBRARY [pjrt].
#include "assay/frameworks/onnx_runtime/onnx_runtime.hpp"
#include "assay/frameworks/pjrt/pjrt.hpp"

int main(int count, char** arguments) {
  if (count < 2) return 2;
  return count > 2 ? assay::serve_pjrt(arguments[1]) : assay::serve_onnx_runtime(arguments[1]);
}
