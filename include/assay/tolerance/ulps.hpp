#pragma once

#include <cstdint>

#include "assay/formats/limits.hpp"
#include "assay/tolerance/tolerance.hpp"

namespace assay::inline v0 {

/// Accepts the correctly rounded reference and its `count` neighbours on either side.
struct UlpTolerance {
  unsigned count = 1;

  template <Format T>
  [[nodiscard]] ASSAY_FUNCTION constexpr AcceptanceInterval interval(ExpectedElement expected) const {
    if (const detail::SpecialExpectation special = detail::special_expectation<T>(expected); special.decided) return special.interval;
    constexpr FloatLayout layout = FormatTraits<T>::layout;
    const T rounded = encode<T>(expected.value);
    if (is_nan(rounded)) return AcceptanceInterval::only_nan();
    const auto rank = static_cast<std::int64_t>(FormatTraits<T>::to_bits(rounded) & layout.magnitude_mask());
    const std::int64_t place = is_negative(rounded) ? -rank : rank;  // numbers in order, both zeros at 0
    return {number_at<T>(place - count), number_at<T>(place + std::int64_t{count}), false, false};
  }
  [[nodiscard]] std::string describe() const {
    return "ulps: accept within " + std::to_string(count) + " units in the last place of the rounded reference";
  }

 private:
  /// The number so many places above (below) zero; beyond the last the last, which is an infinity where there is one.
  template <Format T>
  ASSAY_FUNCTION static constexpr double number_at(std::int64_t place) {
    constexpr FloatLayout layout = FormatTraits<T>::layout;
    const std::uint64_t last = layout.has_infinity() ? layout.infinity_bits() : layout.max_finite_bits();
    const std::uint64_t rank = static_cast<std::uint64_t>(place < 0 ? -place : place);
    const double size = decode(layout, rank < last ? rank : last);
    return place < 0 ? -size : size;
  }
};

}  // namespace assay::inline v0
