#pragma once

#include <cmath>
#include <cstddef>
#include <optional>

#include "assay/compare/approximate_expectation.hpp"
#include "assay/core/vector_variants.hpp"
#include "assay/formats/quick_decoder.hpp"
#include "assay/kernels/detail/quick_exponential.hpp"
#include "assay/kernels/detail/row_singles.hpp"
#include "assay/kernels/softmax/bound.hpp"
#include "assay/kernels/softmax/problem.hpp"
#include "assay/tolerance/expected_element.hpp"
#if ASSAY_DETAIL_VECTOR_VARIANTS
#include "assay/kernels/detail/approximate_elements.hpp"
#include "assay/kernels/detail/paired_elements.hpp"
#include "assay/kernels/softmax/detail/approximate_rows.hpp"
#include "assay/kernels/softmax/detail/paired_rows.hpp"
#include "assay/kernels/softmax/detail/vector_rows.hpp"
#endif

namespace assay::inline v0 {

/// What all elements of one normalized row share.
struct SoftmaxRow {
  double maximum = 0;                                                  ///< of the scaled and masked elements
  double sum = 0;                                                      ///< Σ exp(z − m)
  double deviation = 0;                                                ///< Σ y_j·d_j at most
  double range = 0;                                                    ///< m − min z over what is not −∞
  double least = -detail::double_of(binary64_layout.infinity_bits());  ///< min z where all elements are finite, else −∞
  // what the elements are then computed from by few instructions, see `SoftmaxExpected::prepared`
  double inverse = 0;   ///< 1/sum; 0: not prepared
  double log_sum = 0;   ///< of logarithms
  double constant = 0;  ///< what does not depend on the element in E (logarithm) or rel_i
};

/// References and bounds of a softmax, row by row.
struct SoftmaxExpected {
  SoftmaxProblem problem;
  SoftmaxBound bound;
  Operand input;
  Operand mask;
  const SoftmaxRow* rows = nullptr;
  int output = 0;
  detail::QuickDecoder decoder{};  ///< of the input, where blocks found the rows

  /// z of an element in row-major order; −∞ where it is masked.
  [[nodiscard]] ASSAY_FUNCTION double scaled(Index element) const {
    if (mask.present() && mask.load(element) == 0) return -infinity();
    const double x = input.load(element);
    return problem.temperature == 1 ? x : x / problem.temperature;
  }
  /// The error of scaling an element by the temperature.
  [[nodiscard]] ASSAY_FUNCTION double scaling_error(double z) const {
    return problem.temperature == 1 ? 0 : 2 * bound.unit * detail::absolute(z);
  }
  /// d of an element; 0 where the exponential is.
  [[nodiscard]] ASSAY_FUNCTION double exponential_error(double z, double maximum) const {
    const double distance = maximum - z;
    return distance < 0x1p1000 ? 2 * bound.unit * distance + bound.function_error + scaling_error(z) : 0;
  }

  /// Σ y_j·d_j at most, of a row's maximum and sum.
  [[nodiscard]] ASSAY_FUNCTION double deviation_of(double maximum, double sum) const {
    const double others = sum - 1, count = static_cast<double>(problem.length - 1);
    const double distance = others > 0 && others < count ? others / sum * std::log(count / others) : 0;
    return 2 * bound.unit * (problem.temperature == 1 ? distance : 2 * distance + detail::absolute(maximum)) +
           bound.function_error;
  }

  /// What the elements of that row share. O(length).
  [[nodiscard]] ASSAY_FUNCTION SoftmaxRow row_of(Index outer, Index inner) const {
#if ASSAY_DETAIL_VECTOR_VARIANTS
    if (SoftmaxRow row; on_vectors() && vector_row(outer, row)) return row;
#endif
    const Index first = outer * problem.length * problem.inner + inner;
    SoftmaxRow row;
    row.maximum = -infinity();
    double least = infinity();
    bool any_nan = false;
    for (Index j = 0; j < problem.length; ++j) {
      const double z = scaled(first + j * problem.inner);
      any_nan |= is_nan(z);
      if (z > row.maximum) row.maximum = z;
      if (z < least && z > -infinity()) least = z;
    }
    if (any_nan || row.maximum == infinity()) row.maximum = detail::double_of(binary64_layout.nan_bits());
    if (!is_finite(row.maximum)) return row;
    for (Index j = 0; j < problem.length; ++j) row.sum += std::exp(scaled(first + j * problem.inner) - row.maximum);
    return summed(row, row.sum, least);
  }
  /// A row with Σ exp(z − m) and what follows from it; `least`: of its elements that are not −∞.
  [[nodiscard]] ASSAY_FUNCTION SoftmaxRow summed(SoftmaxRow row, double sum, double least) const {
    row.sum = sum;
    row.deviation = deviation_of(row.maximum, sum);
    row.range = row.maximum - least < most_range ? row.maximum - least : most_range;
    return row;
  }

