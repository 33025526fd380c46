#pragma once

#include "assay/tolerance/accumulation_model.hpp"

namespace assay::inline v0 {

/// The arithmetic that a kernel promises: how it keeps sums and intermediate results, and how good its elementary
/// functions are.
struct Arithmetic {
  AccumulationModel accumulation = accumulation_in<float32>();
  /// Largest relative error of exp, log, tanh, erf, sin, cos, rsqrt, sqrt and division, in units of the accumulator's
  /// unit roundoff. 8 are 4 ulp: what vendors' math libraries promise for single precision (CUDA C++ Programming Guide,
  /// "Mathematical Functions": 1 to 2 ulp for most, 4 at worst), and their intrinsics for moderate arguments.
  double function_errors = 8;

  /// Largest relative error of one operation, 2^−p for p bits of significand.
  [[nodiscard]] constexpr double unit_roundoff() const { return accumulation.unit_roundoff; }
  /// Largest relative error of an elementary function.
  [[nodiscard]] constexpr double function_error() const { return function_errors * accumulation.unit_roundoff; }
};

/// Everything in format T.
template <Format T>
[[nodiscard]] constexpr Arithmetic arithmetic_in() {
  Arithmetic arithmetic;
  arithmetic.accumulation = accumulation_in<T>();
  return arithmetic;
}

}  // namespace assay::inline v0
