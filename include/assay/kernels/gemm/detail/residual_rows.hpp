#pragma once

#include <cmath>
#include <cstdint>

#include "assay/formats/double_double.hpp"
#include "assay/kernels/gemm/bound.hpp"
#include "assay/kernels/gemm/detail/residual_pass.hpp"
#include "assay/tensor/random_bits.hpp"

namespace assay::inline v0 {

/// Whether a row's residual says anything.
enum class GemmRowState : std::uint8_t {
  judged,
  inputs_not_finite,  ///< NaN or infinities in the row of A, or in B, or in C before
  may_overflow,       ///< an output is not finite, and that may be right
  no_bound            ///< the accumulator's bound is void
};

/// What a residual check found of one row of C.
struct GemmRowResidual {
  double residual =
      0;  ///< the largest |residual| of all vectors; infinite where an output is not finite, though it must be
  double allowance = 0;  ///< what a correct kernel may leave
  double spacing = 0;    ///< of the output format's numbers at the row's elements, root of the mean square
  GemmRowState state = GemmRowState::judged;

  [[nodiscard]] bool refuted() const { return state == GemmRowState::judged && residual > allowance; }
  /// At most 1 if nothing is refuted; infinite where nothing was allowed.
  [[nodiscard]] double ratio() const { return residual == 0 ? 0 : allowance > 0 ? residual / allowance : HUGE_VAL; }
  /// A single element that is further off than this cannot be missed.
  [[nodiscard]] double visible_error() const { return 2 * allowance; }
};

namespace detail {

/// Vectors of ±1, value after value; zeros behind the last column.
struct MakeSigns {
  std::uint64_t seed;
  Index columns;
  double* signs;

  ASSAY_FUNCTION void operator()(std::size_t index) const {
    constexpr std::uint64_t key = 0x7265736964756131u;  // a stream of its own: data and signs must be independent
    const Index column = static_cast<Index>(index), stride = residual_stride(columns);
    const RandomBits bits = random_bits(seed ^ key, index, key);
    for (std::size_t v = 0; v < residual_vectors; ++v)
      signs[static_cast<Index>(v) * stride + column] = column >= columns ? 0.0 : (bits.words[v] & 1) != 0 ? 1.0 : -1.0;
  }
};

/// Rounding errors of the check's own sums, relative to the sum of magnitudes.
template <bool Compensated>
[[nodiscard]] inline double residual_arithmetic_error(Index columns, Index terms) {
  const double growth = gamma_bound(static_cast<double>(columns + terms + 16), unit_roundoff<float64>());
  return Compensated ? 4 * growth * (growth + 0x1p-26) : growth;
}

/// Compares one row's residuals with what a correct kernel may leave.
template <Format C, bool Compensated>
struct JudgeResidualRow {
  using Values = ResidualValues<Compensated>;
  const double* product;  ///< null where α = 0 or K = 0
  const double* output;
  const double* before;  ///< null where β = 0
  Index rows, columns;
  GemmBound bound;
  double factor;  ///< min(λ, √n): a sum of n errors with random signs, over their 2-norm
  double growth;  ///< of the row's accumulation errors together, where they are independent; else infinite
  double arithmetic_error, smallest;
  bool output_is_exact;
  bool first;
  GemmRowResidual* result;

  ASSAY_FUNCTION void operator()(std::size_t index) const {
    const Index stride = residual_stride(rows), batch = static_cast<Index>(index) / rows,
                row = static_cast<Index>(index) % rows;
    const Index start = batch * static_cast<Index>(Values::count) * stride + row;
    const auto value = [&](const double* sums, std::size_t which) {
      return sums == nullptr ? 0.0 : sums[start + static_cast<Index>(which) * stride];
    };
    constexpr double slack = 1 + 0x1p-20;  // magnitudes are themselves rounded
    constexpr FloatLayout layout = FormatTraits<C>::layout;
    const double ulp_norm = slack * value(output, Values::magnitude) * power_of_two(1 - layout.precision());
    const double product_norm = slack * absolute(bound.alpha) * value(product, Values::magnitude);
    const double before_norm = slack * absolute(bound.beta) * value(before, Values::magnitude);
    const double root = std::sqrt(static_cast<double>(columns)) * slack;

    double residual = 0;
    bool inputs_finite = is_finite(product_norm) && is_finite(before_norm), output_finite = is_finite(ulp_norm);
    for (std::size_t v = 0; v < residual_vectors; ++v) {
      DoubleDouble total{value(output, v), Compensated ? value(output, Values::rest + v) : 0.0};
      output_finite = output_finite && is_finite(total.high);
      const auto subtract = [&](double scale, const double* sums) {
        if (sums == nullptr) return;
        const double high = value(sums, v), low = Compensated ? value(sums, Values::rest + v) : 0.0;
        inputs_finite = inputs_finite && is_finite(high);
        const DoubleDouble scaled = two_product(-scale, high);
        const DoubleDouble sum = two_sum(total.high, scaled.high);
        total = {sum.high, sum.low + (total.low + scaled.low - scale * low)};
      };
      subtract(bound.alpha, product);
      subtract(bound.beta, before);
      const double size = absolute(total.high + total.low);
      residual = size > residual ? size : residual;
    }

    GemmRowResidual judged;
    judged.spacing = ulp_norm / root;
    const double inputs_norm = product_norm + before_norm;
    if (!inputs_finite) {
      judged.state = GemmRowState::inputs_not_finite;
    } else if (!is_finite(bound.growth)) {
      judged.state = GemmRowState::no_bound;
    } else if (!output_finite) {
      // no element, partial sum or scaled sum is larger than this; product_norm / |α| bounds the sums before they are
      // scaled
      const double unscaled = bound.alpha == 0 ? 0 : product_norm / absolute(bound.alpha);
      const double largest =
          (inputs_norm > unscaled ? inputs_norm : unscaled) * (1 + bound.growth + bound.scaling) * slack +
          bound.underflow;
      const double limit = max_finite<C>() < bound.accumulator_max ? max_finite<C>() : bound.accumulator_max;
      if (largest < limit)
        judged.residual = double_of(binary64_layout.infinity_bits());
      else
        judged.state = GemmRowState::may_overflow;
    } else {
      const double accumulation = (factor * bound.growth < growth ? factor * bound.growth : growth) * inputs_norm;
      const double of_factors = bound.alpha_error * product_norm + bound.beta_error * before_norm;
      const double others = bound.scaling * inputs_norm + of_factors + root * bound.underflow;
      const double rounding = output_is_exact ? 0 : ulp_norm / 2;
      // |c| < 2^precision ulps of its own
      const double magnitudes = root * (inputs_norm + ulp_norm * power_of_two(layout.precision()));
      const bool whole_numbers = output_is_exact && accumulation == 0 && others == 0 && magnitudes < 0x1p53;
      judged.residual = residual;
      judged.allowance =
          whole_numbers
              ? 0
              : (accumulation + factor * (others + rounding) + arithmetic_error * magnitudes + smallest) * slack;
    }
    if (first || (judged.state == GemmRowState::judged && judged.residual > result[index].residual))
      result[index] = judged;
  }
};

}  // namespace detail
}  // namespace assay::inline v0