  /// The reference and E of an element of that row.
  [[nodiscard]] ASSAY_FUNCTION ExpectedElement of_row(const SoftmaxRow& row, double z) const {
    if (row.maximum == -infinity() && problem.fully_masked == FullyMasked::zeros)
      return {problem.logarithm ? -infinity() : 0, 0};
    if (!is_finite(row.maximum)) return {detail::double_of(binary64_layout.nan_bits()), 0};
    if (!holds_maximum(row)) return {0, infinity()};
    const double shifted = z - row.maximum,
                 sum_error = row.deviation + bound.growth + bound.rescaling + bound.unit * row.range;
    if (problem.logarithm) {
      if (!is_finite(shifted)) return {shifted, 0};
      const double log_sum = std::log(row.sum), value = shifted - log_sum;
      if (!holds_logarithm(z, value)) return {value, infinity()};
      const double roundings =
          detail::absolute(row.maximum) + log_sum + detail::absolute(shifted) + detail::absolute(value);
      return {value, 2 * bound.unit * roundings + scaling_error(z) + scaling_error(row.maximum) +
                         std::expm1(sum_error) + bound.function_error * log_sum + bound.underflow};
    }
    const double value = std::exp(shifted) / row.sum;
    if (value == 0) return {0, bound.underflow};
    const double share = exponential_error(z, row.maximum) + sum_error + bound.function_error;
    return {value, value * (share < 1 ? share + 0.72 * share * share : std::expm1(share)) +
                       bound.underflow};  // never less than expm1
  }

  /// Of the quotients by the temperature, and of what is divided.
  [[nodiscard]] ASSAY_FUNCTION bool holds_maximum(const SoftmaxRow& row) const {
    return bound.holds(problem.temperature > 1 ? row.maximum * problem.temperature : row.maximum);
  }
  /// |value| ≥ |z − m|.
  [[nodiscard]] ASSAY_FUNCTION bool holds_logarithm(double z, double value) const {
    return bound.holds(problem.temperature > 1 ? z * problem.temperature : z) && bound.holds(value);
  }

  /// e^x for x ≤ 0. What is 0 by the quick way is nothing to the accumulator.
  [[nodiscard]] ASSAY_FUNCTION double power_of(double x) const {
    if (!suits_quick_exponential()) return std::exp(x);
    return x > -708 ? detail::quick_exponential(x) : 0;
  }
  /// Whether the quick exponential is exact enough for this accumulator.
  [[nodiscard]] ASSAY_FUNCTION bool suits_quick_exponential() const {
    return bound.underflow > 1e-300;
  }

