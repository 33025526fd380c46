#pragma once

#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "assay/faults/emulated_sum.hpp"
#include "assay/faults/operation_faults.hpp"
#include "assay/kernels/normalization/normalization.hpp"

namespace assay::inline v0 {

namespace detail {

/// A normalization in which every result is rounded to `Accumulator`, right or with a fault.
template <FloatFormat Accumulator>
struct EmulatedNormalization {
  using Order = typename EmulatedSum<Accumulator>::Order;
  Order order = Order::sequential;  ///< strided: fuses multiplications and additions besides
  bool as_permitted = false;        ///< takes the least accurate way that the problem's contract allows
  bool divides = false;             ///< by the deviation, instead of multiplying by its inverse
  std::string_view fault = "";

  static double round(double value) { return round_to<Accumulator>(value); }

  struct Statistics {
    double mean = 0, variance = 0;
  };

  [[nodiscard]] double add_all(const std::vector<double>& terms) const {
    return EmulatedSum<Accumulator>{order, fault}(terms);
  }

  [[nodiscard]] Statistics statistics(const NormalizationProblem& problem, const std::vector<double>& x,
                                      double leftover) const {
    double count = static_cast<double>(x.size());
    if (fault == "padded_divisor") count = std::ceil(count / 32) * 32;
    Statistics found;
    const VarianceAlgorithm algorithm = fault == "one_pass_variance" ? VarianceAlgorithm::one_pass
                                        : as_permitted               ? problem.variance
                                                                     : VarianceAlgorithm::two_pass;
    if (problem.centered() && algorithm == VarianceAlgorithm::welford) {
      double squares = 0;
      for (std::size_t i = 0; i < x.size(); ++i) {
        const double distance = round(x[i] - found.mean);
        found.mean = round(found.mean + round(distance / static_cast<double>(i + 1)));
        squares = round(squares + round(distance * round(x[i] - found.mean)));
      }
      found.variance = std::fmax(round(squares / count), 0.0);
      return found;
    }
    std::vector<double> squares;
    if (problem.centered()) found.mean = round(round(add_all(x) + leftover) / count);
    const bool one_pass = problem.centered() && algorithm == VarianceAlgorithm::one_pass;
    for (const double value : x) {
      const double distance = one_pass ? value : round(value - found.mean);
      squares.push_back(fault == "narrow_squares" ? round_to<float16>(distance * distance)
                                                  : round(distance * distance));
    }
    if (fault == "unbiased_variance" && count > 1) count -= 1;
    found.variance = round(round(add_all(squares) + (problem.centered() ? 0 : leftover)) / count);
    if (one_pass) found.variance = std::fmax(round(found.variance - round(found.mean * found.mean)), 0.0);
    if (fault == "mean_not_subtracted") found.mean = 0;
    if (fault == "variance_clamped") found.variance = std::fmax(found.variance, 1e-3);
    return found;
  }

  [[nodiscard]] double inverse_of(double variance, double epsilon) const {
    if (fault == "epsilon_missing") return round(1 / round(std::sqrt(variance)));
    if (fault == "epsilon_outside_root") return round(1 / round(round(std::sqrt(variance)) + epsilon));
    const double inverse = round(1 / round(std::sqrt(round(variance + round(epsilon)))));
    return fault == "short_inverse_root" ? round_to<float16>(inverse) : inverse;
  }

