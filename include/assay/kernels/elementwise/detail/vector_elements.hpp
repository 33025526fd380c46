#pragma once

#include <cstddef>

#include "assay/core/vector_extremes.hpp"
#include "assay/core/vector_variants.hpp"
#include "assay/kernels/detail/vector_exponential.hpp"
#include "assay/kernels/detail/vector_reciprocal.hpp"
#include "assay/kernels/elementwise/function.hpp"

#if defined(__NVCC__)
#pragma nv_diagnostic push
#pragma nv_diag_suppress 1675  // unknown attributes: the host compiler knows them
#endif

namespace assay::inline v0::detail {
inline namespace ASSAY_DETAIL_UNIT_VARIANT {

/// References and bounds of elements of one row, as ElementwiseFormula has them, for finite operands, of gelu_tanh also
/// after doubling; what becomes of the others is not to be used, but `all_finite` tells.
struct VectorElements {
  ElementwiseFunction function;
  const float* x;
  const float* y;
  double unit, function_error, underflow, largest;
  bool one_rounding;
  double* value;
  double* error;

  struct Body {
    template <std::size_t Bytes>
    struct Lanes {
      using Doubles = typename Vector<double, Bytes>::Type;
      using Place = typename Vector<double, Bytes>::Unaligned;
      static constexpr std::ptrdiff_t count = Bytes / 8;

      /// What σ is taken of.
      template <ElementwiseFunction function>
      ASSAY_DETAIL_INLINE static void argument(const Doubles& x, Doubles& t) {
        constexpr double twice = 2 * 0.7978845608028654;
        if constexpr (function == ElementwiseFunction::gelu_tanh)
          t = x * (twice + twice * 0.044715 * (x * x));
        else
          t = x;
      }
      /// −|t|, where −700 stands for what is beyond.
      ASSAY_DETAIL_INLINE static void descent_of(const Doubles& t, Doubles& descent) {
        negative_magnitude(t, descent);
        at_least(descent, Doubles{} - 700.0);
      }
      /// s = σ(t) = 1/(1 + e^−t) and its complement 1 − s = σ(−t), of `power` = e^−|t| ≤ 1, so that nothing overflows.
      ASSAY_DETAIL_INLINE static void logistic(const Doubles& t, const Doubles& power, Doubles& s,
                                               Doubles& complement) {
        Doubles larger;
        VectorReciprocal<Bytes>::apply(1.0 + power, larger);
        const Doubles smaller = power * larger;
        const auto negative = t < 0.0;
        s = negative ? smaller : larger;
        complement = negative ? larger : smaller;
      }
      /// e^−|t| of all elements.
      template <ElementwiseFunction function>
      ASSAY_DETAIL_INLINE static void powers(const float* from, std::ptrdiff_t elements, double* power) {
        for (std::ptrdiff_t i = 0; i + count <= elements; i += count) {
          Doubles x, t, descent;
          WidenSingles<Bytes>::load(from + i, x);
          argument<function>(x, t);
          descent_of(t, descent);
          VectorExponential<Bytes>::apply(descent);
          *reinterpret_cast<Place*>(power + i) = descent;
        }
      }
    };

    template <std::size_t Bytes, ElementwiseFunction function>
    ASSAY_DETAIL_INLINE static void walk(const std::ptrdiff_t& count, std::ptrdiff_t& done, bool& all_finite,
                                         const VectorElements& row) {
      using L = Lanes<Bytes>;
      using Doubles = typename L::Doubles;
      using Place = typename L::Place;
      const Doubles zero = {};
      const double u = row.unit, epsilon = row.function_error, underflow = row.underflow, largest = row.largest;
      const float *const from = row.x, *const second = row.y;
      double *const value = row.value, *const error = row.error;
      const Doubles half_epsilon = zero + 0.5 * epsilon,
                    slope = zero - (function == ElementwiseFunction::gelu_tanh ? 8 : 2) * u;
      Doubles odd = zero;   // 0 while all is finite, else NaN
      Doubles most = zero;  // of the operands that are doubled
      // A loop of its own: of so long a chain of instructions processors would have too few elements at work at a time.
      if constexpr (logistic(function)) L::template powers<function>(from, count, value);
      std::ptrdiff_t i = 0;
      for (; i + L::count <= count; i += L::count) {
        Doubles x, size, r, e;
        WidenSingles<Bytes>::load(from + i, x);
        if constexpr (function == ElementwiseFunction::relu) {
          r = x > 0.0 ? x : zero;
          e = zero;
        } else if constexpr (operands_of(function) == 2) {
          Doubles y;
          WidenSingles<Bytes>::load(second + i, y);
          r = function == ElementwiseFunction::add ? x + y : function == ElementwiseFunction::subtract ? x - y : x * y;
          magnitude(r, size);
          e = row.one_rounding ? zero : u * size + underflow;
          odd += y * 0.0;
        } else {
          const Doubles power = *reinterpret_cast<const Place*>(value + i);
          Doubles t, descent, s, complement;
          L::template argument<function>(x, t);
          L::descent_of(t, descent);
          L::logistic(t, power, s, complement);
          r = function == ElementwiseFunction::sigmoid ? s : x * s;
          if constexpr (function == ElementwiseFunction::gelu_tanh) {
            magnitude(x, size);
            at_least(most, size);
            Doubles level;  // |2s − 1|
            magnitude(s - complement, level);
            Doubles share = s * (epsilon + epsilon * complement);
            at_least(share, half_epsilon * level);
            e = size * (share + s * (complement * (slope * descent) + 4 * u)) + underflow;
          } else {
            magnitude(r, size);
            const Doubles condition = complement * (epsilon + slope * descent),
                          rho = condition + ((function == ElementwiseFunction::silu ? 2 : 1) * u + epsilon);
            e = size * (rho + rho * rho) + underflow;
            const Doubles room =
                x < 0.0 ? power * largest : zero + largest;  // e^−x overflows where 1 + condition exceeds it
            e = 1.0 + condition > room ? e + size : e;
          }
        }
        odd += x * 0.0;
        *reinterpret_cast<Place*>(value + i) = r;
        *reinterpret_cast<Place*>(error + i) = e;
      }
      for (std::ptrdiff_t lane = 0; lane < L::count; ++lane)
        all_finite &= odd[lane] == 0 && 2 * most[lane] * (1 + 2 * u) <= largest;
      done = i;
    }
    template <std::size_t Bytes>
    ASSAY_DETAIL_INLINE static void run(const std::ptrdiff_t& count, std::ptrdiff_t& done, bool& all_finite,
                                        const VectorElements& row) {
      switch (row.function) {
        case ElementwiseFunction::relu: return walk<Bytes, ElementwiseFunction::relu>(count, done, all_finite, row);
        case ElementwiseFunction::gelu_tanh:
          return walk<Bytes, ElementwiseFunction::gelu_tanh>(count, done, all_finite, row);
        case ElementwiseFunction::silu: return walk<Bytes, ElementwiseFunction::silu>(count, done, all_finite, row);
        case ElementwiseFunction::sigmoid:
          return walk<Bytes, ElementwiseFunction::sigmoid>(count, done, all_finite, row);
        case ElementwiseFunction::add: return walk<Bytes, ElementwiseFunction::add>(count, done, all_finite, row);
        case ElementwiseFunction::subtract:
          return walk<Bytes, ElementwiseFunction::subtract>(count, done, all_finite, row);
        case ElementwiseFunction::multiply:
          return walk<Bytes, ElementwiseFunction::multiply>(count, done, all_finite, row);
        default: done = 0;
      }
    }
  };

  [[nodiscard]] static constexpr bool logistic(ElementwiseFunction function) {
    using enum ElementwiseFunction;
    return function == gelu_tanh || function == silu || function == sigmoid;
  }
  [[nodiscard]] static constexpr bool knows(ElementwiseFunction function) {
    using enum ElementwiseFunction;
    return function == relu || function == gelu_tanh || function == silu || function == sigmoid || function == add ||
           function == subtract || function == multiply;
  }
};

}  // namespace ASSAY_DETAIL_UNIT_VARIANT
}  // namespace assay::inline v0::detail

#if defined(__NVCC__)
#pragma nv_diagnostic pop
#endif
