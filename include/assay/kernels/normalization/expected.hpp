#pragma once

#include <cmath>
#include <cstddef>
#include <type_traits>

#include "assay/compare/approximate_expectation.hpp"
#include "assay/core/vector_variants.hpp"
#include "assay/formats/quick_decoder.hpp"
#include "assay/kernels/detail/row_singles.hpp"
#include "assay/kernels/detail/stored_between.hpp"
#include "assay/kernels/normalization/bound.hpp"
#include "assay/tolerance/expected_element.hpp"
#if ASSAY_DETAIL_VECTOR_VARIANTS
#include "assay/kernels/detail/approximate_elements.hpp"
#include "assay/kernels/detail/paired_elements.hpp"
#include "assay/kernels/normalization/detail/approximate_rows.hpp"
#include "assay/kernels/normalization/detail/paired_rows.hpp"
#include "assay/kernels/normalization/detail/vector_rows.hpp"
#endif

namespace assay::inline v0 {

/// The elements that share a mean, as runs along the input's last dimension.
struct NormalizationLane {
  Index outer = 0;          ///< which lane it is
  Index first_channel = 0;  ///< of the lane
  Index runs = 1;           ///< each of another channel, or one over channels
  Index length = 1;         ///< of a run

  /// The lane of that number.
  [[nodiscard]] ASSAY_FUNCTION static NormalizationLane of(const NormalizationProblem& problem, Index lane) {
    const Index channels = problem.channels / problem.groups;
    return {lane / problem.groups, lane % problem.groups * channels, problem.inner == 1 ? 1 : channels,
            problem.inner == 1 ? channels : problem.inner};
  }
};

/// References and bounds of a normalization: outputs 0 (y), 1 (means) and 2 (inverse deviations or variances).
struct NormalizationExpected {
  NormalizationProblem problem;
  NormalizationBound bound;
  Operand input, gamma, beta, mean, variance;
  const NormalizationRow* rows = nullptr;
  int output = 0;
  /// Magnitudes of gamma, and the largest of beta, or 1 and 0; infinite where nobody looked, or they are not singles.
  detail::Magnitudes gammas{};
  double most_beta = NormalizationBound::infinity();
  detail::QuickDecoder decoder{},
      parameters{};  ///< of the input, and of gamma and beta, where a device's blocks found the rows

  /// An element of the input.
  [[nodiscard]] ASSAY_FUNCTION double element(Index outer, Index channel, Index inner) const {
    return problem.inner == 1 ? input.at(outer, channel) : input.at(outer, channel, inner);
  }

  /// What the elements of a lane share: two passes in double, or one where that is as good.
  [[nodiscard]] ASSAY_FUNCTION NormalizationRow row_of(Index lane) const {
    if (problem.kind == NormalizationKind::batch) return bound.row_of(mean.at(lane), variance.at(lane));
    const NormalizationLane own = NormalizationLane::of(problem, lane);
#if ASSAY_DETAIL_VECTOR_VARIANTS
    if (detail::has_rows_of_singles(input)) return vector_row(own);
#endif
    double sum = 0, squares = 0;
    if (problem.centered())
      for (Index run = 0; run < own.runs; ++run)
        for (Index i = 0; i < own.length; ++i) sum += element_of(own, run, i);
    const double center = sum / (problem.centered() ? bound.count : 1);
    for (Index run = 0; run < own.runs; ++run)
      for (Index i = 0; i < own.length; ++i) {
        const double distance = element_of(own, run, i) - center;
        squares += distance * distance;
      }
    return bound.row_of(center, squares / bound.count);
  }

  /// The reference and E of an element of that row.
  [[nodiscard]] ASSAY_FUNCTION ExpectedElement of_row(const NormalizationRow& row, double x, double scale,
                                                      double shift) const {
    const double distance = x - row.mean;
    if (problem.rounded_before_gamma) return of_rounded(row, distance, scale, shift);
    const double value = distance * (row.inverse * scale) + shift;
    const double error = detail::absolute(scale) * (row.offset_error + row.slope_error * detail::absolute(distance)) +
                         bound.output_share() * detail::absolute(value) + bound.underflow;
    if (is_finite(value)) return {value, bound.within_reach(row, distance, value) ? error : bound.infinity()};
    return row.offset_error < bound.infinity() ? ExpectedElement{value, 0} : ExpectedElement{0, bound.infinity()};
  }

