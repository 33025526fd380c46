#include "assay/formats/interchange.hpp"

#include "assay/formats/limits.hpp"
#include "assay/formats/small_formats.hpp"
#include "testing/catch.hpp"

using namespace assay;

namespace {

/// Another library's number type: its code is private.
class ForeignHalf {
 public:
  constexpr explicit ForeignHalf(std::uint16_t code) : code_(code) {}
  [[nodiscard]] constexpr std::uint16_t code() const { return code_; }

 private:
  std::uint16_t code_;
};

}  // namespace

template <>
struct assay::FormatTraits<ForeignHalf> : InterchangeTraits<ForeignHalf, float16> {};

TEST_CASE("another library's number type is a format by one line", "[formats]") {
  static_assert(FloatFormat<ForeignHalf>);
  static_assert(decode(ForeignHalf(0x3C01)) == 1 + 0x1p-10);
  static_assert(encode<ForeignHalf>(65520.0).code() == 0x7C00 &&
                encode<ForeignHalf>(65520.0, Rounding::toward_zero).code() == 0x7BFF);
  static_assert(encode<ForeignHalf>(1e9, Rounding::nearest_even, Overflow::saturate).code() == 0x7BFF);
  static_assert(max_finite<ForeignHalf>() == 65504 && next_up(ForeignHalf(0x3C00)).code() == 0x3C01);
  CHECK(std::string(FormatTraits<ForeignHalf>::name()) == "f16");
}

TEST_CASE("codes pass between types of one format unchanged, and between no others", "[formats]") {
  int wrong = 0;
  for (std::uint32_t code = 0; code < 65536; ++code) {
    const auto bits = static_cast<std::uint16_t>(code);
    const auto foreign = same_code<ForeignHalf>(float16::from_bits(bits));
    wrong += foreign.code() == bits && same_code<float16>(foreign).bits == bits ? 0 : 1;
  }
  CHECK(wrong == 0);
  CHECK(SameCodes<ForeignHalf, float16>);
  CHECK_FALSE(SameCodes<ForeignHalf, bfloat16>);
  CHECK_FALSE(SameCodes<float8_e4m3fn, float8_e4m3>);
  CHECK_FALSE(SameCodes<std::int8_t, float8_e5m2>);
}
