#include "assay/tolerance/arithmetic.hpp"

#include <catch2/catch.hpp>

using namespace assay;

TEST_CASE("an arithmetic promises sums and functions in units of its accumulator") {
  CHECK(Arithmetic{}.unit_roundoff() == 0x1p-24);
  CHECK(Arithmetic{}.function_error() == 0x1p-21);
  CHECK(arithmetic_in<bfloat16>().unit_roundoff() == 0x1p-8);
  CHECK(arithmetic_in<float16>().accumulation.max_finite == 65504);
}
