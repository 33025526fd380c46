#pragma once

namespace assay::inline v0 {

/// What maxima, minima and relu make of NaN.
enum class NanPolicy {
  propagate,  ///< NaN, as IEEE 754-2019's maximum has it
  number      ///< the other operand, as its maximumNumber and C's fmax have it; relu gives 0
};

}  // namespace assay::inline v0