  /// The same where (x − μ)/√(σ² + ε) is rounded to the output's format before gamma: the rest is off by a product's
  /// rounding and a sum's, and by the format's spacing where that rounding may go either way.
  [[nodiscard]] ASSAY_FUNCTION ExpectedElement of_rounded(const NormalizationRow& row, double distance, double scale,
                                                          double shift) const {
    const double own = distance * row.inverse;
    const Bounded normalized = detail::stored_between(
        problem.output, {own, row.offset_error + row.slope_error * detail::absolute(distance) + bound.underflow});
    const double product = normalized.value * scale, value = product + shift;
    if (!is_finite(value))
      return row.offset_error < bound.infinity() && !is_finite(own) ? ExpectedElement{value, 0}
                                                                    : ExpectedElement{0, bound.infinity()};
    if (!bound.within_reach(row, distance, value)) return {value, bound.infinity()};
    return {value, detail::absolute(scale) * normalized.error * (1 + 4 * bound.unit) +
                       bound.unit * (detail::absolute(product) + detail::absolute(value)) + bound.underflow};
  }

  [[nodiscard]] ASSAY_FUNCTION ExpectedElement operator()(Index row, Index column) const {
    if (output != 0) {  // of rank 1
      const NormalizationRow& own = rows[column];
      if (output == 1) return known(own.mean, own.mean_error);
      return problem.saved == SavedStatistics::variance ? known(own.variance, own.variance_error)
                                                        : known(own.inverse, own.inverse_error);
    }
    const Index outer = problem.inner == 1 ? row : row / problem.channels,
                channel = problem.inner == 1 ? column : row % problem.channels;
    if (decoder.ready()) {
      const double x = decoder.load(
          input.data, problem.inner == 1 ? input.offset(outer, channel) : input.offset(outer, channel, column));
      const bool whole = problem.groups == 1 && problem.kind != NormalizationKind::batch;  // divisions are dear there
      return of_row(rows[whole ? outer : problem.lane_of(outer, channel)], x,
                    problem.gamma ? parameters.load(gamma.data, gamma.offset(channel)) : 1,
                    problem.beta ? parameters.load(beta.data, beta.offset(channel)) : 0);
    }
    return of_row(rows[problem.lane_of(outer, channel)], element(outer, channel, column),
                  problem.gamma ? gamma.at(channel) : 1, problem.beta ? beta.at(channel) : 0);
  }

