#include "assay/formats/cuda.hpp"

#include "assay/formats/limits.hpp"
#include "testing/catch.hpp"

using namespace assay;

static_assert(SameCodes<__half, float16> && SameCodes<__nv_bfloat16, bfloat16>);
static_assert(SameCodes<__nv_fp8_e4m3, float8_e4m3fn> && SameCodes<__nv_fp8_e5m2, float8_e5m2> &&
              SameCodes<__nv_fp8_e8m0, float8_e8m0fnu>);
static_assert(SameCodes<__nv_fp6_e2m3, float6_e2m3fn> && SameCodes<__nv_fp6_e3m2, float6_e3m2fn> &&
              SameCodes<__nv_fp4_e2m1, float4_e2m1fn>);
static_assert(!SameCodes<__half, bfloat16> && !SameCodes<__nv_fp8_e4m3, float8_e4m3fnuz>);

namespace {

/// CUDA's constructor from float, and conversion to float, see the codes that we store.
template <class Cuda>
int disagreements() {
  using Traits = FormatTraits<Cuda>;
  int wrong = 0;
  for (std::uint32_t code = 0; code < (1u << Traits::bits); ++code) {
    const auto value = Traits::from_bits(static_cast<typename Traits::Bits>(code));
    if (is_nan(value)) continue;
    const double decoded = decode(value);
    wrong += static_cast<double>(static_cast<float>(value)) == decoded ? 0 : 1;
    if (!is_infinite(value)) wrong += Traits::to_bits(Cuda(static_cast<float>(decoded))) == code ? 0 : 1;
  }
  return wrong;
}

}  // namespace

TEST_CASE("CUDA's types store the codes of our formats", "[formats]") {
  CHECK(disagreements<__half>() == 0);
  CHECK(disagreements<__nv_bfloat16>() == 0);
  CHECK(disagreements<__nv_fp8_e4m3>() == 0);
  CHECK(disagreements<__nv_fp8_e5m2>() == 0);
  CHECK(disagreements<__nv_fp8_e8m0>() == 0);
  CHECK(disagreements<__nv_fp6_e2m3>() == 0);
  CHECK(disagreements<__nv_fp6_e3m2>() == 0);
  CHECK(disagreements<__nv_fp4_e2m1>() == 0);
}

TEST_CASE("what is written for a format works with CUDA's types", "[formats]") {
  static_assert(max_finite<__nv_fp8_e4m3>() == 448 && min_subnormal<__half>() == 0x1p-24);
  static_assert(FormatTraits<__nv_fp4_e2m1>::to_bits(encode<__nv_fp4_e2m1>(5.0)) == 6);
  CHECK(std::string(FormatTraits<__nv_fp8_e5m2>::name()) == "e5m2");
  CHECK(same_code<float8_e4m3fn>(__nv_fp8_e4m3(3.5f)).bits == encode<float8_e4m3fn>(3.5).bits);
}
