#include "assay/frameworks/graph/graph_tensor.hpp"

#include <cstdint>
#include <limits>
#include <vector>

#include "assay/formats/small_integer.hpp"
#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("sizes are counted, and those that do not fit are not") {
  GraphTensor tensor{"", TensorType::float32, {2, 0, 3}, {}, {}};
  CHECK(tensor.size() == 0);
  tensor.extents = {};
  CHECK(tensor.size() == 1);
  tensor.extents = {3, 5};
  tensor.type = TensorType::int4;
  CHECK(tensor.byte_size() == 8);
  tensor.type = TensorType::string;
  CHECK(tensor.byte_size() == -1);
  tensor.type = TensorType::complex128;
  tensor.extents = {std::numeric_limits<std::int64_t>::max()};
  CHECK(tensor.size() > 0);
  CHECK(tensor.byte_size() == -1);
  tensor.extents = {-2, -2};
  CHECK(tensor.size() == -1);
  CHECK(shape_text(TensorType::float32, {2, 3}) == "float32[2x3]");
}

TEST_CASE("values below a byte are packed, the first in the low bits") {
  const GraphTensor tensor = tensor_of_values("", TensorType::int4, {3}, {1, -1, 7});
  CHECK(tensor.bytes == std::string("\xf1\x07", 2));
  CHECK(value_at(tensor, 1) == -1);
  const GraphTensor pairs = tensor_of_values("", TensorType::uint2, {5}, {3, 0, 1, 2, 3});
  CHECK(pairs.bytes == std::string("\x93\x03", 2));
  CHECK(value_at(pairs, 3) == 2);
}

TEST_CASE("operands are packed from their strides and unpacked into them, and nothing beside them is written") {
  std::vector<float> memory(12, 7);
  Operand operand = contiguous_operand(memory.data(), {2, 3});
  operand.strides[0] = 1;
  operand.strides[1] = 4;
  for (Index i = 0; i < 6; ++i) operand.store(i, static_cast<double>(i));
  const std::string bytes = packed_bytes(operand);
  CHECK(reinterpret_cast<const float*>(bytes.data())[1] == 1);
  std::vector<float> other(12, 7);
  Operand copy = operand;
  copy.data = other.data();
  REQUIRE(unpack_into(copy, bytes));
  CHECK(other == memory);
  CHECK(other[2] == 7);
  const auto refused = unpack_into(copy, bytes.substr(4));
  REQUIRE(!refused);
  CHECK(refused.error().kind == ErrorKind::malformed);
}

TEST_CASE("four-bit operands, one a byte in memory, are two a byte in tensors") {
  std::vector<int4_t> memory(3);
  Operand operand = contiguous_operand(memory.data(), {3});
  for (Index i = 0; i < 3; ++i) operand.store(i, static_cast<double>(i - 1));
  const std::string bytes = packed_bytes(operand);
  CHECK(bytes == std::string("\x0f\x01", 2));
  std::vector<int4_t> other(3);
  Operand copy = contiguous_operand(other.data(), {3});
  REQUIRE(unpack_into(copy, bytes));
  CHECK(copy.load(0) == -1);
  CHECK(copy.load(2) == 1);
}