  /// What does not depend on the element in E (logarithm) or rel_i.
  [[nodiscard]] ASSAY_FUNCTION double constant_of(const SoftmaxRow& row, double log_sum) const {
    const double sum_error = row.deviation + bound.growth + bound.rescaling + bound.unit * row.range;
    return problem.logarithm ? 2 * bound.unit * (detail::absolute(row.maximum) + log_sum) + scaling_error(row.maximum) +
                                   std::expm1(sum_error) + bound.function_error * log_sum + bound.underflow
                             : 2 * bound.function_error + sum_error;
  }
  /// What was found of a row, with all that its elements need. Precondition: finite maximum, sum ≥ 1.
  [[nodiscard]] ASSAY_FUNCTION SoftmaxRow prepared(SoftmaxRow row) const {
    row.inverse = 1 / row.sum;
    row.log_sum = problem.logarithm ? std::log(row.sum) : 0;
    row.constant = constant_of(row, row.log_sum);
    return row;
  }
  /// `of_row` of a prepared row.
  [[nodiscard]] ASSAY_FUNCTION ExpectedElement of_prepared_row(const SoftmaxRow& row, double z) const {
    if (!holds_maximum(row)) return {0, infinity()};
    const double shifted = z - row.maximum;
    if (problem.logarithm) {
      if (!is_finite(shifted)) return {shifted, 0};
      const double value = shifted - row.log_sum;
      if (!holds_logarithm(z, value)) return {value, infinity()};
      return {value,
              row.constant + 2 * bound.unit * (detail::absolute(shifted) + detail::absolute(value)) + scaling_error(z)};
    }
    const double value = power_of(shifted) * row.inverse;
    if (value == 0) return {0, bound.underflow};
    const double share = row.constant - 2 * bound.unit * shifted + scaling_error(z);
    return {value, value * (share < 1 ? share + 0.72 * share * share : std::expm1(share)) +
                       bound.underflow};  // never less than expm1
  }
  /// Of an element where blocks found the rows.
  [[nodiscard]] ASSAY_FUNCTION ExpectedElement of_blocks(Index row, Index column) const {
    const bool flat = problem.inner == 1;
    const Index outer = flat ? row : row / problem.length;
    const SoftmaxRow& own = rows[flat ? row : outer * problem.inner + column];
    const double z = flat ? scaled_at(row, column) : scaled_at(outer, row - outer * problem.length, column);
    return own.inverse > 0 ? of_prepared_row(own, z) : of_row(own, z);
  }
  /// `scaled`, of an element at an index for each dimension of the input.
  template <class... Indices>
  [[nodiscard]] ASSAY_FUNCTION double scaled_at(Indices... indices) const {
    if (mask.present() && mask.at(indices...) == 0) return -infinity();
    const double x = decoder.load(input.data, input.offset(indices...));
    return problem.temperature == 1 ? x : x / problem.temperature;
  }

  [[nodiscard]] ASSAY_FUNCTION ExpectedElement operator()(Index row, Index column) const {
    if (decoder.ready()) return of_blocks(row, column);
    const Index columns = problem.inner == 1 ? problem.length : problem.inner;
    const Index element = row * columns + column;
    const Index outer = element / (problem.length * problem.inner), inner = element % problem.inner;
    return of_row(rows[outer * problem.inner + inner], scaled(element));
  }

