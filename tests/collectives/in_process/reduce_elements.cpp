#include "assay/collectives/in_process/reduce_elements.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "testing/catch.hpp"

using namespace assay;

namespace {

template <class T>
std::vector<T> reduced(ElementType type, ReductionOperator reduction, std::vector<T> into, const std::vector<T>& with) {
  // one byte off any alignment
  std::vector<std::byte> a(into.size() * sizeof(T) + 1), b(a.size());
  std::memcpy(a.data() + 1, into.data(), into.size() * sizeof(T));
  std::memcpy(b.data() + 1, with.data(), with.size() * sizeof(T));
  reduce_elements(type, reduction, a.data() + 1, b.data() + 1, static_cast<Index>(into.size()));
  std::memcpy(into.data(), a.data() + 1, into.size() * sizeof(T));
  return into;
}

/// Every pair of codes, or every pair of each `step`-th and of the special ones, against one rounding of the exact
/// result.
template <class Format>
void check_small_format(ElementType type, unsigned codes, unsigned step) {
  std::vector<Format> a, b;
  for (unsigned i = 0; i < codes; i += step) {
    for (unsigned j = 0; j < codes; j += step) {
      a.push_back(Format::from_bits(static_cast<typename Format::Bits>(i)));
      b.push_back(Format::from_bits(static_cast<typename Format::Bits>(j)));
    }
  }
  const auto sums = reduced(type, ReductionOperator::sum, a, b),
             products = reduced(type, ReductionOperator::product, a, b),
             least = reduced(type, ReductionOperator::minimum, a, b);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double x = static_cast<double>(a[i]), y = static_cast<double>(b[i]);
    const auto same = [](Format given, Format expected) {
      return std::isnan(static_cast<double>(expected)) ? std::isnan(static_cast<double>(given))
                                                       : given.bits == expected.bits;
    };
    const Format smaller = std::isnan(x) || std::isnan(y)         ? Format(std::numeric_limits<double>::quiet_NaN())
                           : x < y || (x == y && std::signbit(x)) ? a[i]
                                                                  : b[i];
    if (!same(sums[i], Format(x + y)) || !same(products[i], Format(x * y)) || !same(least[i], smaller)) ++wrong;
  }
  INFO(name_of(type));
  CHECK(wrong == 0);
}

template <class T>
void check_integers(ElementType type) {
  constexpr T low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
  const std::vector<T> a{low, high, high, 7, static_cast<T>(-1), 3}, b{high, 1, high, static_cast<T>(200), 2, 4};
  using Wide = std::uint64_t;
  INFO(name_of(type));
  // a length that is no multiple of any vector's
  std::vector<T> many, others;
  for (int round = 0; round < 23; ++round) {
    many.insert(many.end(), a.begin(), a.end());
    others.insert(others.end(), b.begin(), b.end());
  }
  const auto sums = reduced(type, ReductionOperator::sum, many, others),
             products = reduced(type, ReductionOperator::product, many, others);
  const auto least = reduced(type, ReductionOperator::minimum, many, others),
             most = reduced(type, ReductionOperator::maximum, many, others);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < many.size(); ++i) {
    const Wide x = static_cast<Wide>(many[i]), y = static_cast<Wide>(others[i]);
    if (sums[i] != static_cast<T>(x + y) || products[i] != static_cast<T>(x * y) ||
        least[i] != std::min(many[i], others[i]) || most[i] != std::max(many[i], others[i]))
      ++wrong;
  }
  CHECK(wrong == 0);
}

template <class T>
T scaled(ElementType type, T value, double multiplier) {
  scale_elements(type, &value, multiplier, 1);
  return value;
}

template <class T>
T divided_by(ElementType type, T value, int divisor) {
  divide_elements(type, &value, divisor, 1);
  return value;
}

}  // namespace

TEST_CASE("integers are reduced modulo 2^bits, with and without a sign") {
  check_integers<std::int8_t>(ElementType::int8);
  check_integers<std::uint8_t>(ElementType::uint8);
  check_integers<std::int16_t>(ElementType::int16);
  check_integers<std::uint16_t>(ElementType::uint16);
  check_integers<std::int32_t>(ElementType::int32);
  check_integers<std::uint32_t>(ElementType::uint32);
  check_integers<std::int64_t>(ElementType::int64);
  check_integers<std::uint64_t>(ElementType::uint64);
}

