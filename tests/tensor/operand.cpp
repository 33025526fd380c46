#include "assay/tensor/operand.hpp"

#include <catch2/catch.hpp>
#include <vector>

using namespace assay;

TEST_CASE("an operand finds its elements by position and by indices") {
  std::vector<float> data(24);
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<float>(i);
  Operand operand = contiguous_operand(data.data(), {2, 3, 4});
  REQUIRE(operand.present());
  CHECK(operand.size() == 24);
  CHECK(operand.at(1, 2, 3) == 23);
  for (Index e = 0; e < 24; ++e) CHECK(operand.load(e) == static_cast<double>(e));
  operand.strides[0] = 4;  // (3, 2, 4) with its first dimensions exchanged
  operand.strides[1] = 8;
  operand.extents[0] = 2;
  CHECK(operand.load(4) == 8);
  CHECK(operand.at(1, 0, 0) == 4);
  operand.store(4, -1);
  CHECK(data[8] == -1);
}

TEST_CASE("an operand without dimensions has one element, an absent one none") {
  double value = 3;
  const Operand scalar = contiguous_operand(&value, {});
  CHECK(scalar.size() == 1);
  CHECK(scalar.load(0) == 3);
  CHECK(Operand{}.size() == 0);
  CHECK_FALSE(Operand{}.present());
}

TEST_CASE("an operand is dense whose elements follow each other in row-major order") {
  float data[24] = {};
  CHECK(contiguous_operand(data, {2, 3, 4}).is_dense());
  CHECK(contiguous_operand(data, {}).is_dense());
  CHECK(Operand{}.is_dense());
  Operand operand = contiguous_operand(data, {2, 3, 3});
  operand.strides[0] = 12;
  CHECK_FALSE(operand.is_dense());
  operand.extents[0] = 1;
  CHECK(operand.is_dense());
  operand = contiguous_operand(data, {3, 4});
  operand.strides[0] = 1, operand.strides[1] = 3;
  CHECK_FALSE(operand.is_dense());
  operand.strides[0] = operand.strides[1] = 0;
  CHECK_FALSE(operand.is_dense());
}

TEST_CASE("a view is given in the operand's own format and rank only") {
  std::vector<bfloat16> data(6);
  const Operand operand = contiguous_operand(data.data(), {2, 3});
  const auto view = operand.view<const bfloat16, 2>();
  CHECK(&view(1, 2) == &data[5]);
  CHECK_THROWS_AS((operand.view<float16, 2>()), Misuse);
  CHECK_THROWS_AS((operand.view<bfloat16, 3>()), Misuse);
  CHECK_THROWS_AS(contiguous_operand(data.data(), {1, 1, 1, 1, 1, 1, 6}), Misuse);
}
