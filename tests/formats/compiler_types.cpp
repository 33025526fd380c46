#include "assay/formats/compiler_types.hpp"

#include "assay/formats/classify.hpp"
#include "formats/rounding_oracle.hpp"
#include "testing/catch.hpp"

using namespace assay;

#if defined(__FLT16_MANT_DIG__)
// The compiler's own conversions, in hardware or in its run-time library, are an oracle nobody here wrote.
TEST_CASE("_Float16 is float16, and the compiler converts as we do", "[formats]") {
  static_assert(SameCodes<_Float16, float16> && !SameCodes<_Float16, bfloat16> &&
                encode<_Float16>(1.5) == static_cast<_Float16>(1.5f));
  int wrong = 0;
  for (std::uint32_t code = 0; code < 65536; ++code) {
    const auto value = same_code<_Float16>(float16::from_bits(static_cast<std::uint16_t>(code)));
    if (is_nan(value)) continue;
    const auto single = static_cast<float>(value);
    wrong += decode(value) == static_cast<double>(single) ? 0 : 1;
    wrong += FormatTraits<_Float16>::to_bits(static_cast<_Float16>(single)) == code ? 0 : 1;
  }
  CHECK(wrong == 0);
  testing::TestNumbers numbers(16);
  for (int i = 0; i < 1'000'000; ++i) {
    const double value = numbers.value(-27, 17);
    wrong += FormatTraits<_Float16>::to_bits(static_cast<_Float16>(value)) ==
                     FormatTraits<_Float16>::to_bits(encode<_Float16>(value))
                 ? 0
                 : 1;
  }
  CHECK(wrong == 0);
}
#endif

#if defined(__BFLT16_MANT_DIG__) || (defined(__clang__) && __clang_major__ >= 16 && defined(__SSE2__))
TEST_CASE("__bf16 is bfloat16", "[formats]") {
  static_assert(SameCodes<__bf16, bfloat16> && !SameCodes<__bf16, float16>);
  int wrong = 0;
  for (std::uint32_t code = 0; code < 65536; ++code) {
    const auto ours = bfloat16::from_bits(static_cast<std::uint16_t>(code));
    const auto value = same_code<__bf16>(ours);
    wrong += same_code<bfloat16>(value).bits == code ? 0 : 1;
    wrong += is_nan(value) == is_nan(ours) && (is_nan(ours) || decode(value) == decode(ours)) ? 0 : 1;
  }
  CHECK(wrong == 0);
}
#endif
