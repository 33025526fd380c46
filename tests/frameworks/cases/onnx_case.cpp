#include "assay/frameworks/cases/onnx_case.hpp"

#include <filesystem>
#include <fstream>
#include <string>

#include "assay/frameworks/onnx/write_onnx.hpp"
#include "testing/catch.hpp"
#include "testing/temporary_folder.hpp"

using namespace assay;

namespace {

void write(const std::filesystem::path& path, const std::string& bytes) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << bytes;
}

GraphModel relu_model() {
  GraphModel model;
  model.graph.nodes.push_back({"Relu", {"x"}, {"y"}});
  model.graph.inputs.push_back({"x", TensorType::float32, {2}});
  model.graph.outputs.push_back({"y", TensorType::float32, {2}});
  return model;
}

}  // namespace

TEST_CASE("cases are found and read, with their tolerance, and damage is told of") {
  const assay::testing::TemporaryFolder folder;
  const std::filesystem::path root(folder.path);
  CHECK(find_onnx_cases(root.string()).error().kind == ErrorKind::not_found);
  write(root / "node" / "test_relu" / "model.onnx", write_onnx_model(relu_model()));
  const std::filesystem::path data = root / "node" / "test_relu" / "test_data_set_0";
  write(data / "input_0.pb", write_onnx_tensor(tensor_of_values("", TensorType::float32, {2}, {-1, 2})));
  write(data / "output_0.pb", write_onnx_tensor(tensor_of_values("", TensorType::float32, {2}, {0, 2})));
  const auto found = find_onnx_cases(root.string());
  REQUIRE(found);
  REQUIRE(found.value().size() == 1);
  auto own = read_onnx_case(found.value()[0]);
  REQUIRE(own);
  CHECK(own.value().name == "test_relu");
  CHECK(own.value().operation() == "Relu");
  CHECK(own.value().opset() == 21);
  CHECK(own.value().relative == 1e-3);
  REQUIRE(own.value().data.size() == 1);
  CHECK(own.value().data[0].inputs.at(0).name == "x");
  CHECK(value_at(own.value().data[0].outputs.at(0), 1) == 2);
  write(root / "node" / "test_relu" / "tol.txt", "0.015625 1e-05\n");
  own = read_onnx_case(found.value()[0]);
  REQUIRE(own);
  CHECK(own.value().relative == 0.015625);
  CHECK(own.value().absolute == 1e-5);
  write(root / "node" / "test_relu" / "tol.txt", "much\n");
  CHECK(read_onnx_case(found.value()[0]).error().kind == ErrorKind::malformed);
  std::filesystem::remove(root / "node" / "test_relu" / "tol.txt");
  GraphTensor text{"", TensorType::string, {1}, {}, {"a"}};
  write(data / "output_0.pb", write_onnx_tensor(text));
  own = read_onnx_case(found.value()[0]);
  REQUIRE(own);
  CHECK(own.value().not_compared.find("string") != std::string::npos);
  write(data / "output_0.pb", "junk");
  CHECK(read_onnx_case(found.value()[0]).error().message.find("output_0.pb") != std::string::npos);
  std::filesystem::remove_all(data);
  CHECK(read_onnx_case(found.value()[0]).error().message.find("test_data_set_0") != std::string::npos);
}
