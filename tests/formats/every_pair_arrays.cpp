// Arrays of every format into every format, as single values convert: all codes (of the formats beyond 16 bits, values
// of many kinds). Pairs that vectors convert do it by the loops for the baseline, those with float32 or float16 by the
// ones for AVX2, too (AVX-512, streamed stores and other roundings are formats/convert.cpp's, for fewer pairs: all of
// them take minutes to compile); other pairs by `convert`.

#include <cstdio>
#include <tuple>

#include "assay/formats/convert.hpp"
#include "assay/formats/nf4.hpp"
#include "assay/formats/small_formats.hpp"
#include "assay/formats/small_integer.hpp"
#include "assay/formats/tfloat32.hpp"
#include "formats/convert_inputs.hpp"
#include "testing/catch.hpp"

using namespace assay;
using namespace assay::testing;

namespace {

using Formats = std::tuple<float16, bfloat16, float8_e4m3fn, float8_e5m2, float8_e4m3fnuz, float8_e5m2fnuz,
                           float8_e4m3b11fnuz, float8_e4m3, float8_e3m4, float8_e8m0fnu, float6_e2m3fn, float6_e3m2fn,
                           float4_e2m1fn, std::int8_t, std::uint8_t, assay::int4_t, assay::uint4_t, assay::int2_t,
                           assay::uint2_t, nf4, tfloat32, float32, float64>;
constexpr int format_count = std::tuple_size_v<Formats>;

/// All codes of a format, in number above what it takes for a table of them; float32 and float64 by the rounding of
/// float16.
template <class T>
std::vector<T> inputs() {
  std::vector<T> values;
  if constexpr (FormatTraits<T>::bits <= 16) {
    do {
      for (const T code : all_codes<T>()) values.push_back(code);
    } while (values.size() < 600);
  } else {
    for (const float value : deciding_values(FormatTraits<float8_e5m2>::layout)) {
      if constexpr (std::is_same_v<T, tfloat32>)
        values.push_back(tfloat32::from_container(__builtin_bit_cast(std::uint32_t, value)));
      else
        values.push_back(static_cast<T>(value));
    }
  }
  return values;
}

struct Count {
  int pairs = 0, on_vectors = 0;
  std::size_t conversions = 0;
};

template <class To>
std::vector<To> one_by_one(const std::vector<double>& values, Rounding rounding, Overflow overflow) {
  std::vector<To> codes(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) codes[i] = encode<To>(values[i], rounding, overflow);
  return codes;
}

#if ASSAY_DETAIL_VECTOR_VARIANTS
/// Rounded to nearest even on vectors of a set that has loops here.
template <class From, class To>
void on_vectors([[maybe_unused]] InstructionSet set, const std::vector<From>& from, std::vector<To>& to,
                Overflow overflow) {
  const auto* const source = reinterpret_cast<const unsigned char*>(from.data());
  auto* const target = reinterpret_cast<unsigned char*>(to.data());
  const std::size_t count = from.size();
  const std::uint32_t beyond = detail::WordCodes<FormatTraits<To>::layout, 16>::beyond(overflow);
  using Loop = detail::ConvertWords<From, To, false>;
#if defined(__x86_64__)
  if constexpr (std::is_same_v<From, float32> || std::is_same_v<From, float16> || std::is_same_v<To, float32> ||
                std::is_same_v<To, float16>)
    if (set != InstructionSet::baseline) return detail::run_avx2<Loop>(source, target, count, beyond);
#endif
  detail::run_baseline<Loop>(source, target, count, beyond);
}
#endif

template <class From, class To>
void check_pair(const std::vector<From>& values, const std::vector<double>& decoded, Count& count) {
  std::size_t wrong = 0;
  const auto check = [&](Rounding rounding, Overflow overflow, const auto& convert_all) {
    std::vector<To> actual(values.size());
    std::memset(static_cast<void*>(actual.data()), 0x5a, actual.size() * sizeof(To));
    convert_all(actual);
    wrong += differing(actual, one_by_one<To>(decoded, rounding, overflow));
    count.conversions += values.size();
  };
  for (const Overflow overflow : {Overflow::ieee, Overflow::saturate})
#if ASSAY_DETAIL_VECTOR_VARIANTS
    if constexpr (detail::WordFormat<From> && detail::WordFormat<To>) {
      ++count.on_vectors;
      for (const InstructionSet set : available_instruction_sets())
        if (set != InstructionSet::avx512)
          check(Rounding::nearest_even, overflow,
                [&](std::vector<To>& actual) { on_vectors(set, values, actual, overflow); });
    } else
#endif
      for (const Rounding rounding : all_roundings)
        check(rounding, overflow, [&](std::vector<To>& actual) { convert(values, actual, rounding, overflow); });
  ++count.pairs;
  INFO(FormatTraits<From>::name() << " into " << FormatTraits<To>::name());
  CHECK(wrong == 0);
}

template <class From, class... To>
void check_from(Count& count, std::tuple<To...>) {
  const auto values = inputs<From>();
  std::vector<double> decoded(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) decoded[i] = decode(values[i]);
  (check_pair<From, To>(values, decoded, count), ...);
}

template <class... From>
Count check_all(std::tuple<From...>) {
  Count count;
  (check_from<From>(count, Formats{}), ...);
  return count;
}

}  // namespace

TEST_CASE("arrays of every format convert into every format as single values do", "[formats]") {
  const Count count = check_all(Formats{});
  std::printf("%d pairs of formats, %d of them on vectors, %zu conversions of array elements\n", count.pairs,
              count.on_vectors / 2, count.conversions);
  CHECK(count.pairs == format_count * format_count);
  CHECK(count.on_vectors == (ASSAY_DETAIL_VECTOR_VARIANTS ? 2 * 13 * 13 : 0));
  CHECK(count.conversions > 10'000'000);
}

TEST_CASE("a pair whose vectors confuse codes with what is stored would be found", "[formats]") {
  const auto values = inputs<float32>();
  std::vector<tfloat32> right(values.size()), codes(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    right[i] = encode<tfloat32>(decode(values[i]));
    codes[i] = tfloat32::from_container(FormatTraits<tfloat32>::to_bits(right[i]));
  }
  CHECK(differing(right, codes) > 0);
}