  /// See `BlockExpectation`.
  void expected_block(Index row, Index first, Index count, double* value, double* error) const {
    if (problem.inner == 1) return block_of_row(rows[row], row, first, count, value, error);
    for (Index column = 0; column < count; ++column) put((*this)(row, first + column), column, value, error);
  }
  /// Elements of a row, where inner is 1.
  void block_of_row(const SoftmaxRow& own, Index row, Index first, Index count, double* value, double* error) const {
    std::ptrdiff_t done = 0;
#if ASSAY_DETAIL_VECTOR_VARIANTS
    if (count >= 4 && on_vectors() && suits_vectors(own)) done = vector_block(own, row, first, count, value, error);
#endif
    for (Index column = done; column < count; ++column)
      put(of_row(own, scaled(row * problem.length + first + column)), column, value, error);
  }

#if ASSAY_DETAIL_VECTOR_VARIANTS
  /// Whether vectors compute rows. They make 0 of what the quick exponential does.
  [[nodiscard]] ASSAY_FUNCTION bool on_vectors() const {
    return problem.inner == 1 && !mask.present() && suits_quick_exponential() && detail::has_rows_of_singles(input);
  }
  /// See `ApproximateExpectation`. With ε = 2⁻²⁴, v is off by ε·(|z − m| + 4) relative to itself: the descent is
  /// rounded, its exponential is off by 2ε, 1/s and the product are rounded; or, by a table, as `PairExponential`
  /// tells. A logarithm is off by ε·(|z − m| + log s + |v|) = 2ε·|v|.
  [[nodiscard]] ApproximationError approximate_block(Index row, Index first, Index count, float* value,
                                                     float* error) const {
    if (!on_vectors() || problem.temperature != 1) return {};
    const SoftmaxRow& own = rows[row];
    if (!suits_vectors(own) || !(own.range < 80) || !(own.sum < 0x1p100)) return {};
    const double slope = 2 * bound.unit;
    const auto single = [](double number) { return static_cast<float>(number); };
    const Index offset = input.offset(row) + first;
    if (problem.logarithm) {
      const detail::ApproximateSoftmax<true> elements{single(own.maximum), 0, single(own.log_sum), single(own.constant),
                                                      single(slope),       0};
      detail::approximate_elements(input, offset, count, value, error, elements);
      return {0, 0x1p-24 * 1.001 * 2};
    }
    const detail::SoftmaxErrorLine line(own.constant, slope, own.range);
    if (!line.holds) return {};
    const double farthest = own.maximum > -own.least ? own.maximum : -own.least;
    if (instruction_set() == InstructionSet::avx512 && farthest <= 80)
      if (const auto tabled = tabled_elements(own, line, false)) {
        detail::approximate_elements(input, offset, count, value, error, *tabled);
        return {0, 0x1p-24 * (3 + farthest / 16)};
      }
    const detail::ApproximateSoftmax<false> elements{
        single(own.maximum),   single(own.inverse), 0,
        single(line.constant), single(line.slope),  single(bound.underflow)};
    detail::approximate_elements(input, offset, count, value, error, elements);
    return {0, 0x1p-24 * 1.001 * (own.range + 4)};
  }
  /// See `PairedExpectation`. A logarithm's rest is rounded, as are the two of m + log s: 2⁻⁴⁸ of what they are.
  [[nodiscard]] ApproximationError paired_block(Index row, Index first, Index count, float* value, float* rest,
                                                float* error) const {
    if (!on_vectors() || problem.temperature != 1 || !detail::tells_pairs(input, problem.length)) return {};
    const SoftmaxRow& own = rows[row];
    if (!suits_vectors(own)) return {};
    const double slope = 2 * bound.unit;
    const auto single = [](double number) { return static_cast<float>(number); };
    const float* const from = static_cast<const float*>(input.data) + input.offset(row) + first;
    const detail::PairedBlock to{value, rest, error};
    if (problem.logarithm) {
      const double subtrahend = own.maximum + own.log_sum,
                   farthest = detail::absolute(own.maximum) + own.range + detail::absolute(subtrahend);
      const float nearest = single(subtrahend);
      const detail::PairedLogSoftmax elements{nearest, single(subtrahend - static_cast<double>(nearest)),
                                              single(own.constant + slope * own.maximum), single(slope)};
      return detail::paired_elements(from, count, to, elements) ? ApproximationError{0x1p-46 * farthest, 0}
                                                                : ApproximationError{};
    }
    const detail::SoftmaxErrorLine line(own.constant, slope, own.range);
    const auto tabled = tabled_elements(own, line, true);
    if (!line.holds || !tabled) return {};
    return detail::paired_elements(from, count, to, *tabled) ? ApproximationError{0, detail::PairExponential<16>::error}
                                                             : ApproximationError{};
  }
#endif

  /// Beyond it, what was summed before is nothing in any accumulator but float64's: exp(−200) < 2^−288.
  static constexpr double most_range = 200;

  /// +∞ as a double, on devices, too.
  [[nodiscard]] ASSAY_FUNCTION static double infinity() {
    return detail::double_of(binary64_layout.infinity_bits());
  }

