#include "assay/frameworks/onnx/read_onnx.hpp"
#include "assay/frameworks/onnx/write_onnx.hpp"
#include "fuzz/fuzz.hpp"

namespace {

using namespace assay;

/// What is read is written and read again the same, and holds no more data than the file has.
void onnx(std::string_view bytes) {
  const Result<GraphModel> read = read_onnx_model(bytes);
  if (!read) return fuzz::promise_message(read.error().message);
  for (const GraphTensor& constant : read.value().graph.constants)
    fuzz::promise(constant.bytes.size() <= 10 * bytes.size(), "no more data than the file has");
  (void)check_graph(read.value().graph);
  const std::string written = write_onnx_model(read.value());
  const Result<GraphModel> again = read_onnx_model(written);
  fuzz::promise(again && write_onnx_model(again.value()) == written, "the model is written and read again the same");
}

const fuzz::Registration registration_of_onnx("onnx", onnx);

}  // namespace
