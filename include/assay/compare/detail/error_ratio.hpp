#pragma once

#include <type_traits>
#include <utility>

#include "assay/compare/expected_row.hpp"
#include "assay/formats/limits.hpp"
#include "assay/tolerance/tolerance.hpp"

namespace assay::inline v0::detail {

/// Error over allowed error: ≤ 1 for what is accepted, > 1 for what is not, infinite where no distance is defined.
template <Format T, class Model>
[[nodiscard]] ASSAY_FUNCTION double error_ratio(const Model& tolerance, T stored, ExpectedElement expected,
                                                const AcceptanceInterval& accepted) {
  const double out = decode(stored);
  const bool inside = accepted.contains(out);
  if (!is_finite(out) || !is_finite(expected.value)) return inside ? 0 : double_of(binary64_layout.infinity_bits());
  double ratio = 0;
  if constexpr (requires { tolerance.error_ratio(stored, expected); }) {
    ratio = tolerance.error_ratio(stored, expected);
  } else {
    ratio = error_over_interval(out, expected.value, accepted);
  }
  constexpr double just_above_one = 1 + 0x1p-52;
  if (inside) return ratio < 1 ? ratio : 1;  // also where inf/inf says nothing
  return ratio > 1 ? ratio : just_above_one;
}

/// The format in which an expectation hands out references.
template <class Expected>
struct ReferenceOf {
  using Type = double;
};
template <RowExpectation Expected>
struct ReferenceOf<Expected> {
  using Type = typename std::remove_cvref_t<decltype(std::declval<const Expected&>().expected_row(0))>::Value;
};

}  // namespace assay::inline v0::detail
