// Serves ONNX Runtime, or what looks like it, to a test: door_worker LIBRARY.
#include "assay/frameworks/onnx_runtime/onnx_runtime.hpp"

int main(int count, char** arguments) {
  return count < 2 ? 2 : assay::serve_onnx_runtime(arguments[1]);
}
