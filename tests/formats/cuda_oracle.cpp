// components: cuda_headers
// CUDA's conversions on the host, which nobody here wrote, of the same numbers as ours: every code decoded; float16 and
// bfloat16 patterns, midpoints between neighboring codes with both of their neighbors, and random numbers encoded, in
// every rounding mode that CUDA has. A disagreement must be of a known kind, and their number must not change.

#include <cstdio>

#include "assay/formats/classify.hpp"
#include "assay/formats/cuda.hpp"
#include "formats/rounding_oracle.hpp"
#include "testing/catch.hpp"

using namespace assay;
using namespace assay::testing;

namespace {

/// Who is right, by kind of disagreement.
struct Disagreements {
  std::size_t nan = 0;  ///< both give NaN, with other bits, which no specification fixes
  std::size_t negative =
      0;  ///< e8m0fnu: CUDA drops the sign; Assay has no code for negative values. OCP MX 1.0 leaves it open
  std::size_t zero = 0;  ///< e8m0fnu: CUDA gives 2^-127; Assay NaN, unless it saturates. OCP MX 1.0 leaves it open
  std::size_t unexplained = 0;

  friend bool operator==(const Disagreements&, const Disagreements&) = default;
};

std::ostream& operator<<(std::ostream& out, const Disagreements& found) {
  return out << "{" << found.nan << ", " << found.negative << ", " << found.zero << ", " << found.unexplained << "}";
}

struct Comparison {
  std::size_t values = 0;
  Disagreements found;
};

/// Compares T's codes of `values` with those of `convert`.
template <class T, class Real, class Convert>
void compare(Comparison& comparison, const std::vector<Real>& values, Rounding rounding, Overflow overflow,
             Convert convert) {
  using Traits = FormatTraits<T>;
  constexpr FloatLayout layout = Traits::layout;
  for (const Real real : values) {
    const auto value = static_cast<double>(real);
    const auto ours = Traits::to_bits(encode<T>(value, rounding, overflow));
    const auto theirs = static_cast<typename Traits::Bits>(convert(real));
    ++comparison.values;
    if (ours == theirs) continue;
    if (is_nan(value) && layout.is_nan(ours) && layout.is_nan(theirs))
      ++comparison.found.nan;
    else if (!layout.has_sign() && value < 0 && theirs == Traits::to_bits(encode<T>(-value, rounding, overflow)))
      ++comparison.found.negative;
    else if (!layout.has_zero() && value == 0 && theirs == 0 && layout.is_nan(ours))
      ++comparison.found.zero;
    else
      ++comparison.found.unexplained;
  }
}

/// Midpoints between neighboring values with both of their neighbors, and the values themselves.
template <class T, class Real>
std::vector<Real> midpoints() {
  constexpr FloatLayout layout = FormatTraits<T>::layout;
  std::vector<double> table;
  for (std::uint64_t code = 0; code <= layout.max_finite_bits(); ++code) table.push_back(decode(layout, code));
  table.push_back(layout.has_zero() ? 2 * table.back() - table[table.size() - 2] : 2 * table.back());
  std::vector<Real> values;
  for (std::size_t i = 0; i + 1 < table.size(); ++i)
    for (const double value : {table[i], table[i] + (table[i + 1] - table[i]) / 2}) {
      const auto middle = static_cast<Real>(value);
      constexpr Real infinity = std::numeric_limits<Real>::infinity();
      for (const Real near : {middle, std::nextafter(middle, infinity), std::nextafter(middle, -infinity)}) {
        values.push_back(near);
        values.push_back(-near);
      }
    }
  return values;
}

template <class Real>
std::vector<Real> patterns() {
  constexpr Real infinity = std::numeric_limits<Real>::infinity(), nan = std::numeric_limits<Real>::quiet_NaN();
  std::vector<Real> values{0,
                           -Real{0},
                           infinity,
                           -infinity,
                           nan,
                           -nan,
                           std::numeric_limits<Real>::max(),
                           std::numeric_limits<Real>::denorm_min()};
  for (std::uint32_t code = 0; code < 65536; ++code) {
    values.push_back(static_cast<Real>(decode(float16::from_bits(static_cast<std::uint16_t>(code)))));
    values.push_back(static_cast<Real>(decode(bfloat16::from_bits(static_cast<std::uint16_t>(code)))));
  }
  return values;
}

/// Any bit pattern, and numbers in the range of T, in turns; a part at a time, since there are many.
template <class T, class Real>
std::vector<Real> random_part(TestNumbers& numbers) {
  using Bits = std::conditional_t<sizeof(Real) == 4, std::uint32_t, std::uint64_t>;
  constexpr FloatLayout layout = FormatTraits<T>::layout;
  const int least = layout.min_exponent() - layout.fraction_bits - 2,
            most = std::ilogb(decode(layout, layout.max_finite_bits())) + 2;
  std::vector<Real> values(100'000);
  for (std::size_t i = 0; i < values.size(); i += 2) {
    values[i] = __builtin_bit_cast(Real, static_cast<Bits>(numbers.bits() >> (64 - 8 * sizeof(Real))));
    values[i + 1] = static_cast<Real>(numbers.value(least, most));
  }
  return values;
}

template <class T, class Real, class Convert>
Comparison compare_all(int random_parts, Rounding rounding, Overflow overflow, Convert convert) {
  Comparison comparison;
  compare<T>(comparison, patterns<Real>(), rounding, overflow, convert);
  compare<T>(comparison, midpoints<T, Real>(), rounding, overflow, convert);
  TestNumbers numbers(2026);
  for (int part = 0; part < random_parts; ++part)
    compare<T>(comparison, random_part<T, Real>(numbers), rounding, overflow, convert);
  return comparison;
}

/// One row of the table: the conversion, and the disagreements that it must have.
template <class T, class Real, class Convert>
void check(const char* conversion, Disagreements expected, Rounding rounding, Overflow overflow, Convert convert) {
  const bool usual = rounding == Rounding::nearest_even && sizeof(Real) == 4;
  const Comparison comparison = compare_all<T, Real>(usual ? 100 : 10, rounding, overflow, convert);
  const Disagreements& found = comparison.found;
  std::printf("%-48s %9zu values, disagreements: NaN %zu, negative %zu, zero %zu, other %zu\n", conversion,
              comparison.values, found.nan, found.negative, found.zero, found.unexplained);
  INFO(conversion);
  CHECK(found.unexplained == 0);
  CHECK(found == expected);
}

template <class T, class Cuda, class Decode>
void check_decoding(const char* conversion, Decode decode_theirs) {
  using Traits = FormatTraits<T>;
  static_assert(SameCodes<T, Cuda>);
  int wrong = 0;
  for (std::uint32_t code = 0; code < (1u << Traits::bits); ++code) {
    const auto bits = static_cast<typename Traits::Bits>(code);
    const double ours = decode(Traits::from_bits(bits)), theirs = static_cast<double>(decode_theirs(bits));
    wrong += (is_nan(ours) && is_nan(theirs)) ||
                     __builtin_bit_cast(std::uint64_t, ours) == __builtin_bit_cast(std::uint64_t, theirs)
                 ? 0
                 : 1;
  }
  INFO(conversion);
  CHECK(wrong == 0);
}

constexpr auto nearest = Rounding::nearest_even, zero = Rounding::toward_zero, up = Rounding::toward_positive,
               down = Rounding::toward_negative;
constexpr auto ieee = Overflow::ieee, saturate = Overflow::saturate;

std::uint16_t code(__half value) {
  return FormatTraits<__half>::to_bits(value);
}
std::uint16_t code(__nv_bfloat16 value) {
  return FormatTraits<__nv_bfloat16>::to_bits(value);
}
float half_of(__half_raw raw) {
  return __half2float(__half(raw));
}

}  // namespace

TEST_CASE("CUDA decodes every code as we do", "[formats]") {
  check_decoding<float16, __half>(
      "half", [](std::uint16_t bits) { return __half2float(FormatTraits<__half>::from_bits(bits)); });
  check_decoding<bfloat16, __nv_bfloat16>(
      "bfloat16", [](std::uint16_t bits) { return __bfloat162float(FormatTraits<__nv_bfloat16>::from_bits(bits)); });
  check_decoding<float8_e4m3fn, __nv_fp8_e4m3>(
      "e4m3", [](std::uint8_t bits) { return half_of(__nv_cvt_fp8_to_halfraw(bits, __NV_E4M3)); });
  check_decoding<float8_e5m2, __nv_fp8_e5m2>(
      "e5m2", [](std::uint8_t bits) { return half_of(__nv_cvt_fp8_to_halfraw(bits, __NV_E5M2)); });
  check_decoding<float6_e2m3fn, __nv_fp6_e2m3>(
      "e2m3", [](std::uint8_t bits) { return half_of(__nv_cvt_fp6_to_halfraw(bits, __NV_E2M3)); });
  check_decoding<float6_e3m2fn, __nv_fp6_e3m2>(
      "e3m2", [](std::uint8_t bits) { return half_of(__nv_cvt_fp6_to_halfraw(bits, __NV_E3M2)); });
  check_decoding<float4_e2m1fn, __nv_fp4_e2m1>(
      "e2m1", [](std::uint8_t bits) { return half_of(__nv_cvt_fp4_to_halfraw(bits, __NV_E2M1)); });
  check_decoding<float8_e8m0fnu, __nv_fp8_e8m0>(
      "e8m0", [](std::uint8_t bits) { return __bfloat162float(__nv_bfloat16(__nv_cvt_e8m0_to_bf16raw(bits))); });
}

TEST_CASE("CUDA encodes 16-bit formats as we do, in every rounding mode", "[formats]") {
  check<float16, float>("__float2half_rn", {.nan = 21882}, nearest, ieee,
                        [](float x) { return code(__float2half_rn(x)); });
  check<float16, float>("__float2half_rz", {.nan = 4233}, zero, ieee, [](float x) { return code(__float2half_rz(x)); });
  check<float16, float>("__float2half_ru", {.nan = 4233}, up, ieee, [](float x) { return code(__float2half_ru(x)); });
  check<float16, float>("__float2half_rd", {.nan = 4233}, down, ieee, [](float x) { return code(__float2half_rd(x)); });
  check<float16, double>("__double2half", {.nan = 2551}, nearest, ieee,
                         [](double x) { return code(__double2half(x)); });
  check<bfloat16, float>("__float2bfloat16_rn", {.nan = 21882}, nearest, ieee,
                         [](float x) { return code(__float2bfloat16_rn(x)); });
  check<bfloat16, float>("__float2bfloat16_rz", {.nan = 4233}, zero, ieee,
                         [](float x) { return code(__float2bfloat16_rz(x)); });
  check<bfloat16, float>("__float2bfloat16_ru", {.nan = 4233}, up, ieee,
                         [](float x) { return code(__float2bfloat16_ru(x)); });
  check<bfloat16, float>("__float2bfloat16_rd", {.nan = 4233}, down, ieee,
                         [](float x) { return code(__float2bfloat16_rd(x)); });
  check<bfloat16, double>("__double2bfloat16", {.nan = 2551}, nearest, ieee,
                          [](double x) { return code(__double2bfloat16(x)); });
}

TEST_CASE("CUDA encodes FP8 as we do, saturating or not", "[formats]") {
  check<float8_e4m3fn, float>("__nv_cvt_float_to_fp8, E4M3, NOSAT", {}, nearest, ieee,
                              [](float x) { return __nv_cvt_float_to_fp8(x, __NV_NOSAT, __NV_E4M3); });
  check<float8_e4m3fn, float>("__nv_cvt_float_to_fp8, E4M3, SATFINITE", {}, nearest, saturate,
                              [](float x) { return __nv_cvt_float_to_fp8(x, __NV_SATFINITE, __NV_E4M3); });
  check<float8_e4m3fn, double>("__nv_cvt_double_to_fp8, E4M3, NOSAT", {.nan = 1279}, nearest, ieee,
                               [](double x) { return __nv_cvt_double_to_fp8(x, __NV_NOSAT, __NV_E4M3); });
  check<float8_e4m3fn, double>("__nv_cvt_double_to_fp8, E4M3, SATFINITE", {.nan = 1279}, nearest, saturate,
                               [](double x) { return __nv_cvt_double_to_fp8(x, __NV_SATFINITE, __NV_E4M3); });
  check<float8_e5m2, float>("__nv_cvt_float_to_fp8, E5M2, NOSAT", {.nan = 21882}, nearest, ieee,
                            [](float x) { return __nv_cvt_float_to_fp8(x, __NV_NOSAT, __NV_E5M2); });
  check<float8_e5m2, float>("__nv_cvt_float_to_fp8, E5M2, SATFINITE", {.nan = 21882}, nearest, saturate,
                            [](float x) { return __nv_cvt_float_to_fp8(x, __NV_SATFINITE, __NV_E5M2); });
  check<float8_e5m2, double>("__nv_cvt_double_to_fp8, E5M2, NOSAT", {.nan = 1402}, nearest, ieee,
                             [](double x) { return __nv_cvt_double_to_fp8(x, __NV_NOSAT, __NV_E5M2); });
  check<float8_e5m2, double>("__nv_cvt_double_to_fp8, E5M2, SATFINITE", {.nan = 1402}, nearest, saturate,
                             [](double x) { return __nv_cvt_double_to_fp8(x, __NV_SATFINITE, __NV_E5M2); });
}

TEST_CASE("CUDA encodes FP6 and FP4 as we do", "[formats]") {
  check<float6_e2m3fn, float>("__nv_cvt_float_to_fp6, E2M3, nearest", {}, nearest, ieee,
                              [](float x) { return __nv_cvt_float_to_fp6(x, __NV_E2M3, cudaRoundNearest); });
  check<float6_e2m3fn, float>("__nv_cvt_float_to_fp6, E2M3, zero", {}, zero, ieee,
                              [](float x) { return __nv_cvt_float_to_fp6(x, __NV_E2M3, cudaRoundZero); });
  check<float6_e2m3fn, double>("__nv_cvt_double_to_fp6, E2M3, nearest", {}, nearest, ieee,
                               [](double x) { return __nv_cvt_double_to_fp6(x, __NV_E2M3, cudaRoundNearest); });
  check<float6_e3m2fn, float>("__nv_cvt_float_to_fp6, E3M2, nearest", {}, nearest, ieee,
                              [](float x) { return __nv_cvt_float_to_fp6(x, __NV_E3M2, cudaRoundNearest); });
  check<float6_e3m2fn, float>("__nv_cvt_float_to_fp6, E3M2, zero", {}, zero, ieee,
                              [](float x) { return __nv_cvt_float_to_fp6(x, __NV_E3M2, cudaRoundZero); });
  check<float6_e3m2fn, double>("__nv_cvt_double_to_fp6, E3M2, nearest", {}, nearest, ieee,
                               [](double x) { return __nv_cvt_double_to_fp6(x, __NV_E3M2, cudaRoundNearest); });
  check<float4_e2m1fn, float>("__nv_cvt_float_to_fp4, E2M1, nearest", {}, nearest, ieee,
                              [](float x) { return __nv_cvt_float_to_fp4(x, __NV_E2M1, cudaRoundNearest); });
  check<float4_e2m1fn, float>("__nv_cvt_float_to_fp4, E2M1, zero", {}, zero, ieee,
                              [](float x) { return __nv_cvt_float_to_fp4(x, __NV_E2M1, cudaRoundZero); });
  check<float4_e2m1fn, double>("__nv_cvt_double_to_fp4, E2M1, nearest", {}, nearest, ieee,
                               [](double x) { return __nv_cvt_double_to_fp4(x, __NV_E2M1, cudaRoundNearest); });
}

TEST_CASE("CUDA encodes positive numbers to e8m0 as we do", "[formats]") {
  check<float8_e8m0fnu, float>("__nv_cvt_float_to_e8m0, zero, NOSAT", {.negative = 562567, .zero = 6}, zero, ieee,
                               [](float x) { return __nv_cvt_float_to_e8m0(x, __NV_NOSAT, cudaRoundZero); });
  check<float8_e8m0fnu, float>("__nv_cvt_float_to_e8m0, zero, SATFINITE", {.negative = 560459}, zero, saturate,
                               [](float x) { return __nv_cvt_float_to_e8m0(x, __NV_SATFINITE, cudaRoundZero); });
  check<float8_e8m0fnu, float>("__nv_cvt_float_to_e8m0, up, NOSAT", {.negative = 560554, .zero = 6}, up, ieee,
                               [](float x) { return __nv_cvt_float_to_e8m0(x, __NV_NOSAT, cudaRoundPosInf); });
  check<float8_e8m0fnu, float>("__nv_cvt_float_to_e8m0, up, SATFINITE", {.negative = 561950}, up, saturate,
                               [](float x) { return __nv_cvt_float_to_e8m0(x, __NV_SATFINITE, cudaRoundPosInf); });
  check<float8_e8m0fnu, double>("__nv_cvt_double_to_e8m0, zero, NOSAT", {.negative = 565292, .zero = 6}, zero, ieee,
                                [](double x) { return __nv_cvt_double_to_e8m0(x, __NV_NOSAT, cudaRoundZero); });
  check<float8_e8m0fnu, double>("__nv_cvt_double_to_e8m0, up, SATFINITE", {.negative = 454413}, up, saturate,
                                [](double x) { return __nv_cvt_double_to_e8m0(x, __NV_SATFINITE, cudaRoundPosInf); });
}

TEST_CASE("a conversion that rounds wrongly is not taken for CUDA's", "[formats]") {
  const auto truncated = [](float x) {
    return __nv_cvt_float_to_fp8(static_cast<float>(round_to<float8_e4m3fn>(static_cast<double>(x), zero)), __NV_NOSAT,
                                 __NV_E4M3);
  };
  const auto flushed = [](float x) {
    return std::abs(x) < 0x1p-6f ? 0 : __nv_cvt_float_to_fp8(x, __NV_NOSAT, __NV_E4M3);
  };
  const auto saturated = [](float x) { return __nv_cvt_float_to_fp8(x, __NV_SATFINITE, __NV_E4M3); };
  CHECK(compare_all<float8_e4m3fn, float>(1, nearest, ieee, truncated).found.unexplained > 0);
  CHECK(compare_all<float8_e4m3fn, float>(1, nearest, ieee, flushed).found.unexplained > 0);
  CHECK(compare_all<float8_e4m3fn, float>(1, nearest, ieee, saturated).found.unexplained > 0);
}
