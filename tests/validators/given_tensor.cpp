#include "assay/validators/given_tensor.hpp"

#include <array>

#include "testing/catch.hpp"

using namespace assay;
using namespace assay::testing;

namespace {

Result<OperandArray> placed(const GivenTensor& tensor, const std::vector<Index>& extents) {
  return detail::given_operands({{"x", OperandRole::input, element_format<float32>(), extents}}, {tensor}, "problem p");
}

}  // namespace

TEST_CASE("a tensor is row-major where nothing else is said, and its codes are read in that order") {
  const std::array<float, 6> values{1, 2, 3, 4, 5, 6};
  const GivenTensor tensor(values, {2, 3});
  CHECK(tensor.wrong.empty());
  CHECK(tensor.elements_there == 6);
  CHECK(tensor.view.strides[0] == 3);
  CHECK(tensor.view.strides[1] == 1);
  const GivenTensor transposed(values.data(), {3, 2}, {1, 3});
  std::vector<double> read;
  for (const std::uint64_t code : detail::codes_of(transposed.view))
    read.push_back(transposed.view.format.decode(code));
  CHECK(read == std::vector<double>{1, 4, 2, 5, 3, 6});
  CHECK(GivenTensor(static_cast<const void*>(values.data()), element_format<float32>(), {6}).view.size() == 6);
}

TEST_CASE("dimensions may be split further, never exchanged") {
  const std::vector<float> values(24);
  CHECK(placed({values, {24}}, {24}).has_value());
  CHECK(placed({values, {2, 3, 4}}, {6, 4}).has_value());
  CHECK(placed({values, {2, 1, 3, 4}}, {2, 12}).has_value());
  CHECK(placed({values, {1, 24, 1}}, {24}).has_value());
  CHECK_FALSE(placed({values, {4, 6}}, {6, 4}).has_value());
  CHECK_FALSE(placed({values, {24}}, {6, 4}).has_value());
  CHECK_FALSE(placed({values, {3, 8}}, {6, 4}).has_value());
  CHECK_THAT(placed({values, {4, 6}}, {6, 4}).error().message,
             contains("x has extents [4x6]") && contains("[6x4]") && contains("problem p"));
}

TEST_CASE("no tensor at all is told as such") {
  CHECK_THAT(placed(GivenTensor(Operand{}), {6}).error().message, contains("is no tensor"));
  CHECK_THAT(detail::given_operands({}, {GivenTensor(Operand{})}, "p").error().message, contains("1 tensors"));
}
