// Every format of at most 19 bits into every format: all codes (of tf32 a quarter), in every rounding mode, saturating
// or not, against rounding by search in a table.

#include <cstdio>
#include <tuple>

#include "assay/formats/limits.hpp"
#include "assay/formats/nf4.hpp"
#include "assay/formats/small_formats.hpp"
#include "assay/formats/tfloat32.hpp"
#include "formats/rounding_oracle.hpp"
#include "testing/catch.hpp"

using namespace assay;
using namespace assay::testing;

namespace {

using Sources =
    std::tuple<float16, bfloat16, float8_e4m3fn, float8_e5m2, float8_e4m3fnuz, float8_e5m2fnuz, float8_e4m3b11fnuz,
               float8_e4m3, float8_e3m4, float8_e8m0fnu, float6_e2m3fn, float6_e3m2fn, float4_e2m1fn, std::int8_t,
               std::uint8_t, assay::int4_t, assay::uint4_t, assay::int2_t, assay::uint2_t, nf4, tfloat32>;
using Targets = decltype(std::tuple_cat(Sources{}, std::tuple<float32, float64>{}));

template <class T>
std::vector<double> values_of() {
  using Traits = FormatTraits<T>;
  std::vector<double> values;
  for (std::uint32_t code = 0; code < (1u << Traits::bits); ++code)
    values.push_back(decode(Traits::from_bits(static_cast<typename Traits::Bits>(code))));
  return values;
}

/// Whether the codes of a format are taken: all of them up to 16 bits. Beyond, every seventh, the ends of binades, and
/// what has lower bits at or beside a tie.
template <class T>
bool is_taken(std::uint32_t code) {
  if constexpr (FormatTraits<T>::bits <= 16)
    return true;
  else
    return code % 7 == 0 || (code + 2) % 1024 < 4 || (code + 1) % 16 < 3;
}

/// The code that `value` must have in T, found without T's encoder.
template <class T>
class Expected {
 public:
  using Bits = typename FormatTraits<T>::Bits;

  [[nodiscard]] Bits code(double value, Rounding rounding, Overflow overflow) const {
    if constexpr (IntegerFormat<T>) {
      constexpr auto layout = FormatTraits<T>::layout;
      if (std::isnan(value)) return 0;
      const double below = std::floor(value), distance = value - below;
      const bool even = std::fmod(below, 2) == 0;
      const bool up = rounding == Rounding::toward_positive   ? distance > 0
                      : rounding == Rounding::toward_negative ? false
                      : rounding == Rounding::toward_zero     ? distance > 0 && value < 0
                      : distance != 0.5                       ? distance > 0.5
                      : rounding == Rounding::nearest_away    ? value > 0
                                                              : !even;
      const double rounded = std::isinf(value) ? value : below + (up ? 1 : 0);
      const double limited =
          std::clamp(rounded, static_cast<double>(layout.lowest()), static_cast<double>(layout.highest()));
      return static_cast<Bits>(static_cast<int>(limited) & static_cast<int>(layout.mask()));
    } else if constexpr (LookupFormat<T>) {
      return static_cast<Bits>(
          position_in_table(std::isnan(value) ? 0 : value, std::isnan(value) ? Rounding::nearest_even : rounding));
    } else if constexpr (searched) {
      constexpr auto layout = FormatTraits<T>::layout;
      if (std::isnan(value)) return static_cast<Bits>(layout.has_nan() ? layout.nan_bits() : layout.max_finite_bits());
      return static_cast<Bits>(oracle_.round(value, rounding, overflow));
    } else {  // holds every value: saturation alone matters
      if (std::isnan(value)) return static_cast<Bits>(FormatTraits<T>::layout.nan_bits());
      const auto limit = static_cast<T>(std::numeric_limits<T>::max());
      const T held =
          std::isinf(value) && overflow == Overflow::saturate ? (value > 0 ? limit : -limit) : static_cast<T>(value);
      return __builtin_bit_cast(Bits, held);
    }
  }

 private:
  struct None {
    explicit None(int) {}
  };
  static constexpr bool searched = FloatFormat<T> && FormatTraits<T>::bits <= 19;

