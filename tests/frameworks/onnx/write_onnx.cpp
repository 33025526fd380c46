#include "assay/frameworks/onnx/write_onnx.hpp"

#include <string>

#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("a tensor is written as protobuf writes it") {
  const GraphTensor tensor = tensor_of_values("a", TensorType::float32, {2}, {1, -2});
  // dims 2, data_type 1, name "a", raw_data of 8 bytes: onnx.TensorProto.SerializeToString sorts fields alike
  const std::string expected("\x08\x02\x10\x01\x42\x01\x61\x4a\x08\x00\x00\x80\x3f\x00\x00\x00\xc0", 17);
  CHECK(write_onnx_tensor(tensor) == expected);
}

TEST_CASE("a model names its operators, extents and versions") {
  GraphModel model;
  model.graph.nodes.push_back({"Relu", {"x"}, {"y"}});
  model.graph.inputs.push_back({"x", TensorType::float16, {4}});
  model.graph.outputs.push_back({"y", TensorType::float16, {4}});
  const std::string bytes = write_onnx_model(model);
  CHECK(bytes.substr(0, 2) == std::string("\x08\x0a", 2));  // IR version 10
  CHECK(bytes.find(std::string("\x22\x04Relu", 6)) != std::string::npos);
  CHECK(bytes.find(std::string("\x0a\x08\x08\x0a\x12\x04\x0a\x02\x08\x04", 10)) != std::string::npos);
  CHECK(bytes.substr(bytes.size() - 4) == std::string("\x0a\x00\x10\x15", 4));  // its own domain, version 21
}