  /// See `BlockExpectation`.
  void expected_block(Index row, Index first, Index count, double* value, double* error) const {
    std::ptrdiff_t done = 0;
#if ASSAY_DETAIL_VECTOR_VARIANTS
    if (output == 0 && count >= 4 && !problem.rounded_before_gamma && detail::has_rows_of_singles(input))
      done = vector_block(row, first, count, value, error);
#endif
    for (Index column = done; column < count; ++column) {
      const ExpectedElement element = (*this)(row, first + column);
      value[column] = element.value;
      error[column] = element.error;
    }
  }

#if ASSAY_DETAIL_VECTOR_VARIANTS
  /// See `ApproximateExpectation`; of rows along channels. With ε = 2⁻²⁴ and p = gamma·inverse·(x − μ), v is off by
  /// 5ε·|p| + ε·|v|, |p| ≤ |v| + |beta|: both subtractions, the inverse and both products are rounded, and the sum;
  /// what two singles lack of the mean is 2⁻⁴⁸·|μ|.
  [[nodiscard]] ApproximationError approximate_block(Index row, Index first, Index count, float* value,
                                                     float* error) const {
    if (!suits_singles(row)) return {};
    const NormalizationRow& own = rows[row];
    float scales[detail::most_singles], shifts[detail::most_singles];
    const float* const scale = problem.gamma ? detail::row_singles(gamma, first, count, scales) : nullptr;
    const float* const shift = problem.beta ? detail::row_singles(beta, first, count, shifts) : nullptr;
    const auto walk = [&]<bool own_gamma, bool own_beta>() {
      const auto single = [](double number) { return static_cast<float>(number); };
      const float mean = single(own.mean);
      const detail::ApproximateNormalization<own_gamma, own_beta> elements{mean,
                                                                           single(own.mean - static_cast<double>(mean)),
                                                                           single(own.inverse),
                                                                           single(own.offset_error),
                                                                           single(own.slope_error),
                                                                           single(bound.output_share()),
                                                                           single(bound.underflow),
                                                                           scale,
                                                                           shift,
                                                                           1,
                                                                           0};
      detail::approximate_elements(input, input.offset(row) + first, count, value, error, elements);
    };
    if (problem.gamma && problem.beta)
      walk.template operator()<true, true>();
    else if (problem.gamma)
      walk.template operator()<true, false>();
    else if (problem.beta)
      walk.template operator()<false, true>();
    else
      walk.template operator()<false, false>();
    const double roundings = problem.centered() ? 5 : 3,
                 lost = gammas.most * own.inverse * detail::absolute(own.mean) * 0x1p-48;
    return {1.001 * (0x1p-24 * roundings * most_beta + lost), 1.001 * 0x1p-24 * (roundings + 1)};
  }
  /// See `PairedExpectation`. Six products and sums of rests are rounded, each at most 2⁻²²·|p|; beside the mean, what
  /// pairs lack of it and of the inverse, and their products, are 3.5·2⁻⁴⁸·|mean·inverse·gamma|. A product may be 0,
  /// but not without a shift.
  [[nodiscard]] ApproximationError paired_block(Index row, Index first, Index count, float* value, float* rest,
                                                float* error) const {
    if (!detail::tells_pairs(input, problem.channels) || !suits_pairs(row)) return {};
    const NormalizationRow& own = rows[row];
    float scales[detail::most_singles], shifts[detail::most_singles];
    const auto parameters_of = [&](bool present, const Operand& parameter, float otherwise,
                                   float(&buffer)[detail::most_singles]) {
      if (present) return detail::row_singles(parameter, first, count, buffer);
      for (Index i = 0; i < count; ++i) buffer[i] = otherwise;
      return static_cast<const float*>(buffer);
    };
    const float* const scale = parameters_of(problem.gamma, gamma, 1, scales);
    const bool shifted = problem.centered() || problem.beta;
    const float* const shift = shifted ? parameters_of(problem.beta, beta, 0, shifts) : nullptr;
    const auto walk = [&]<bool with_shift>() {
      const auto single = [](double number) { return static_cast<float>(number); };
      const float mean = single(own.mean), inverse = single(own.inverse);
      detail::PairedNormalization<with_shift> elements{mean,
                                                       single(own.mean - static_cast<double>(mean)),
                                                       inverse,
                                                       single(own.inverse - static_cast<double>(inverse)),
                                                       single(own.offset_error),
                                                       single(own.slope_error),
                                                       single(bound.output_share()),
                                                       single(bound.underflow),
                                                       scale,
                                                       shift};
      elements.least = single(0x1.001p-126 / (gammas.least * own.inverse));
      const float* const from = static_cast<const float*>(input.data) + input.offset(row) + first;
      return detail::paired_elements(from, count, {value, rest, error}, elements);
    };
    if (!(shifted ? walk.template operator()<true>() : walk.template operator()<false>())) return {};
    const double lost = gammas.most * own.inverse * detail::absolute(own.mean) * 0x1p-45;
    return {shifted ? 0x1p-43 * most_beta + lost + 0x1p-126 : 0, 0x1p-43};
  }
#endif

