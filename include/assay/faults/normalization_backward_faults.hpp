#pragma once

#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "assay/faults/emulated_sum.hpp"
#include "assay/faults/operation_faults.hpp"
#include "assay/kernels/normalization_backward/normalization_backward.hpp"

namespace assay::inline v0 {

namespace detail {

/// A normalization's gradients in which every result is rounded to `Accumulator`, right or with a fault.
template <FloatFormat Accumulator>
struct EmulatedNormalizationBackward {
  using Order = typename EmulatedSum<Accumulator>::Order;
  using Op = NormalizationBackward;
  Order order = Order::sequential;
  bool as_permitted = false;  ///< folds where the problem's contract allows it
  std::string_view fault = "";

  static double round(double value) { return round_to<Accumulator>(value); }
  [[nodiscard]] double add_all(std::vector<double> terms) const {
    return EmulatedSum<Accumulator>{order, fault}(std::move(terms));
  }

  [[nodiscard]] double inverse_of(const NormalizationProblem& problem, const OperandArray& operands, Index lane) const {
    const double saved = operands[Op::deviation].at(lane);
    if (problem.saved == SavedStatistics::inverse_deviation || fault == "variance_as_inverse") return saved;
    return round(1 / round(std::sqrt(round(saved + (fault == "epsilon_missing" ? 0 : round(problem.epsilon))))));
  }

  void operator()(const NormalizationBackwardProblem& whole, const OperandArray& operands) const {
    const NormalizationProblem& problem = whole.forward;
    const Index channels = problem.channels / problem.groups, inner = problem.inner;
    const auto place = [&](Index outer, Index channel, Index i) {
      return (outer * problem.channels + channel) * inner + i;
    };
    const auto mean_of = [&](Index lane) {
      return problem.centered() && fault != "mean_ignored" ? operands[Op::mean].at(lane) : 0;
    };
    const bool batch = problem.kind == NormalizationKind::batch, folded = as_permitted && problem.folded;
    for (Index outer = 0; outer < problem.outer; ++outer)
      for (Index group = 0; group < (batch ? problem.channels : problem.groups); ++group) {
        const Index first = batch ? group : group * channels, last = batch ? group + 1 : first + channels,
                    lane = batch ? group : outer * problem.groups + group;
        const double inverse = inverse_of(problem, operands, lane), mean = mean_of(lane);
        std::vector<double> terms, products, values;
        for (Index channel = first; channel < last; ++channel)
          for (Index i = 0; i < inner; ++i) {
            const Index parameter = fault == "affine_per_group" ? first : channel;
            const double scale = problem.gamma && fault != "gamma_ignored" ? operands[Op::gamma].at(parameter) : 1;
            terms.push_back(round(operands[Op::gradient].load(place(outer, channel, i)) * scale));
            const double x = operands[Op::input].load(place(outer, channel, i));
            values.push_back(folded ? x : round(round(x - mean) * inverse));
            products.push_back(round(terms.back() * values.back()));
          }
        double count = static_cast<double>(terms.size());
        if (fault == "padded_divisor") count = std::ceil(count / 32) * 32;
        const double sum = add_all(terms);
        double gradient = problem.centered() && !batch && fault != "mean_term_missing" ? round(sum / count) : 0,
               projection = 0;
        if (!batch && fault != "projection_missing")
          projection = folded ? round(round(round(add_all(products) - round(mean * sum)) * inverse) / count)
                              : round(add_all(products) / count);
        std::size_t position = 0;
        for (Index channel = first; channel < last; ++channel)
          for (Index i = 0; i < inner; ++i, ++position) {
            double dx = 0;
            if (folded && !batch) {
              const double slope = round(-round(projection * inverse) * inverse),
                           constant = round(round(-slope * mean) - round(gradient * inverse));
              dx = round(round(round(terms[position] * inverse) + round(slope * values[position])) + constant);
            } else {
              dx = round(inverse * round(round(terms[position] - gradient) - round(values[position] * projection)));
            }
            if (fault == "inverse_missing") dx = inverse == 0 ? dx : dx / inverse;
            if (fault == "truncated_output") dx = operands[Op::input_gradient].format.round(dx, Rounding::toward_zero);
            operands[Op::input_gradient].store(place(outer, channel, i), dx);
          }
      }
    write_parameters(problem, operands, folded);
  }

