#include "assay/formats/format_description.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include "assay/formats/format_list.hpp"
#include "testing/catch.hpp"

using namespace assay;

namespace {

/// The figures of a format by going through all of its codes.
template <class T>
void check_by_counting() {
  const FormatDescription description = format_description<T>();
  INFO(description.name);
  std::uint64_t nans = 0;
  int infinities = 0;
  double lowest = std::numeric_limits<double>::infinity(), largest = -lowest, smallest = lowest;
  bool zero = false, negative_zero = false;
  for (std::uint64_t code = 0; code < std::uint64_t{1} << description.bits; ++code) {
    const double value = decode(FormatTraits<T>::from_bits(static_cast<typename FormatTraits<T>::Bits>(code)));
    nans += std::isnan(value) ? 1 : 0;
    infinities += std::isinf(value) ? 1 : 0;
    if (!std::isfinite(value)) continue;
    lowest = std::fmin(lowest, value);
    largest = std::fmax(largest, value);
    if (value > 0) smallest = std::fmin(smallest, value);
    (std::signbit(value) ? negative_zero : zero) |= value == 0;
  }
  CHECK(description.nans == nans);
  CHECK(description.infinities == infinities);
  CHECK(description.lowest == lowest);
  CHECK(description.largest == largest);
  CHECK(description.has_zero == zero);
  CHECK(description.has_negative_zero == negative_zero);
  CHECK(description.bytes == sizeof(T));
  CHECK(std::string(description.name) == FormatTraits<T>::name());
  if constexpr (FloatFormat<T>) {
    CHECK(description.kind == FormatKind::floating_point);
    CHECK(smallest ==
          (description.smallest_subnormal > 0 ? description.smallest_subnormal : description.smallest_normal));
    CHECK(description.smallest_normal == min_normal<T>());
    CHECK((description.has_zero ? 1 : 0) + description.exponent_bits + description.fraction_bits >=
          description.bits - 1);
  } else {
    CHECK(description.kind == (IntegerFormat<T> ? FormatKind::integer : FormatKind::table));
    CHECK(description.smallest_normal == 0);
    CHECK(description.exponent_bits == 0);
  }
}

template <class... Formats>
void check_small(FormatList<Formats...>) {
  const auto check = []<class T>() {
    if constexpr (FormatTraits<T>::bits <= 19) check_by_counting<T>();
  };
  (check.template operator()<Formats>(), ...);
}

}  // namespace

TEST_CASE("the figures of every format up to 19 bits are those that counting gives", "[formats]") {
  check_small(AllFormats{});
}

TEST_CASE("the figures of float and double are the standard library's", "[formats]") {
  constexpr FormatDescription single = format_description<float>(), whole = format_description<double>();
  static_assert(single.bits == 32 && single.exponent_bits == 8 && single.fraction_bits == 23 && single.bias == 127 &&
                single.infinities == 2);
  static_assert(single.nans == 2 * ((1u << 23) - 1) && whole.bits == 64 && whole.bias == 1023 &&
                whole.has_negative_zero);
  static_assert(single.largest == static_cast<double>(std::numeric_limits<float>::max()) &&
                whole.lowest == std::numeric_limits<double>::lowest());
  static_assert(whole.smallest_subnormal == std::numeric_limits<double>::denorm_min() &&
                whole.smallest_normal == std::numeric_limits<double>::min());
  SUCCEED("checked by the compiler");
}
