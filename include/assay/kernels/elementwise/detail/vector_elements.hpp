#pragma once

#include <cstddef>

#include "assay/core/detail/vector_variants.hpp"
#include "assay/kernels/detail/vector_exponential.hpp"
#include "assay/kernels/elementwise/function.hpp"

#if defined(__NVCC__)
#pragma nv_diagnostic push
#pragma nv_diag_suppress 1675  // unknown attributes: the host compiler knows them
#endif

namespace assay::inline v0::detail {
inline namespace ASSAY_DETAIL_UNIT_VARIANT {

/// References and bounds of elements of one row, as ElementwiseFormula has them, for finite operands; what becomes of the others is not to be used, but `all_finite` tells.
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

      ASSAY_DETAIL_INLINE static void absolute(const Doubles& x, Doubles& size) { size = x < 0.0 ? -x : x; }
      /// 1/(1 + e^−t) and e^−t, where e^±700 stands for what is beyond.
      ASSAY_DETAIL_INLINE static void logistic(const Doubles& t, Doubles& s, Doubles& power) {
        const Doubles zero = {};
        power = -t;
        power = power < 700.0 ? power : zero + 700.0;
        power = power > -700.0 ? power : zero - 700.0;
        VectorExponential<Bytes>::apply(power);
        s = 1.0 / (1.0 + power);
      }
    };

    template <std::size_t Bytes, ElementwiseFunction function>
    ASSAY_DETAIL_INLINE static void walk(const std::ptrdiff_t& count, std::ptrdiff_t& done, bool& all_finite, const VectorElements& row) {
      using L = Lanes<Bytes>;
      using Doubles = typename L::Doubles;
      using Place = typename L::Place;
      const Doubles zero = {};
      const double u = row.unit, epsilon = row.function_error, underflow = row.underflow, largest = row.largest;
      const float *const from = row.x, *const second = row.y;
      double *const value = row.value, *const error = row.error;
      Doubles odd = zero;  // 0 while all is finite, else NaN
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
          L::absolute(r, size);
          e = row.one_rounding ? zero : u * size + underflow;
          odd += y * 0.0;
        } else if constexpr (function == ElementwiseFunction::gelu_tanh) {
          Doubles s, power, z = 0.7978845608028654 * (x + 0.044715 * x * x * x), size_of_z, size_of_x;
          L::logistic(2.0 * z, s, power);
          r = x * s;
          L::absolute(r, size);
          L::absolute(z, size_of_z);
          L::absolute(x, size_of_x);
          Doubles level;
          L::absolute(2.0 * s - 1.0, level);
          const Doubles by_tanh = 0.5 * epsilon * size_of_x * level, by_sigmoid = size * (epsilon * (2.0 - s));
          size_of_z = size_of_z < 350.0 ? size_of_z : zero + 350.0;
          e = (by_tanh > by_sigmoid ? by_tanh : by_sigmoid) + size * (power * s * (16 * u) * size_of_z + 4 * u) + underflow;
          odd += (2.0 * size_of_x > largest ? zero + __builtin_inf() : zero) * 0.0;  // gelu_tanh doubles its operand
        } else {                                                                     // silu, sigmoid
          Doubles s, power, size_of_x;
          L::logistic(x, s, power);
          r = function == ElementwiseFunction::silu ? x * s : s;
          L::absolute(r, size);
          L::absolute(x, size_of_x);
          size_of_x = size_of_x < 1e9 ? size_of_x : zero + 1e9;
          const Doubles condition = power * s * (epsilon + 2 * u * size_of_x),
                        rho = condition + ((function == ElementwiseFunction::silu ? 2 : 1) * u + epsilon);
          e = size * (rho + rho * rho) + underflow;
          e = power * (1.0 + condition) > largest ? e + size : e;
        }
        odd += x * 0.0;
        *reinterpret_cast<Place*>(value + i) = r;
        *reinterpret_cast<Place*>(error + i) = e;
      }
      for (std::ptrdiff_t lane = 0; lane < L::count; ++lane) all_finite &= odd[lane] == 0;
      done = i;
    }
    template <std::size_t Bytes>
    ASSAY_DETAIL_INLINE static void run(const std::ptrdiff_t& count, std::ptrdiff_t& done, bool& all_finite, const VectorElements& row) {
      switch (row.function) {
        case ElementwiseFunction::relu: return walk<Bytes, ElementwiseFunction::relu>(count, done, all_finite, row);
        case ElementwiseFunction::gelu_tanh: return walk<Bytes, ElementwiseFunction::gelu_tanh>(count, done, all_finite, row);
        case ElementwiseFunction::silu: return walk<Bytes, ElementwiseFunction::silu>(count, done, all_finite, row);
        case ElementwiseFunction::sigmoid: return walk<Bytes, ElementwiseFunction::sigmoid>(count, done, all_finite, row);
        case ElementwiseFunction::add: return walk<Bytes, ElementwiseFunction::add>(count, done, all_finite, row);
        case ElementwiseFunction::subtract: return walk<Bytes, ElementwiseFunction::subtract>(count, done, all_finite, row);
        case ElementwiseFunction::multiply: return walk<Bytes, ElementwiseFunction::multiply>(count, done, all_finite, row);
        default: done = 0;
      }
    }
  };

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
