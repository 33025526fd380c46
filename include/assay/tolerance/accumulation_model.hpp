#pragma once

#include "assay/core/index.hpp"
#include "assay/formats/limits.hpp"

namespace assay::inline v0 {

/// The arithmetic in which a kernel keeps its sums, as it promises it. The bound of every reduction reads it.
struct AccumulationModel {
  const char* format_name = "f32";  ///< as `FormatTraits` names it
  double unit_roundoff = 0;  ///< largest relative error of one rounding: half an ulp to nearest, an ulp if it truncates
  double max_finite = 0;     ///< sums beyond it overflow
  double min_subnormal = 0;  ///< η: absolute error of one underflow; the smallest normal number if it flushes
  int precision = 24;        ///< significand bits
  bool truncating = false;   ///< rounds toward zero: errors have a bias, so the statistical bound is void
  Index block = 1;  ///< products aligned with the sum and added at once (matrix units); 1: every addition rounds
  Index split = 1;  ///< partial sums that are stored in `partial_unit_roundoff` before they are added
  double partial_unit_roundoff = 0;  ///< of the partial sums' format; 0: the accumulator's own
  /// products after which a sum is added to one in float32 and begun anew, as short accumulators need it; 0: never
  Index promotion = 0;

  /// How many roundings lie between `terms` products and their sum. A block cuts each of its products and the sum so
  /// far where the largest of them ends, and then its result: each an error of `unit_roundoff` against Σ|products|.
  [[nodiscard]] constexpr Index roundings(Index terms) const {
    if (block <= 1) return terms;
    return (terms + block - 1) / block * (block + 2);
  }
};

/// Sums kept in format T and rounded to nearest.
template <Format T>
[[nodiscard]] constexpr AccumulationModel accumulation_in() {
  AccumulationModel model;
  model.format_name = FormatTraits<T>::name();
  model.unit_roundoff = unit_roundoff<T>();
  model.max_finite = max_finite<T>();
  model.min_subnormal = min_subnormal<T>();
  model.precision = FormatTraits<T>::layout.precision();
  return model;
}

}  // namespace assay::inline v0