TEST_CASE("small floating-point formats are rounded once from the exact sum, product and minimum") {
  check_small_format<float8_e4m3fn>(ElementType::float8_e4m3fn, 256, 1);
  check_small_format<float8_e5m2>(ElementType::float8_e5m2, 256, 1);
  check_small_format<float16>(ElementType::float16, 65536,
                              61);  // coprime to powers of two: all fractions, all exponents
  check_small_format<bfloat16>(ElementType::bfloat16, 65536, 127);
}

TEST_CASE("every code of the small formats passes through float32 unchanged") {
  const auto passes = [](auto zero, unsigned codes) {
    using Format = decltype(zero);
    unsigned wrong = 0;
    for (unsigned code = 0; code < codes; ++code) {
      const Format element = Format::from_bits(static_cast<typename Format::Bits>(code));
      const float value = detail::SmallFloatValues<Format>::load(element);
      const double expected = static_cast<double>(element);
      if (std::isnan(expected)
              ? !std::isnan(value)
              : static_cast<double>(value) != expected || detail::SmallFloatValues<Format>::store(value).bits != code)
        ++wrong;
    }
    return wrong == 0;
  };
  CHECK(passes(float16{}, 65536));
  CHECK(passes(bfloat16{}, 65536));
  CHECK(passes(float8_e4m3fn{}, 256));
  CHECK(passes(float8_e5m2{}, 256));
}

TEST_CASE("minimum and maximum propagate NaN from either side and order zeros by their signs") {
  const float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
  const std::vector<float> a{nan, 1, 0.0f, -0.0f, -infinity, -3, 2, infinity},
      b{1, nan, -0.0f, 0.0f, infinity, -2, -2, nan};
  const auto least = reduced(ElementType::float32, ReductionOperator::minimum, a, b),
             most = reduced(ElementType::float32, ReductionOperator::maximum, a, b);
  for (const std::size_t i : {0U, 1U, 7U}) CHECK((std::isnan(least[i]) && std::isnan(most[i])));
  CHECK((std::signbit(least[2]) && std::signbit(least[3]) && !std::signbit(most[2]) && !std::signbit(most[3])));
  CHECK((least[4] == -infinity && most[4] == infinity && least[5] == -3 && most[5] == -2 && least[6] == -2 &&
         most[6] == 2));
  const std::vector<double> x{-0.0, 1, -1e300}, y{0.0, std::nan(""), 1e300};
  const auto doubles = reduced(ElementType::float64, ReductionOperator::minimum, x, y);
  CHECK((std::signbit(doubles[0]) && std::isnan(doubles[1]) && doubles[2] == -1e300));
}

TEST_CASE("averages of integers go toward zero, of floats to the nearest; multipliers are rounded to the type") {
  CHECK(divided_by<std::int8_t>(ElementType::int8, -7, 2) == -3);
  CHECK(divided_by<std::int64_t>(ElementType::int64, std::numeric_limits<std::int64_t>::min(), 3) ==
        std::numeric_limits<std::int64_t>::min() / 3);
  CHECK(divided_by<std::uint64_t>(ElementType::uint64, std::numeric_limits<std::uint64_t>::max(), 2) ==
        std::numeric_limits<std::uint64_t>::max() / 2);
  CHECK(divided_by<float>(ElementType::float32, 1, 3) == 1.0f / 3);
  CHECK(divided_by(ElementType::bfloat16, bfloat16(1), 3).bits == bfloat16(1.0 / 3).bits);
  CHECK(scaled<std::int8_t>(ElementType::int8, 3, -2.9) == -6);
  CHECK(scaled<std::uint8_t>(ElementType::uint8, 3, -1) == 253);
  CHECK(scaled<std::int32_t>(ElementType::int32, 3, 1e300) == 0);
  CHECK(scaled<std::int32_t>(ElementType::int32, 3, std::nan("")) == 0);
  CHECK(scaled<float>(ElementType::float32, 3, 0.1) == 3 * 0.1f);
  CHECK(scaled(ElementType::float16, float16(3), 0.1).bits == float16(3 * static_cast<double>(float16(0.1))).bits);
}
