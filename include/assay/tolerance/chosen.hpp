#pragma once

#include <string>

#include "assay/tolerance/absolute_relative.hpp"
#include "assay/tolerance/derived.hpp"
#include "assay/tolerance/exact.hpp"
#include "assay/tolerance/ulps.hpp"

namespace assay::inline v0 {

/// A tolerance chosen at run time, by name: one model, and one instantiation of the comparison, for all of them.
struct ChosenTolerance {
  /// The models to choose from.
  enum class Kind { derived, exact, ulps, preset, absolute_relative };

  Kind kind = Kind::derived;  ///< which of them
  Preset preset = Preset::normal;
  unsigned ulps = 0;    ///< of `ulps`: units in the last place of the output
  double absolute = 0;  ///< of `absolute_relative`: in the unit of the output
  double relative = 0;  ///< of `absolute_relative`: a fraction of the expected value

  template <Format T>
  [[nodiscard]] ASSAY_FUNCTION constexpr AcceptanceInterval interval(ExpectedElement expected) const {
    switch (kind) {
      case Kind::derived: break;
      case Kind::exact: return ExactTolerance{}.template interval<T>(expected);
      case Kind::ulps: return UlpTolerance{ulps}.template interval<T>(expected);
      case Kind::preset: return preset_tolerance<T>(preset).template interval<T>(expected);
      case Kind::absolute_relative: return AbsoluteRelativeTolerance{absolute, relative}.template interval<T>(expected);
    }
    return DerivedTolerance{}.template interval<T>(expected);
  }

  template <Format T>
  [[nodiscard]] ASSAY_FUNCTION constexpr double error_ratio(T out, ExpectedElement expected) const {
    if (kind == Kind::derived) return DerivedTolerance{}.error_ratio(out, expected);
    return error_over_interval(decode(out), expected.value, interval<T>(expected));
  }

  [[nodiscard]] std::string describe() const {
    switch (kind) {
      case Kind::derived: break;
      case Kind::exact: return ExactTolerance{}.describe();
      case Kind::ulps: return UlpTolerance{ulps}.describe();
      case Kind::preset:
        return preset == Preset::strict    ? "preset: strict"
               : preset == Preset::relaxed ? "preset: relaxed"
                                           : "preset: normal";
      case Kind::absolute_relative: return AbsoluteRelativeTolerance{absolute, relative}.describe();
    }
    return DerivedTolerance{}.describe();
  }
};

}  // namespace assay::inline v0