  /// In a table that ascends. Of two values as near the lower one; distances of at most 64 significant bits are exact.
  static int position_in_table(double value, Rounding rounding) {
    static const auto table = values_of<T>();
    const int last = static_cast<int>(table.size()) - 1;
    int above = 0;
    while (above < last && table[static_cast<std::size_t>(above)] < value) ++above;
    const double high = table[static_cast<std::size_t>(above)];
    if (above == 0 || value >= high) return above;
    const double low = table[static_cast<std::size_t>(above - 1)];
    const long double to_low = static_cast<long double>(value) - low, to_high = static_cast<long double>(high) - value;
    const bool up = rounding == Rounding::toward_positive   ? true
                    : rounding == Rounding::toward_negative ? false
                    : rounding == Rounding::toward_zero     ? value < 0
                    : to_low != to_high                     ? to_low > to_high
                                                            : rounding == Rounding::nearest_away && value > 0;
    return above - (up ? 0 : 1);
  }
  static auto layout_to_search() {
    if constexpr (searched)
      return FormatTraits<T>::layout;
    else
      return 0;
  }
  std::conditional_t<searched, RoundingOracle, None> oracle_{layout_to_search()};
};

struct Count {
  std::size_t conversions = 0;
  std::size_t wrong = 0;
  int pairs = 0;
  int containing = 0;  ///< pairs where every value of the source is one of the target
};

/// Whether every finite value of the source is one of the target, from what the formats are made of.
template <class From, class To>
bool contains() {
  const auto from = values_of<From>();
  double largest = 0, smallest = std::numeric_limits<double>::infinity();
  bool zero = false, negative = false;
  for (const double value : from) {
    if (!std::isfinite(value)) continue;
    largest = std::max(largest, std::abs(value));
    if (value != 0) smallest = std::min(smallest, std::abs(value));
    zero |= value == 0;
    negative |= value < 0;
  }
  if constexpr (LookupFormat<To>) {
    const auto to = values_of<To>();
    return std::all_of(from.begin(), from.end(), [&](double value) {
      return !std::isfinite(value) || std::find(to.begin(), to.end(), value) != to.end();
    });
  } else if constexpr (IntegerFormat<To>) {
    const auto layout = FormatTraits<To>::layout;
    const auto [lowest, highest] = std::minmax_element(from.begin(), from.end());
    return IntegerFormat<From> && *lowest >= static_cast<double>(layout.lowest()) &&
           *highest <= static_cast<double>(layout.highest());
  } else {
    const FloatLayout layout = FormatTraits<To>::layout;
    int significant = 1;  // bits of the longest significand
    if constexpr (IntegerFormat<From>)
      significant = FormatTraits<From>::bits - (negative ? 1 : 0);
    else if constexpr (LookupFormat<From>)
      significant = std::numeric_limits<float>::digits;  // quantiles
    else
      significant = FormatTraits<From>::layout.precision();
    const double least = layout.has_zero() ? min_subnormal<To>() : min_normal<To>();
    return significant <= layout.precision() && largest <= max_finite<To>() && smallest >= least &&
           (!zero || layout.has_zero()) && (!negative || layout.has_sign());
  }
}

template <class From, class To>
void convert_pair(Count& count) {
  using Source = FormatTraits<From>;
  const Expected<To> expected;
  bool all_held = true;
  for (std::uint32_t source = 0; source < (1u << Source::bits); ++source) {
    if (!is_taken<From>(source)) continue;
    const double value = decode(Source::from_bits(static_cast<typename Source::Bits>(source)));
    for (const Rounding rounding : all_roundings)
      for (const Overflow overflow : {Overflow::ieee, Overflow::saturate}) {
        ++count.conversions;
        const auto code = FormatTraits<To>::to_bits(encode<To>(value, rounding, overflow));
        count.wrong += code == expected.code(value, rounding, overflow) ? 0 : 1;
      }
    if (!std::isfinite(value)) continue;
    const double there = round_to<To>(value);
    all_held = all_held && there == value;
    if (there != value) continue;
    ++count.conversions;  // what the target holds returns to its code; where it has no negative zero, zero does
    const From back = encode<From>(there);
    count.wrong +=
        static_cast<typename Source::Bits>(source) == Source::to_bits(back) || (value == 0 && decode(back) == 0) ? 0
                                                                                                                 : 1;
  }
  ++count.pairs;
  count.containing += all_held ? 1 : 0;
  INFO(FormatTraits<From>::name() << " into " << FormatTraits<To>::name());
  CHECK(count.wrong == 0);
  CHECK(all_held == contains<From, To>());
}

template <class From, class... To>
void convert_into(Count& count, std::tuple<To...>) {
  (convert_pair<From, To>(count), ...);
}

template <class... From>
Count convert_all(std::tuple<From...>) {
  Count count;
  (convert_into<From>(count, Targets{}), ...);
  return count;
}

}  // namespace

TEST_CASE("every format of at most 19 bits converts into every format, rounded once", "[formats]") {
  const Count count = convert_all(Sources{});
  std::printf(
      "%d pairs of formats, %zu conversions, %zu wrong; in %d pairs the target holds every value of the source\n",
      count.pairs, count.conversions, count.wrong, count.containing);
  CHECK(count.pairs == 21 * 23);
  CHECK(count.conversions > 60'000'000);
  CHECK(count.containing == 180);
}

TEST_CASE("rounding twice is not taken for rounding once", "[formats]") {
  // bfloat16 keeps 7 bits after the point: float16's 1 + 2^-4 + 2^-10 becomes a tie of e4m3fn.
  std::size_t differ = 0;
  const Expected<float8_e4m3fn> expected;
  for (const double value : values_of<float16>()) {
    if (!std::isfinite(value)) continue;
    const auto twice = encode<float8_e4m3fn>(round_to<bfloat16>(value));
    differ += twice.bits == expected.code(value, Rounding::nearest_even, Overflow::ieee) ? 0 : 1;
  }
  CHECK(differ > 0);
}
