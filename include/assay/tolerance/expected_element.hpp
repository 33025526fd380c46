#pragma once

namespace assay::inline v0 {

/// What a reference knows of one element of an output, before the output is rounded.
struct ExpectedElement {
  double value = 0;  ///< the reference r
  /// E: how far a correct kernel's result may lie from r before it is rounded to the output format. Infinite where no
  /// bound holds (the accumulator may overflow, or γ is void): the element is then undetermined, if r is finite. NaN
  /// and infinite references decide by themselves, whatever E: where such a one may be wrong r is to be 0.
  double error = 0;
};

}  // namespace assay::inline v0