 private:
  static void put(const ExpectedElement& element, Index column, double* value, double* error) {
    value[column] = element.value;
    error[column] = element.error;
  }
#if ASSAY_DETAIL_VECTOR_VARIANTS
  [[nodiscard]] ASSAY_FUNCTION bool suits_vectors(const SoftmaxRow& row) const {
    return is_finite(row.maximum) && is_finite(row.least) && bound.largest == infinity() &&
           row.deviation + bound.growth + bound.rescaling + bound.unit * row.range + 2 * bound.function_error +
                   2 * bound.unit * (708 + (problem.temperature == 1 ? 0 : detail::absolute(row.maximum) + 708)) <
               1;
  }
  /// For exponentials by a table, where e^(−m)/s and all results are normal numbers as singles.
  [[nodiscard]] std::optional<detail::TabledSoftmax> tabled_elements(const SoftmaxRow& row,
                                                                     const detail::SoftmaxErrorLine& line,
                                                                     bool in_pairs) const {
    if (!detail::has_pair_exponential || !(row.range <= 50) || !(detail::absolute(row.maximum) <= 80)) return {};
    const double factor = std::exp(-row.maximum) * row.inverse;
    if (!(factor >= 0x1p-120 && row.sum <= 0x1p40)) return {};
    return detail::TabledSoftmax{factor, static_cast<float>(line.constant + line.slope * row.maximum),
                                 static_cast<float>(line.slope), static_cast<float>(bound.underflow), in_pairs};
  }
  /// In one pass; false where exponentials relative to 0 may not do, as in rows with NaN or infinities.
  [[nodiscard]] bool whole_row(Index index, SoftmaxRow& row) const {
    float buffer[detail::most_singles];
    detail::SoftmaxWhole whole{-__builtin_inff(), __builtin_inff()};
    for (Index first = 0; first < problem.length; first += detail::most_singles) {
      const std::ptrdiff_t count =
          problem.length - first < detail::most_singles ? problem.length - first : detail::most_singles;
      const float* const values = detail::row_singles(input, input.offset(index) + first, count, buffer);
      detail::run_variant<detail::SoftmaxWhole::Body>(instruction_set(), values, count, whole);
      if (!whole.within()) return false;
    }
    row.maximum = whole.maximum;
    row.least = whole.minimum;
    row = prepared(summed(row, whole.sum * std::exp(-row.maximum), row.least));
    return true;
  }
  /// False where a row has NaN or infinities.
  [[nodiscard]] bool vector_row(Index index, SoftmaxRow& row) const {
    constexpr Index widest_vector = 16;
    if (problem.temperature == 1 && problem.length >= widest_vector && whole_row(index, row)) return true;
    const float largest = __builtin_inff();
    float buffer[detail::most_singles];
    detail::SoftmaxExtremes extremes{-largest, largest};
    const auto walk = [&](auto&& visit) {
      for (Index first = 0; first < problem.length; first += detail::most_singles) {
        const std::ptrdiff_t count =
            problem.length - first < detail::most_singles ? problem.length - first : detail::most_singles;
        visit(detail::row_singles(input, input.offset(index) + first, count, buffer), count);
      }
    };
    walk([&](const float* values, const std::ptrdiff_t& count) {
      detail::run_variant<detail::SoftmaxExtremes::Body>(instruction_set(), values, count, extremes);
    });
    if (extremes.any_nan || !(extremes.minimum > -largest) || !(extremes.maximum < largest)) return false;
    row.maximum = extremes.maximum / problem.temperature;
    row.least = extremes.minimum / problem.temperature;
    detail::SoftmaxSums sums{row.maximum, problem.temperature};
    walk([&](const float* values, const std::ptrdiff_t& count) {
      detail::run_variant<detail::SoftmaxSums::Body>(instruction_set(), values, count, sums);
    });
    row = prepared(summed(row, sums.sum, row.least));
    return true;
  }
  [[nodiscard]] std::ptrdiff_t vector_block(const SoftmaxRow& own, Index row, Index first, Index count, double* value,
                                            double* error) const {
    const double scaling = problem.temperature == 1 ? 0 : 2 * bound.unit;
    std::ptrdiff_t done = 0;
    for (Index begin = 0; begin < count; begin += detail::most_singles) {
      float buffer[detail::most_singles];
      const std::ptrdiff_t most = count - begin < detail::most_singles ? count - begin : detail::most_singles;
      const float* const values = detail::row_singles(input, input.offset(row) + first + begin, most, buffer);
      const detail::SoftmaxElements elements{own.maximum,       problem.temperature, own.inverse,  own.log_sum,
                                             own.constant,      2 * bound.unit,      scaling,      bound.underflow,
                                             problem.logarithm, value + begin,       error + begin};
      std::ptrdiff_t computed = 0;
      detail::run_variant<detail::SoftmaxElements::Body>(instruction_set(), values, most, computed, elements);
      done = begin + computed;
    }
    return done;
  }
#endif
};

}  // namespace assay::inline v0
