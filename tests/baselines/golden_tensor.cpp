#include "assay/baselines/golden_tensor.hpp"

#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("codes of a golden tensor are little-endian, and counted by what is kept") {
  GoldenTensor tensor;
  CHECK(tensor.kept() == 0);
  CHECK(tensor.elements() == 1);
  tensor.code_bytes = 2;
  tensor.extents = {3, 2};
  tensor.codes = {0x01, 0x02, 0xFF, 0x80};
  tensor.sampled = {0, 5};
  CHECK(tensor.elements() == 6);
  CHECK(tensor.kept() == 2);
  CHECK_FALSE(tensor.whole());
  CHECK(tensor.code(0) == 0x0201);
  CHECK(tensor.code(1) == 0x80FF);
  tensor.code_bytes = 8;
  tensor.codes.assign(8, 0xFF);
  CHECK(tensor.code(0) == ~std::uint64_t{0});
  tensor.extents = {0, 7};
  CHECK(tensor.elements() == 0);
}