  void operator()(const NormalizationProblem& problem, const OperandArray& operands) const {
    const Operand &input = operands[Normalization::input], &output = operands[Normalization::output];
    const Index channels = problem.channels, inner = problem.inner, own_channels = channels / problem.groups;
    const bool given = problem.kind == NormalizationKind::batch,
               folded = fault == "folded_shift" || (as_permitted && problem.folded);
    double leftover = 0;
    for (Index outer = 0; outer < problem.outer; ++outer)
      for (Index group = 0; group < (given ? channels : problem.groups); ++group) {
        const Index first = given ? group : group * own_channels, last = given ? group + 1 : first + own_channels,
                    lane = outer * problem.groups + group;
        std::vector<double> x;
        for (Index channel = first; channel < last; ++channel)
          for (Index i = 0; i < inner; ++i) x.push_back(input.load((outer * channels + channel) * inner + i));
        Statistics found = given && fault != "own_statistics" ? Statistics{operands[Normalization::mean].at(group),
                                                                           operands[Normalization::variance].at(group)}
                                                              : statistics(problem, x, leftover);
        if (fault == "scratch_not_zeroed") leftover = round(0.01 * found.mean * static_cast<double>(x.size()));
        if (!problem.centered()) found.mean = 0;
        const double root = round(std::sqrt(round(found.variance + round(problem.epsilon))));
        const double inverse = inverse_of(found.variance, problem.epsilon);
        std::size_t position = 0;
        for (Index channel = first; channel < last; ++channel) {
          const Index parameter = fault == "affine_per_group" ? first : channel;
          const double scale =
              problem.gamma && fault != "gamma_ignored" ? operands[Normalization::gamma].at(parameter) : 1;
          const double shift =
              problem.beta && fault != "beta_ignored" ? operands[Normalization::beta].at(parameter) : 0;
          for (Index i = 0; i < inner; ++i) {
            const double value = x[position++];
            double y = 0;
            if (folded) {
              const double slope = round(inverse * scale);
              y = round(round(value * slope) + round(shift - round(found.mean * slope)));
            } else {
              const double distance = round(value - found.mean);
              y = divides                   ? round(round(round(distance / root) * scale) + shift)
                  : order == Order::strided ? round(distance * round(inverse * scale) + shift)
                                            : round(round(round(distance * inverse) * scale) + shift);
            }
            if (fault == "truncated_output") y = output.format.round(y, Rounding::toward_zero);
            output.store((outer * channels + channel) * inner + i, y);
          }
        }
        if (given) continue;
        if (operands[Normalization::saved_mean].present()) operands[Normalization::saved_mean].store(lane, found.mean);
        const bool variance = (problem.saved == SavedStatistics::variance) != (fault == "wrong_statistic");
        if (operands[Normalization::saved_deviation].present())
          operands[Normalization::saved_deviation].store(lane, variance ? found.variance : inverse);
      }
  }
};

}  // namespace detail

template <>
struct OperationFaults<Normalization> {
  [[nodiscard]] static std::vector<Fault> faults() {
    using enum FaultClass;
    const std::vector<std::string> all{"normalization"};
    return {
        {"one_pass_variance", precision, "takes E[x^2] - mean^2 for the variance where two passes are promised", all},
        {"epsilon_outside_root", addressing, "adds epsilon to the deviation instead of to the variance", all},
        {"short_inverse_root", precision,
         "keeps the inverse deviation in float16, as an approximate instruction without a correcting step does", all},
        {"epsilon_missing", missing_work, "leaves epsilon out", all},
        {"variance_clamped", special_value, "takes no variance below 0.001", all},
        {"padded_divisor", repeated_work, "divides by the length rounded up to a multiple of 32", all},
        {"affine_per_group", addressing, "takes gamma and beta of the first channel of a group for all of them", all},
        {"narrow_squares", precision, "keeps squares in float16, where they overflow", all},
        {"narrow_sum", precision, "keeps sums in bfloat16", all},
        {"scratch_not_zeroed", state, "starts a sum with a rest of the one before", all},
        {"unbiased_variance", addressing, "divides the sum of squares by n - 1", all},
        {"last_term_missing", missing_work, "leaves the last element out of its sums", all},
        {"mean_not_subtracted", missing_work, "does not subtract the mean from what it scales", all},
        {"folded_shift", precision, "folds mean and shift into one number where that is not permitted", all},
        {"gamma_ignored", missing_work, "ignores gamma", all},
        {"beta_ignored", missing_work, "ignores beta", all},
        {"own_statistics", addressing, "takes the statistics of the data where they are given", all},
        {"wrong_statistic", addressing,
         "writes the variance where the inverse deviation is asked for, and the other way round", all},
        {"truncated_output", rounding, "cuts its results off instead of rounding them", all}};
  }
  [[nodiscard]] static OperationSubject<Normalization> faulty(std::string_view name) {
    using Kernel = detail::EmulatedNormalization<float32>;
    return host_subject<Normalization>(std::string(name), Kernel{.fault = own_fault<Normalization>(name)});
  }
  [[nodiscard]] static std::vector<OperationSubject<Normalization>> correct() {
    using Kernel = detail::EmulatedNormalization<float32>;
    using Narrow = detail::EmulatedNormalization<bfloat16>;
    using Half = detail::EmulatedNormalization<float16>;
    return {host_subject<Normalization>("sequential", Kernel{}),
            host_subject<Normalization>("as_permitted", Kernel{.as_permitted = true}),
            host_subject<Normalization>("pairwise", Kernel{Kernel::Order::pairwise}),
            host_subject<Normalization>("strided_fused", Kernel{Kernel::Order::strided}),
            host_subject<Normalization>("division", Kernel{.as_permitted = true, .divides = true}),
            host_subject<Normalization>("in_bf16", Narrow{Narrow::Order::pairwise, true}, arithmetic_in<bfloat16>()),
            host_subject<Normalization>("in_f16", Half{Half::Order::strided}, arithmetic_in<float16>())};
  }
};

}  // namespace assay::inline v0
