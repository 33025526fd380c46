#pragma once

#include <cmath>

#include "assay/kernels/linear/problem.hpp"
#include "assay/tolerance/bounded.hpp"

namespace assay::inline v0 {

/// An activation and how far a kernel may be from it, by running error analysis of its formula: any of the usual ones,
/// so that far on the negative side the error is relative to x and not to the small result (1 + erf and 1 + tanh cancel
/// there, and so does the sigmoid that is made of tanh). Where x is −∞ all but ReLU are −∞·0, NaN. `swiglu` is not
/// among them: it is silu times something.
[[nodiscard]] ASSAY_FUNCTION inline Bounded activate(const BoundedArithmetic& arithmetic, LinearActivation activation,
                                                     Bounded x) {
  const auto halved = [&](Bounded one_plus) { return arithmetic.multiply(arithmetic.scale(x, 0.5), one_plus); };
  switch (activation) {
    case LinearActivation::relu: {
      if (is_nan(x.value)) return x;
      return {x.value > 0 ? x.value : 0, x.value + x.error > 0 ? x.error : 0};
    }
    case LinearActivation::gelu: {
      const Bounded argument = arithmetic.multiply(x, {0.70710678118654752, 0.70710678118654752 * arithmetic.unit});
      return halved(arithmetic.add(arithmetic.exact(1), arithmetic.erf(argument)));
    }
    case LinearActivation::gelu_tanh: {
      Bounded tangent{x.value > 0 ? 1.0 : -1.0, is_infinite(x.value) ? 0 : arithmetic.function_error};
      if (detail::absolute(x.value) - x.error < 10) {  // beyond, the cube may overflow, and tanh is ±1
        const Bounded cube = arithmetic.multiply(arithmetic.multiply(x, x), x);
        const Bounded inner = arithmetic.add(x, arithmetic.multiply({0.044715, 0.044715 * arithmetic.unit}, cube));
        tangent =
            arithmetic.tanh(arithmetic.multiply({0.79788456080286536, 0.79788456080286536 * arithmetic.unit}, inner));
      }
      return halved(arithmetic.add(arithmetic.exact(1), tangent));
    }
    case LinearActivation::silu:
    case LinearActivation::swiglu: {
      Bounded result = arithmetic.multiply(x, arithmetic.sigmoid(x));
      if (is_finite(result.value)) result.error += arithmetic.function_error * detail::absolute(x.value);
      return result;
    }
    case LinearActivation::none: break;
  }
  return x;
}

/// The same in single precision, as kernels have it.
[[nodiscard]] ASSAY_FUNCTION inline float activate(LinearActivation activation, float x) {
  switch (activation) {
    case LinearActivation::relu: return x > 0 || is_nan(x) ? x : 0.0F;
    case LinearActivation::gelu: return 0.5F * x * (1.0F + std::erf(x * 0.70710678F));
    case LinearActivation::gelu_tanh: return 0.5F * x * (1.0F + std::tanh(0.79788456F * (x + 0.044715F * x * x * x)));
    case LinearActivation::silu:
    case LinearActivation::swiglu: return x / (1.0F + std::exp(-x));
    case LinearActivation::none: break;
  }
  return x;
}

}  // namespace assay::inline v0
