#pragma once

#include <cstddef>
#include <cstdint>

#include "assay/core/vector_extremes.hpp"
#include "assay/kernels/detail/pair_exponential.hpp"
#include "assay/kernels/elementwise/function.hpp"

#if defined(__NVCC__)
#pragma nv_diagnostic push
#pragma nv_diag_suppress 1675  // unknown attributes: the host compiler knows them
#endif

namespace assay::inline v0::detail {
inline namespace ASSAY_DETAIL_UNIT_VARIANT {

/// What `VectorElements` computes of σ, silu and gelu_tanh, the references as pairs. With w = 1 + e^−t, n = 1 or x and
/// v the single quotient n/w, what that lacks is (n − v·w)/w, whose first product is exact. Off by less than twice the
/// exponential's error of the whole.
template <ElementwiseFunction function>
struct PairedLogistic {
  static constexpr bool gelu = function == ElementwiseFunction::gelu_tanh,
                        scaled = function != ElementwiseFunction::sigmoid, bounded_below = scaled;
  static constexpr double error = 2 * PairExponential<16>::error;
  float unit, function_error, underflow;
  float greatest = gelu ? 9 : 80;  ///< |t| ≤ 80
  float least = 0x1p-126F;         ///< x·s is not 0
  PairPowers powers{};

  template <std::size_t Bytes>
  ASSAY_DETAIL_INLINE void prepare() {
    PairExponential<Bytes>::fill(1, true, powers);
  }
  ASSAY_DETAIL_INLINE void rest(std::ptrdiff_t, std::ptrdiff_t) const {}

  /// −t of gelu_tanh: −x·(a + b·x²), a = 2√(2/π), b = 0.044715·a. The single for a is a multiple of 2⁻²¹, so that what
  /// is subtracted from it, at most four times as large, leaves a single.
  template <class Singles>
  ASSAY_DETAIL_INLINE static void argument(const Singles& x, Singles& t, Singles& rest) {
    constexpr double a = 2 * 0.7978845608028654, b = a * 0.044715;
    constexpr float a_single = static_cast<float>(static_cast<std::int64_t>(a * 0x1p21)) * 0x1p-21F,
                    b_single = static_cast<float>(b);
    constexpr float a_rest = static_cast<float>(a - static_cast<double>(a_single)),
                    b_rest = static_cast<float>(b - static_cast<double>(b_single));
    const Singles square = x * x, slope = Singles{} + b_single;
    Singles square_rest = -square, factor = Singles{} + a_single;
    add_product(square_rest, x, x);
    add_product(factor, square, slope);
    Singles factor_rest = a_single - factor;
    add_product(factor_rest, square, slope);
    factor_rest = factor_rest + ((square * b_rest + a_rest) + square_rest * b_single);
    t = -(x * factor);
    rest = -t;
    subtract_product(rest, x, factor);
    subtract_product(rest, x, factor_rest);
  }

  /// e^−t as a pair, and t. In a loop of its own: of so long a chain of instructions processors would have too few
  /// elements at work at a time.
  template <std::size_t Bytes, class Singles = typename Vector<float, Bytes>::Type>
  ASSAY_DETAIL_INLINE void begin(const Singles& x, Singles& whole, Singles& rest, Singles& t) const {
    Singles t_rest{}, power, r, q;
    t = -x;
    if constexpr (gelu) argument(x, t, t_rest);
    PairExponential<Bytes>::apply(powers, t, t_rest, power, r, q);
    PairExponential<Bytes>::pair(power, r, q, whole, rest);
  }
  /// What comes of those.
  template <std::size_t Bytes, class Singles = typename Vector<float, Bytes>::Type>
  ASSAY_DETAIL_INLINE void at(std::ptrdiff_t, const Singles& x, Singles& value, Singles& rest, Singles& e) const {
    const Singles exponential = value;
    Singles larger = exponential, smaller = exponential, descent;
    magnitude(e, descent);
    at_least(larger, Singles{} + 1.0F);
    at_most(smaller, Singles{} + 1.0F);
    const Singles w = larger + smaller, w_rest = (smaller - (w - larger)) + rest;
    const Singles s = 1.0F / w, complement = exponential * s;
    value = scaled ? x * s : s;
    rest = scaled ? x : Singles{} + 1.0F;
    subtract_product(rest, value, w);
    subtract_product(rest, value, w_rest);
    rest = rest * s;
    Singles size;
    if constexpr (gelu) {
      Singles level, share = s * (function_error + function_error * complement);
      magnitude(x, size);
      magnitude(s - complement, level);
      at_least(share, 0.5F * function_error * level);
      e = size * (share + s * (complement * (8 * unit * descent) + 4 * unit)) + underflow;
    } else {
      magnitude(value, size);
      const Singles rho =
          complement * (function_error + 2 * unit * descent) + ((scaled ? 2 : 1) * unit + function_error);
      e = size * (rho + rho * rho) + underflow;
    }
    normalize_pair(value, rest);
  }
};

}  // namespace ASSAY_DETAIL_UNIT_VARIANT
}  // namespace assay::inline v0::detail

#if defined(__NVCC__)
#pragma nv_diagnostic pop
#endif
