#pragma once

#include "assay/tolerance/absolute_relative.hpp"
#include "assay/tolerance/chosen.hpp"
#include "assay/tolerance/derived.hpp"
#include "assay/tolerance/exact.hpp"
#include "assay/tolerance/ulps.hpp"

namespace assay::inline v0::detail {

/// A tolerance as the vector path knows it.
struct VectorRule {
  enum class Kind {
    none,               ///< element by element
    derived,            ///< out ∈ [RN(r − E), RN(r + E)]
    absolute_relative,  ///< |out − r| ≤ absolute + relative·|r|
    places              ///< within so many numbers of r, which is one of the format's
  };
  Kind kind = Kind::none;
  double absolute = 0;
  double relative = 0;
  unsigned places = 0;
};

/// Models that nobody taught the vectors are asked element by element.
template <Format T, class Model>
VectorRule vector_rule(const Model&) {
  return {};
}
template <Format T>
VectorRule vector_rule(const DerivedTolerance& model) {
  if (model.output_rounding != Rounding::nearest_even || model.output_overflow != Overflow::ieee) return {};
  return {VectorRule::Kind::derived, 0, 0, 0};
}
template <Format T>
VectorRule vector_rule(const AbsoluteRelativeTolerance& model) {
  const bool moderate = model.absolute >= 0 && model.absolute <= max_finite<T>() * 0.125 && model.absolute <= 0x1p900 &&
                        model.relative >= 0 && model.relative <= 0x1p20;
  return moderate ? VectorRule{VectorRule::Kind::absolute_relative, model.absolute, model.relative, 0} : VectorRule{};
}
template <Format T>
VectorRule vector_rule(const UlpTolerance& model) {
  constexpr FloatLayout layout = FormatTraits<T>::layout;
  return model.count <= (std::uint64_t{1} << (layout.fraction_bits - 1))
             ? VectorRule{VectorRule::Kind::places, 0, 0, model.count}
             : VectorRule{};
}
template <Format T>
VectorRule vector_rule(const ExactTolerance&) {
  return {VectorRule::Kind::places, 0, 0, 0};
}
template <Format T>
VectorRule vector_rule(const ChosenTolerance& model) {
  switch (model.kind) {
    case ChosenTolerance::Kind::derived: break;
    case ChosenTolerance::Kind::exact: return vector_rule<T>(ExactTolerance{});
    case ChosenTolerance::Kind::ulps: return vector_rule<T>(UlpTolerance{model.ulps});
    case ChosenTolerance::Kind::preset: return vector_rule<T>(preset_tolerance<T>(model.preset));
    case ChosenTolerance::Kind::absolute_relative:
      return vector_rule<T>(AbsoluteRelativeTolerance{model.absolute, model.relative});
  }
  return vector_rule<T>(DerivedTolerance{});
}

}  // namespace assay::inline v0::detail
