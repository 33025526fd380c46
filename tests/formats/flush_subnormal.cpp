#include "assay/formats/flush_subnormal.hpp"

#include <cmath>
#include <cstdint>

#include "assay/formats/limits.hpp"
#include "assay/formats/small_formats.hpp"
#include "testing/catch.hpp"

using assay::decode;
using assay::encode;
using assay::flush_subnormal;
using assay::FormatTraits;

namespace {

template <class T>
int wrong_codes() {
  int wrong = 0;
  for (std::uint64_t code = 0; code < std::uint64_t{1} << FormatTraits<T>::bits; ++code) {
    const T value = FormatTraits<T>::from_bits(static_cast<typename FormatTraits<T>::Bits>(code)),
            flushed = flush_subnormal(value);
    const double before = decode(value), after = decode(flushed);
    const bool tiny = std::abs(before) < assay::min_normal<T>() && before != 0;
    if (!tiny)
      wrong += FormatTraits<T>::to_bits(flushed) != code ? 1 : 0;
    else
      wrong += after != 0 || (FormatTraits<T>::layout.specials != assay::SpecialValues::fnuz &&
                              std::signbit(after) != std::signbit(before))
                   ? 1
                   : 0;
  }
  return wrong;
}

}  // namespace

TEST_CASE("subnormal numbers become zero of their sign, all other codes stay", "[formats]") {
  CHECK(wrong_codes<assay::float16>() == 0);
  CHECK(wrong_codes<assay::bfloat16>() == 0);
  CHECK(wrong_codes<assay::float8_e4m3fn>() == 0);
  CHECK(wrong_codes<assay::float8_e5m2fnuz>() == 0);
  CHECK(wrong_codes<assay::float8_e8m0fnu>() == 0);
  CHECK(wrong_codes<assay::float6_e2m3fn>() == 0);
  static_assert(FormatTraits<float>::to_bits(flush_subnormal(-0x1p-149f)) == 0x80000000u &&
                flush_subnormal(0x1p-126f) == 0x1p-126f);
}

TEST_CASE("inputs and results are flushed by composition, results after rounding", "[formats]") {
  using assay::float16;
  const float16 tiny = float16::from_bits(0x8001);
  CHECK(encode<float>(decode(flush_subnormal(tiny))) == 0.0f);
  CHECK(encode<float>(decode(tiny)) == -0x1p-24f);
  CHECK(flush_subnormal(encode<float16>(-0x1p-20)).bits == 0x8000);
  CHECK(flush_subnormal(encode<float16>(std::nextafter(0x1p-14, 0.0))).bits == 0x0400);
}
