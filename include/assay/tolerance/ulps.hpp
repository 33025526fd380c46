#pragma once

#include <cstdint>

#include "assay/formats/limits.hpp"
#include "assay/tolerance/tolerance.hpp"

namespace assay::inline v0 {

namespace detail {

/// The number of a layout so many places above (below) zero; beyond the last the last, which is an infinity where there
/// is one.
[[nodiscard]] ASSAY_FUNCTION constexpr double number_at(FloatLayout layout, std::int64_t place) {
  const std::uint64_t last = layout.has_infinity() ? layout.infinity_bits() : layout.max_finite_bits();
  const std::uint64_t rank = static_cast<std::uint64_t>(place < 0 ? -place : place);
  const double size = decode(layout, rank < last ? rank : last);
  return place < 0 ? -size : size;
}

/// A finite reference, rounded, and its `count` neighbors on either side.
[[nodiscard]] ASSAY_FUNCTION constexpr AcceptanceInterval interval_of_places(FloatLayout layout, double reference,
                                                                             unsigned count) {
  const std::uint64_t rounded = encode(layout, reference);
  if (layout.is_nan(rounded)) return AcceptanceInterval::only_nan();
  const auto rank = static_cast<std::int64_t>(rounded & layout.magnitude_mask());
  const std::int64_t place = (rounded & layout.sign_mask()) != 0 ? -rank : rank;  // numbers in order, both zeros at 0
  return {number_at(layout, place - count), number_at(layout, place + std::int64_t{count}), false, false};
}

}  // namespace detail

/// Accepts the correctly rounded reference and its `count` neighbors on either side.
struct UlpTolerance {
  unsigned count = 1;

  template <Format T>
  [[nodiscard]] ASSAY_FUNCTION constexpr AcceptanceInterval interval(ExpectedElement expected) const {
    if (const detail::SpecialExpectation special = detail::special_expectation<T>(expected); special.decided)
      return special.interval;
    return detail::interval_of_places(FormatTraits<T>::layout, expected.value, count);
  }
  [[nodiscard]] std::string describe() const {
    return "ulps: accept within " + std::to_string(count) + " units in the last place of the rounded reference";
  }
};

}  // namespace assay::inline v0
