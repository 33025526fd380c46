#include "assay/frameworks/onnx/read_onnx.hpp"

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "assay/frameworks/detail/protobuf.hpp"
#include "assay/frameworks/onnx/write_onnx.hpp"
#include "testing/catch.hpp"

using namespace assay;
using detail::ProtobufWriter;

namespace {

/// A model with every kind of attribute, constants of several types and a graph within.
GraphModel rich_model() {
  GraphModel model;
  OperatorGraph inner;
  inner.name = "inner";
  inner.nodes.push_back({"Identity", {"x"}, {"z"}});
  inner.outputs.push_back({"z", TensorType::float32, {2, -1}});
  GraphNode node{"If", {"c"}, {"y"}};
  node.name = "choice";
  node.attributes = {GraphAttribute("whole", std::int64_t{-3}), GraphAttribute("part", 0.5F),
                     GraphAttribute("text", std::string("a|b")),
                     GraphAttribute("list", std::vector<std::int64_t>{1, -2})};
  GraphAttribute reals, texts, tensor, graph;
  reals.name = "reals", reals.kind = AttributeKind::reals, reals.reals = {1, -2.5F};
  texts.name = "texts", texts.kind = AttributeKind::texts, texts.texts = {"", "b"};
  tensor.name = "tensor", tensor.kind = AttributeKind::tensor;
  tensor.tensors.push_back(tensor_of_values("t", TensorType::int4, {3}, {-8, 7, 1}));
  graph.name = "then_branch", graph.kind = AttributeKind::graph, graph.graphs.push_back(inner);
  for (const GraphAttribute& attribute : {reals, texts, tensor, graph}) node.attributes.push_back(attribute);
  model.graph.nodes.push_back(node);
  model.graph.inputs.push_back({"c", TensorType::boolean, {}});
  model.graph.outputs.push_back({"y", TensorType::float32, {2, 3}});
  model.graph.constants.push_back(tensor_of_values("x", TensorType::float32, {2, 3}, {1, 2, 3, 4, 5, 6}));
  return model;
}

std::string error_of(std::string_view bytes) {
  const auto tensor = read_onnx_tensor(bytes);
  return tensor ? "" : tensor.error().message;
}

bool has(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("what is written is read as it was") {
  const GraphModel model = rich_model();
  const std::string bytes = write_onnx_model(model);
  const auto read = read_onnx_model(bytes);
  REQUIRE(read);
  CHECK(write_onnx_model(read.value()) == bytes);
  const GraphNode& node = read.value().graph.nodes.at(0);
  REQUIRE(node.attributes.size() == 8);
  CHECK(node.attributes[0].integer == -3);
  CHECK(node.attributes[1].real == 0.5F);
  CHECK(node.attributes[3].integers == std::vector<std::int64_t>{1, -2});
  CHECK(node.attributes[4].reals == std::vector<float>{1, -2.5F});
  CHECK(node.attributes[5].texts == std::vector<std::string>{"", "b"});
  CHECK(value_at(node.attributes[6].tensors.at(0), 0) == -8);
  CHECK(node.attributes[7].graphs.at(0).outputs.at(0).extents == std::vector<std::int64_t>{2, -1});
  CHECK(read.value().opsets.at("") == 21);
}

TEST_CASE("tensors of every element type come back, raw and from the fields of their types") {
  for (int number = 1; number <= 26; ++number) {
    const auto type = static_cast<TensorType>(number);
    CAPTURE(number);
    if (bits_of(type) == 0) continue;
    GraphTensor tensor{"t", type, {3, 5}, {}, {}};
    tensor.bytes.resize(static_cast<std::size_t>(tensor.byte_size()));
    for (std::size_t i = 0; i < tensor.bytes.size(); ++i) tensor.bytes[i] = static_cast<char>(i * 37 + 1);
    const auto read = read_onnx_tensor(write_onnx_tensor(tensor));
    REQUIRE(read);
    CHECK(read.value().bytes == tensor.bytes);
    CHECK(read.value().extents == tensor.extents);
  }
  // float_data, packed and not; int32_data of float16 and int4; int64_data; double_data; uint64_data; strings
  float packed[2] = {1, -2};
  const std::string raw(reinterpret_cast<const char*>(packed), sizeof packed);
  auto read = read_onnx_tensor(ProtobufWriter().varint(1, 2).varint(2, 1).text(4, raw).take());
  REQUIRE(read);
  CHECK(value_at(read.value(), 1) == -2);
  read = read_onnx_tensor(ProtobufWriter().varint(1, 2).varint(2, 1).real(4, 1).real(4, -2).take());
  REQUIRE(read);
  CHECK(value_at(read.value(), 1) == -2);
  read = read_onnx_tensor(ProtobufWriter().varint(1, 2).varint(2, 10).varint(5, 0x3C00).varint(5, 0xC000).take());
  REQUIRE(read);
  CHECK(value_at(read.value(), 1) == -2);
  read = read_onnx_tensor(ProtobufWriter().varint(1, 3).varint(2, 22).varint(5, 0xF8).varint(5, 0x07).take());
  REQUIRE(read);
  CHECK(value_at(read.value(), 0) == -8);
  CHECK(value_at(read.value(), 1) == -1);
  CHECK(value_at(read.value(), 2) == 7);
  read = read_onnx_tensor(ProtobufWriter().varint(1, 1).varint(2, 7).varint(7, static_cast<std::uint64_t>(-5)).take());
  REQUIRE(read);
  CHECK(value_at(read.value(), 0) == -5);
  read = read_onnx_tensor(ProtobufWriter().varint(1, 2).varint(2, 8).text(6, "a").text(6, "").take());
  REQUIRE(read);
  CHECK(read.value().strings == std::vector<std::string>{"a", ""});
}

TEST_CASE("tensors that lie are refused with what is wrong") {
  CHECK(has(error_of(ProtobufWriter().varint(1, 1).varint(2, 1).text(8, "w").varint(14, 1).take()), "another file"));
  CHECK(has(error_of(ProtobufWriter().varint(1, 1).varint(2, 1).text(13, "location").take()), "another file"));
  CHECK(has(error_of(ProtobufWriter().varint(1, std::uint64_t{1} << 62).varint(2, 1).text(9, "abcd").take()), "needs"));
  CHECK(
      has(error_of(
              ProtobufWriter().varint(1, std::uint64_t{1} << 40).varint(1, std::uint64_t{1} << 40).varint(2, 1).take()),
          "too many"));
  CHECK(has(error_of(ProtobufWriter().varint(1, static_cast<std::uint64_t>(-1)).varint(2, 1).take()), "negative"));
  CHECK(has(error_of(ProtobufWriter().varint(1, 2).varint(2, 1).text(9, "abcd").take()), "needs 8 bytes"));
  CHECK(has(error_of(ProtobufWriter().varint(1, 1).varint(2, 27).take()), "which ONNX does not have"));
  CHECK(has(error_of(ProtobufWriter().varint(1, 1).take()), "which ONNX does not have"));
  CHECK(has(error_of(ProtobufWriter().varint(1, 1).varint(2, 7).varint(5, 1).take()), "another type"));
  CHECK(has(error_of(ProtobufWriter().varint(1, 1).varint(2, 8).take()), "0 strings"));
  CHECK(has(error_of(std::string("\x0a\xff\xff\xff\xff\x7f", 6)), "broken"));  // a length beyond the end
  CHECK(has(error_of(std::string(11, '\xff')), "broken"));                     // a varint without an end
  CHECK(has(error_of(std::string("\x0b", 1)), "broken"));                      // a group
  CHECK(read_onnx_tensor(ProtobufWriter().varint(1, 1).varint(2, 1).varint(14, 1).take()).error().kind ==
        ErrorKind::unsupported);
}

TEST_CASE("models that are none, and graphs in graphs without end, are refused") {
  CHECK(has(read_onnx_model("").error().message, "no graph"));
  CHECK(has(read_onnx_model("PK\x03\x04").error().message, "no ONNX model"));
  std::string graph;
  for (int depth = 0; depth < 200; ++depth) {
    const std::string attribute = ProtobufWriter().text(1, "g").text(6, graph).varint(20, 5).take();
    graph = ProtobufWriter().text(1, ProtobufWriter().text(4, "If").text(5, attribute).take()).take();
  }
  CHECK(has(read_onnx_model(ProtobufWriter().varint(1, 10).text(7, graph).take()).error().message, "deep"));
}

TEST_CASE("cut and damaged models give an answer, and right parts stay right") {
  const std::string bytes = write_onnx_model(rich_model());
  std::size_t refused = 0;
  for (std::size_t size = 0; size < bytes.size(); ++size) refused += read_onnx_model(bytes.substr(0, size)) ? 0 : 1;
  CHECK(refused > bytes.size() * 9 / 10);  // a cut between fields may leave a shorter model
  std::mt19937 random(1);
  std::size_t damaged = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string own = bytes;
    for (unsigned i = 0; i < 1 + random() % 4; ++i) own[random() % own.size()] = static_cast<char>(random());
    if (random() % 4 == 0) own.resize(random() % own.size());
    const auto read = read_onnx_model(own);
    damaged += read ? 0 : 1;
    if (read)
      static_cast<void>(check_graph(read.value().graph));
    else
      CHECK(!read.error().message.empty());
  }
  CHECK(damaged > 1000);
}

TEST_CASE("a file that is not there is told of") {
  CHECK(read_whole_file("/nowhere/model.onnx").error().kind == ErrorKind::not_found);
}