  void write_parameters(const NormalizationProblem& problem, const OperandArray& operands, bool folded) const {
    for (Index channel = 0; channel < problem.channels; ++channel) {
      std::vector<double> products, gradients;
      for (Index outer = 0; outer < problem.outer - (fault == "lost_update" && problem.outer > 1 ? 1 : 0); ++outer) {
        const Index lane = problem.lane_of(outer, channel);
        const double inverse = inverse_of(problem, operands, lane),
                     mean = problem.centered() ? operands[NormalizationBackward::mean].at(lane) : 0;
        std::vector<double> own, own_products;
        for (Index i = 0; i < problem.inner; ++i) {
          const Index element = (outer * problem.channels + channel) * problem.inner + i;
          const double dy = operands[NormalizationBackward::gradient].load(element),
                       x = operands[NormalizationBackward::input].load(element);
          gradients.push_back(dy);
          own.push_back(dy);
          own_products.push_back(round(dy * x));
          if (!folded)
            products.push_back(round(dy * (fault == "gradient_of_raw_input" ? x : round(round(x - mean) * inverse))));
        }
        if (folded) products.push_back(round(round(add_all(own_products) - round(mean * add_all(own))) * inverse));
      }
      if (operands[NormalizationBackward::gamma_gradient].present())
        operands[NormalizationBackward::gamma_gradient].store(channel, add_all(products));
      if (operands[NormalizationBackward::beta_gradient].present())
        operands[NormalizationBackward::beta_gradient].store(
            channel, add_all(fault == "beta_of_products" ? products : gradients));
    }
  }
};

}  // namespace detail

template <>
struct OperationFaults<NormalizationBackward> {
  [[nodiscard]] static std::vector<Fault> faults() {
    using enum FaultClass;
    const std::vector<std::string> all{"normalization_backward"};
    return {{"mean_term_missing", missing_work, "leaves the mean of the gradients out", all},
            {"projection_missing", missing_work, "leaves the part along the normalized input out", all},
            {"mean_ignored", missing_work, "does not subtract the mean from the input", all},
            {"inverse_missing", missing_work, "does not divide by the deviation", all},
            {"variance_as_inverse", addressing, "takes the variance for the inverse deviation", all},
            {"epsilon_missing", missing_work, "leaves epsilon out", all},
            {"padded_divisor", repeated_work, "divides by the length rounded up to a multiple of 32", all},
            {"affine_per_group", addressing, "takes gamma of the first channel of a group for all of them", all},
            {"gamma_ignored", missing_work, "ignores gamma", all},
            {"lost_update", state, "loses the last row's share of the parameters' gradients", all},
            {"gradient_of_raw_input", missing_work, "sums dy x for dgamma", all},
            {"beta_of_products", addressing, "writes dgamma for dbeta", all},
            {"last_term_missing", missing_work, "leaves the last element out of its sums", all},
            {"narrow_sum", precision, "keeps sums in bfloat16", all},
            {"truncated_output", rounding, "cuts its results off instead of rounding them", all}};
  }
  [[nodiscard]] static OperationSubject<NormalizationBackward> faulty(std::string_view name) {
    using Kernel = detail::EmulatedNormalizationBackward<float32>;
    return host_subject<NormalizationBackward>(
        std::string(name), Kernel{Kernel::Order::sequential, false, own_fault<NormalizationBackward>(name)});
  }
  [[nodiscard]] static std::vector<OperationSubject<NormalizationBackward>> correct() {
    using Kernel = detail::EmulatedNormalizationBackward<float32>;
    using Narrow = detail::EmulatedNormalizationBackward<bfloat16>;
    using Half = detail::EmulatedNormalizationBackward<float16>;
    return {host_subject<NormalizationBackward>("sequential", Kernel{Kernel::Order::sequential}),
            host_subject<NormalizationBackward>("as_permitted", Kernel{Kernel::Order::sequential, true}),
            host_subject<NormalizationBackward>("pairwise", Kernel{Kernel::Order::pairwise}),
            host_subject<NormalizationBackward>("strided", Kernel{Kernel::Order::strided, true}),
            host_subject<NormalizationBackward>("in_bf16", Narrow{Narrow::Order::pairwise, true},
                                                arithmetic_in<bfloat16>()),
            host_subject<NormalizationBackward>("in_f16", Half{Half::Order::strided}, arithmetic_in<float16>())};
  }
};

}  // namespace assay::inline v0
