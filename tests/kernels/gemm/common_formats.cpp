#include "assay/kernels/gemm/common_formats.hpp"

#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("the common products are those of plain floating-point formats", "[kernels][gemm]") {
  STATIC_REQUIRE(CommonGemms::has<Gemm<float32, float32, float32, float32>>);
  STATIC_REQUIRE(CommonGemms::has<Gemm<bfloat16, bfloat16, float32, bfloat16>>);
  STATIC_REQUIRE(CommonGemms::has<Gemm<float16, float16, float16, float16>>);
  STATIC_REQUIRE_FALSE(CommonGemms::has<Gemm<float32, float32, float32, float64>>);
  STATIC_REQUIRE_FALSE(CommonGemms::has<Gemm<float16, float16, float16, float32>>);
}
