#pragma once

#include <cstdint>
#include <utility>

#include "assay/core/rounding_model.hpp"
#include "assay/kernels/gemm/gemm.hpp"
#include "assay/kernels/gemm/problem.hpp"
#include "assay/tensor/fill.hpp"
#include "assay/tolerance/accumulation_model.hpp"

namespace assay::inline v0 {

/// Which operand is filled.
enum class GemmOperand { a, b, c };

/// The data of a GEMM: the value of an operand at (lane, position). For A a lane is a row and position runs over k; for
/// B a lane is a column and position runs over k; for C a lane is a row and position runs over n. Lanes of all batches
/// are numbered through, so that batches differ.
///
/// The patterns are made so that a fault shows in the product: see `FillKind`, and for each what is special here:
/// - exact_integer: terms k and k + K/2 cancel but for a few, so that every term matters and the sum stays small;
/// - one_hot: A gathers rows of B; near_tie: sums lie a quarter, half or three quarters between output numbers;
/// - extreme: a product overflows, is the largest value, or underflows, column by column.
struct GemmFill {
  FillKind kind = FillKind::normal;
  GemmOperand operand = GemmOperand::a;
  std::uint64_t seed = 0;
  Index k = 1;
  FloatLayout input_format = FormatTraits<float32>::layout;
  int tie_fraction_bits = 0;      ///< near_tie: fraction bits of the integers in A
  std::uint32_t largest_a = 1;    ///< exact_integer: |a| ≤ largest_a
  std::uint32_t largest_b = 1;    ///< exact_integer: |b| ≤ largest_b before it is disturbed
  std::uint32_t largest_c = 1;    ///< exact_integer: |c| ≤ largest_c
  Index disturbed = 1;            ///< exact_integer: terms of a column that do not cancel
  Index spacing = 1;              ///< exact_integer: of the pairs in a row of A, only every spacing-th is not zero
  int subnormal_exponent = 0;     ///< subnormal: B is scaled by 2^this, so that products are normal numbers
  const double* given = nullptr;  ///< values of the user's own, in the backend's memory, instead of a pattern
  Index given_lane_stride = 0;
  Index given_position_stride = 0;

  [[nodiscard]] ASSAY_FUNCTION constexpr double operator()(Index lane, Index position) const {
    if (given != nullptr) return given[lane * given_lane_stride + position * given_position_stride];
    if (operand == GemmOperand::c) return value_of_c(lane, position);
    switch (kind) {
      case FillKind::exact_integer:
        return operand == GemmOperand::a ? integer_a(lane, position) : integer_b(lane, position);
      case FillKind::one_hot:
        return operand == GemmOperand::a ? pattern(kind)(lane, position) : pattern(FillKind::normal)(lane, position);
      case FillKind::constant: return operand == GemmOperand::a ? 0.1 : 0.3;
      case FillKind::canceling:
        return operand == GemmOperand::a ? canceling_a(lane, position) : canceling_b(lane, position);
      case FillKind::swamping:
        return operand == GemmOperand::a ? pattern(kind)(lane, position)
                                         : 0.5 + 0.5 * uniform_positive(pattern(kind).bits(lane, position));
      case FillKind::near_tie:
        return operand == GemmOperand::a ? near_tie_a(lane, position) : power_of_two(static_cast<int>(lane % 7) - 3);
      case FillKind::subnormal:
        return operand == GemmOperand::a ? pattern(kind)(lane, position)
                                         : pattern(FillKind::normal)(lane, position) * power_of_two(subnormal_exponent);
      case FillKind::extreme:
        return operand == GemmOperand::a ? pattern(kind)(lane, position) : power_of_two(static_cast<int>(lane % 3) - 1);
      default: return pattern(kind)(lane, position);
    }
  }

 private:
  /// The one-tensor pattern of a kind, with random bits of this operand's own.
  [[nodiscard]] ASSAY_FUNCTION constexpr Fill pattern(FillKind of) const {
    return {of, seed * 4 + static_cast<std::uint64_t>(operand), k, input_format};
  }

  [[nodiscard]] ASSAY_FUNCTION constexpr double integer_a(Index lane, Index position) const {
    const Index half = k / 2;
    const bool paired = half > 0 && position < 2 * half;
    const Index twin = paired ? position % half : position;
    if (paired && (twin + lane) % spacing != 0) return 0;
    return nonzero_integer(pattern(kind).bits(lane, twin), largest_a);
  }
  [[nodiscard]] ASSAY_FUNCTION constexpr double integer_b(Index lane, Index position) const {
    const Index half = k / 2;
    const Fill own = pattern(kind);
    if (half == 0 || position >= 2 * half) return nonzero_integer(own.bits(lane, position), largest_b);
    const Index twin = position % half;
    const double value = nonzero_integer(own.bits(lane, twin), largest_b);
    if (position < half) return value;
    const Index stratum_length = (half + disturbed - 1) / disturbed;
    const Index stratum = twin / stratum_length, start = stratum * stratum_length;
    const Index length = start + stratum_length < half ? stratum_length : half - start;
    const RandomBits drawn = own.bits(lane, stratum, 4);
    const bool disturb = twin - start == static_cast<Index>(drawn.low() % static_cast<std::uint64_t>(length));
    return -value + (disturb ? ((drawn.words[3] & 1) != 0 ? 1.0 : -1.0) : 0.0);
  }