 private:
#if ASSAY_DETAIL_VECTOR_VARIANTS
  /// Whether outputs are y of rows along channels, in which singles hold all that comes, and parts of it are normal
  /// ones wherever they matter: no element is farther from the mean than √(n·σ²).
  [[nodiscard]] bool suits_singles(Index row) const {
    if (output != 0 || problem.inner != 1 || problem.kind == NormalizationKind::batch || problem.groups > 1 ||
        problem.rounded_before_gamma)
      return false;
    if (!detail::has_rows_of_singles(input)) return false;
    const NormalizationRow& own = rows[row];
    const double farthest = std::sqrt(bound.count * own.variance);
    return bound.largest > 0x1p60 && farthest <= own.reach / 2 && farthest < 0x1p60 &&
           detail::absolute(own.mean) < 0x1p60 && own.inverse > 0x1p-60 && own.inverse < 0x1p60 &&
           (own.mean == 0 || detail::absolute(own.mean) > 0x1p-100) && own.slope_error > 0x1p-80 &&
           own.slope_error < 0x1p30 && own.offset_error < 0x1p60 && most_beta < 0x1p60 && gammas.most < 0x1p60 &&
           (gammas.most <= 0x1p10 || own.offset_error > 0x1p-110);
  }
  /// Whether rests of pairs, too, are normal singles wherever they matter, and no bound is too large.
  [[nodiscard]] bool suits_pairs(Index row) const {
    if (!suits_singles(row)) return false;
    const NormalizationRow& own = rows[row];
    return gammas.least * own.inverse >= 0x1p-100 && gammas.least * own.slope_error >= 0x1p-100 &&
           gammas.most * (own.offset_error + own.slope_error * 2 * std::sqrt(bound.count * own.variance)) < 0x1p99;
  }
  /// Sums over a lane.
  [[nodiscard]] detail::CenteredSums centered_sums(const NormalizationLane& lane, double center) const {
    detail::CenteredSums sums{center};
    for (Index run = 0; run < lane.runs; ++run) {
      const Index offset = problem.inner == 1 ? input.offset(lane.outer, lane.first_channel)
                                              : input.offset(lane.outer, lane.first_channel + run, 0);
      detail::with_stored_singles(input, offset, [&](const auto* const values) {
        using T = std::remove_cvref_t<decltype(*values)>;
        detail::run_variant<detail::CenteredSums::Of<T>>(instruction_set(), values, lane.length, sums);
      });
    }
    return sums;
  }
  /// One pass about the mean of the first few, and another where the mean of all is far from that: squares cancel then.
  [[nodiscard]] NormalizationRow vector_row(const NormalizationLane& lane) const {
    constexpr Index few = 64;
    if (!problem.centered()) return bound.row_of(0, centered_sums(lane, 0).squares / bound.count);
    NormalizationLane begin = lane;
    begin.runs = 1;
    begin.length = lane.length < few ? lane.length : few;
    detail::CenteredSums sums = centered_sums(begin, 0);
    if (lane.runs > 1 || lane.length > few) {
      const double near = sums.sum / static_cast<double>(begin.length);
      sums = centered_sums(lane, is_finite(near) ? near : 0);
    }
    const double rest = sums.sum / bound.count, center = sums.center + rest,
                 variance = sums.squares / bound.count - rest * rest;
    if (rest * rest <= variance) return bound.row_of(center, variance);
    return bound.row_of(center, centered_sums(lane, center).squares / bound.count);
  }
  /// Elements that share mean and deviation, gamma and beta of consecutive columns or the same.
  [[nodiscard]] std::ptrdiff_t vector_block(Index row, Index first, Index count, double* value, double* error) const {
    const bool along_channels = problem.inner == 1;
    const Index outer = along_channels ? row : row / problem.channels,
                channel = along_channels ? first : row % problem.channels;
    if (along_channels && (problem.kind == NormalizationKind::batch || problem.groups > 1)) return 0;
    const bool singles =
        (!problem.gamma || detail::has_rows_of_singles(gamma)) && (!problem.beta || detail::has_rows_of_singles(beta));
    const NormalizationRow& own = rows[problem.lane_of(outer, channel)];
    if ((along_channels && !singles) || !is_finite(own.mean) || !is_finite(own.inverse) || !is_finite(own.offset_error))
      return 0;
    std::ptrdiff_t done = 0;
    for (Index begin = 0; begin < count; begin += detail::most_singles) {
      float buffer[detail::most_singles], scales[detail::most_singles], shifts[detail::most_singles];
      const std::ptrdiff_t most = count - begin < detail::most_singles ? count - begin : detail::most_singles;
      const Index column = first + begin;
      const float* const values = detail::row_singles(
          input, along_channels ? input.offset(outer, column) : input.offset(outer, channel, column), most, buffer);
      detail::NormalizedElements elements{own.mean,
                                          own.inverse,
                                          own.offset_error,
                                          own.slope_error,
                                          bound.output_share(),
                                          bound.underflow,
                                          own.reach,
                                          bound.largest / 4,
                                          nullptr,
                                          nullptr,
                                          1,
                                          0,
                                          value + begin,
                                          error + begin};
      if (along_channels) {
        if (problem.gamma) elements.gammas = detail::row_singles(gamma, column, most, scales);
        if (problem.beta) elements.betas = detail::row_singles(beta, column, most, shifts);
      } else {
        if (problem.gamma) elements.gamma = gamma.at(channel);
        if (problem.beta) elements.beta = beta.at(channel);
      }
      std::ptrdiff_t computed = 0;
      detail::run_variant<detail::NormalizedElements::Body>(instruction_set(), values, most, computed, elements);
      if (computed == 0) return done;
      done = begin + computed;
    }
    return done;
  }
#endif
  [[nodiscard]] ASSAY_FUNCTION static ExpectedElement known(double value, double error) {
    return error < NormalizationBound::infinity() ? ExpectedElement{value, error} : ExpectedElement{0, error};
  }
  [[nodiscard]] ASSAY_FUNCTION double element_of(const NormalizationLane& lane, Index run, Index i) const {
    return problem.inner == 1 ? input.at(lane.outer, lane.first_channel + i)
                              : input.at(lane.outer, lane.first_channel + run, i);
  }
};

/// Finds what a lane shares.
struct NormalizationRowWork {
  NormalizationExpected expected;
  NormalizationRow* rows;

  ASSAY_FUNCTION void operator()(std::size_t index) const { rows[index] = expected.row_of(static_cast<Index>(index)); }
};

}  // namespace assay::inline v0
