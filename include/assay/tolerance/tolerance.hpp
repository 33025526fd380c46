#pragma once

#include <string>
#include <type_traits>

#include "assay/formats/format_traits.hpp"
#include "assay/tolerance/acceptance_interval.hpp"
#include "assay/tolerance/expected_element.hpp"

namespace assay::inline v0 {

/// What an output of format T may be, given what the reference expects.
///
/// `interval<T>(expected)` gives the acceptance interval of one element. It contains the reference, or the reference
/// rounded to T, whenever that is determined; it is a pure function, callable on devices, O(1). `describe()` says in
/// one sentence what is accepted, for reports. Models are trivially copyable. Optional: `error_ratio(out, expected)`,
/// the error over what is allowed for finite values, where a model knows better than the distance to the reference over
/// the distance to the interval's end.
template <class Model, class T>
concept Tolerance = Format<T> && std::is_trivially_copyable_v<Model> &&
    requires(const Model& model, ExpectedElement expected) {
  requires std::is_same_v<decltype(model.template interval<T>(expected)), AcceptanceInterval>;
  requires std::is_same_v<decltype(model.describe()), std::string>;
};

namespace detail {

/// The interval of a special reference: NaN asks for NaN, an infinity for what T makes of it. Of a NaN in a format that
/// has none nothing can be said. `decided` tells whether the reference was special.
struct SpecialExpectation {
  AcceptanceInterval interval;
  bool decided = false;
};

template <Format T>
ASSAY_FUNCTION constexpr SpecialExpectation special_expectation(ExpectedElement expected,
                                                                Overflow overflow = Overflow::ieee) {
  SpecialExpectation special;
  special.decided = true;
  const double stored = decode(encode<T>(expected.value, Rounding::nearest_even, overflow));
  if (is_nan(expected.value)) {
    special.interval = is_nan(stored) ? AcceptanceInterval::only_nan() : AcceptanceInterval::nothing_known();
  } else if (is_infinite(expected.value)) {
    special.interval =
        is_nan(stored) ? AcceptanceInterval::only_nan() : AcceptanceInterval{stored, stored, false, false};
  } else {
    special.decided = false;
  }
  return special;
}

}  // namespace detail
}  // namespace assay::inline v0