  [[nodiscard]] ASSAY_FUNCTION constexpr double canceling_a(Index lane, Index position) const {
    const Index half = k / 2;
    return pattern(kind).normal(lane, half > 0 && position < 2 * half ? position % half : position);
  }
  [[nodiscard]] ASSAY_FUNCTION constexpr double canceling_b(Index lane, Index position) const {
    const double value = pattern(kind)(lane, position);
    const bool disturb = position >= k / 2 && pattern(kind).bits(lane, position, 5).words[0] % 16 == 0;
    return disturb ? pattern(kind).normal(lane, position, 6) * power_of_two(-4) : value;
  }
  [[nodiscard]] ASSAY_FUNCTION constexpr double near_tie_a(Index lane, Index position) const {
    Fill own = pattern(kind);
    own.format.fraction_bits = tie_fraction_bits;
    const double value = own.near_tie(lane, position);
    return (own.bits(lane, -1, 7).words[0] & 1) != 0 ? -value : value;
  }
  [[nodiscard]] ASSAY_FUNCTION constexpr double value_of_c(Index lane, Index position) const {
    switch (kind) {
      case FillKind::exact_integer: return nonzero_integer(pattern(kind).bits(lane, position), largest_c);
      case FillKind::constant: return 0.7;
      case FillKind::uniform:
      case FillKind::swamping: return uniform_positive(pattern(kind).bits(lane, position));
      case FillKind::near_tie:
      case FillKind::extreme:
      case FillKind::one_hot: return 0.0;
      default: return pattern(FillKind::normal).normal(lane, position);
    }
  }
};

/// A fill for a problem, and what the bound needs to know of its data.
struct GemmData {
  /// One an operand.
  GemmFill a, b, c;
  RoundingModel model = RoundingModel::worst_case;
  Index terms = 0;  ///< products of a sum that are not exactly zero, at most

  /// The pattern `kind` for a problem with inputs in formats A and B (`input` the narrower), output in C and sums kept
  /// as `accumulation` says. The rounding model is the one that the data really has: `exact` only where every partial
  /// sum, in any order, and α·sum + β·C are integers that accumulator and output hold.
  [[nodiscard]] static GemmData make(FillKind kind, const GemmProblem& problem, FloatLayout input, FloatLayout output,
                                     const AccumulationModel& accumulation, std::uint64_t seed);

  /// A user's own matrices, op(A) m×k and op(B) k×n, row-major in the backend's memory; C is zero. Nothing is known of
  /// their rounding errors, so the worst is allowed for.
  [[nodiscard]] static GemmData given(const GemmProblem& problem, const double* a, const double* b);

 private:
  [[nodiscard]] static constexpr int least(int a, int b) { return a < b ? a : b; }
  [[nodiscard]] static constexpr bool power_of_two_up_to_2(double value) {
    return value == 0 || value == 1 || value == -1 || value == 2 || value == -2 || value == 0.5 || value == -0.5;
  }

  /// Whether positive terms add up without much stagnation. As the sum outgrows its terms, roundings get a bias,
  /// measured as (K·u)²/25 to (K·u)²/33 of the sum: held below half of the statistical bound, λ√K·u with λ > 8.
  [[nodiscard]] static bool bias_is_small(Index k, const AccumulationModel& accumulation) {
    const double terms = static_cast<double>(k), u = accumulation.unit_roundoff;
    return terms * terms * terms * u * u <= 100.0 * 100.0;
  }

  /// Whether no product of the extreme pattern underflows in one kernel and not in another: the accumulator holds the
  /// smallest of them, half a subnormal number, or all kernels round it once, and to an output that sees no more.
  [[nodiscard]] static bool extremes_are_held(double alpha, FloatLayout input, FloatLayout output,
                                              const AccumulationModel& accumulation) {
    const double smallest = power_of_two(input.min_exponent() - input.fraction_bits - 1);
    if (accumulation.min_subnormal <= smallest * (alpha == 0.5 || alpha == -0.5 ? 0.5 : 1.0)) return true;
    return (alpha == 1 || alpha == -1) &&
           accumulation.min_subnormal <= power_of_two(output.min_exponent() - output.fraction_bits);
  }

  /// Chooses the largest integers for which K·a·(b+1) fits the accumulator and |α|·(disturbed + 1)·a + |β|·c the
  /// output.
  [[nodiscard]] static bool fit_integers(GemmFill& fill, const GemmProblem& problem, FloatLayout output,
                                         const AccumulationModel& accumulation);
};

/// One of the patterns of data that come with the library, made for the formats of `Op` and the arithmetic of its
/// kernel.
template <class Op>
[[nodiscard]] GemmData gemm_data(FillKind kind, const GemmProblem& problem, const AccumulationModel& accumulation,
                                 std::uint64_t seed) {
  constexpr FloatLayout format_a = FormatTraits<typename Op::FormatA>::layout,
                        format_b = FormatTraits<typename Op::FormatB>::layout;
  return GemmData::make(kind, problem, format_a.precision() < format_b.precision() ? format_a : format_b,
                        FormatTraits<typename Op::FormatC>::layout, accumulation, seed);
}

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/kernels/gemm/fill.ipp"
#endif
