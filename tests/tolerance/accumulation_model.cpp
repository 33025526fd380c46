#include "assay/tolerance/accumulation_model.hpp"

#include <string>

#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("sums kept in a format have that format's numbers", "[tolerance]") {
  constexpr AccumulationModel f32 = accumulation_in<float32>();
  CHECK(std::string(f32.format_name) == "f32");
  CHECK(f32.unit_roundoff == 0x1p-24);
  CHECK(f32.max_finite == 0x1.fffffep127);
  CHECK(f32.min_subnormal == 0x1p-149);
  CHECK(f32.precision == 24);
  CHECK_FALSE(f32.truncating);
  constexpr AccumulationModel f16 = accumulation_in<float16>();
  CHECK(f16.unit_roundoff == 0x1p-11);
  CHECK(f16.max_finite == 65504);
  CHECK(f16.min_subnormal == 0x1p-24);
  constexpr AccumulationModel bf16 = accumulation_in<bfloat16>();
  CHECK(bf16.unit_roundoff == 0x1p-8);
  CHECK(bf16.precision == 8);
  constexpr AccumulationModel f64 = accumulation_in<float64>();
  CHECK(f64.unit_roundoff == 0x1p-53);
  CHECK(f64.min_subnormal == 0x1p-1074);
}

TEST_CASE("a sum has a rounding for each term where every addition rounds", "[tolerance]") {
  constexpr AccumulationModel model = accumulation_in<float32>();
  static_assert(model.roundings(0) == 0 && model.roundings(1) == 1 && model.roundings(4096) == 4096);
  CHECK(model.roundings(7) == 7);
}

TEST_CASE("a block cuts its products, the sum so far and its result", "[tolerance]") {
  AccumulationModel model = accumulation_in<float32>();
  model.block = 16;
  CHECK(model.roundings(0) == 0);
  CHECK(model.roundings(1) == 18);
  CHECK(model.roundings(16) == 18);
  CHECK(model.roundings(17) == 36);
  CHECK(model.roundings(4096) == 256 * 18);
  model.block = 4;
  CHECK(model.roundings(4096) == 1024 * 6);
}
