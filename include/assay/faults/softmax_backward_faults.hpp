#pragma once

#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "assay/faults/emulated_sum.hpp"
#include "assay/faults/operation_faults.hpp"
#include "assay/formats/small_formats.hpp"
#include "assay/kernels/softmax_backward/softmax_backward.hpp"

namespace assay::inline v0 {

namespace detail {

/// A softmax's gradient in which every result is rounded to `Accumulator`, right or with a fault.
template <FloatFormat Accumulator>
struct EmulatedSoftmaxBackward {
  using Order = typename EmulatedSum<Accumulator>::Order;
  Order order = Order::sequential;
  bool expanded = false;  ///< y·dy − y·s
  std::string_view fault = "";

  static double round(double value) { return round_to<Accumulator>(value); }

  void operator()(const SoftmaxBackwardProblem& problem, const OperandArray& operands) const {
    const Operand &saved = operands[SoftmaxBackward::saved], &gradient = operands[SoftmaxBackward::gradient],
                  &output = operands[SoftmaxBackward::output];
    const bool logarithm = problem.logarithm != (fault == "other_formula");
    double stale = 0;
    for (Index row = 0; row < problem.outer * problem.inner; ++row) {
      const Index first = row / problem.inner * problem.length * problem.inner + row % problem.inner;
      std::vector<double> terms;
      const auto saved_at = [&](Index j) {
        const double y = saved.load(first + j * problem.inner);
        return fault == "narrow_saved" ? round_to<float8_e4m3>(y) : y;
      };
      for (Index j = 0; j < problem.length; ++j) {
        const double dy = gradient.load(first + j * problem.inner);
        terms.push_back(logarithm || fault == "sum_of_gradient" ? dy : round(saved_at(j) * dy));
      }
      const double own = EmulatedSum<Accumulator>{order, fault}(terms);
      double sum = fault == "sum_ignored" ? 0 : fault == "stale_sum" && row > 0 ? stale : own;
      if (fault == "mean_for_sum" && problem.length > 0) sum = round(sum / static_cast<double>(problem.length));
      stale = own;
      for (Index j = 0; j < problem.length; ++j) {
        const Index element = first + j * problem.inner;
        const double y = saved_at(j), dy = gradient.load(element);
        double dx = 0;
        if (logarithm)
          dx = round(dy - round((fault == "exponential_missing" ? y : round(std::exp(y))) * sum));
        else if (expanded)
          dx = round(round(y * dy) - round(y * sum));
        else
          dx = round(y * round(fault == "wrong_sign" ? dy + sum : dy - sum));
        if (problem.temperature != 1 && fault != "temperature_ignored") dx = round(dx / problem.temperature);
        if (fault == "truncated_output") dx = output.format.round(dx, Rounding::toward_zero);
        output.store(element, dx);
      }
    }
  }
};

}  // namespace detail

template <>
struct OperationFaults<SoftmaxBackward> {
  [[nodiscard]] static std::vector<Fault> faults() {
    using enum FaultClass;
    const std::vector<std::string> all{"softmax_backward"};
    return {
        {"sum_ignored", missing_work, "leaves the sum over the row out", all},
        {"sum_of_gradient", addressing, "sums the gradient without the probabilities", all},
        {"mean_for_sum", addressing, "divides the sum by the length", all},
        {"wrong_sign", addressing, "adds the sum instead of subtracting it", all},
        {"stale_sum", state, "uses the sum of the row before", all},
        {"last_term_missing", missing_work, "leaves the last element out of the sum", all},
        {"narrow_sum", precision, "keeps the sum in bfloat16", all},
        {"narrow_saved", precision, "reads the saved output as an 8-bit float", all},
        {"other_formula", addressing, "takes the logarithm's gradient for the softmax's, and the other way round", all},
        {"exponential_missing", missing_work, "takes logarithms for probabilities", all},
        {"temperature_ignored", missing_work, "ignores the temperature", all},
        {"truncated_output", rounding, "cuts its results off instead of rounding them", all}};
  }
  [[nodiscard]] static OperationSubject<SoftmaxBackward> faulty(std::string_view name) {
    using Kernel = detail::EmulatedSoftmaxBackward<float32>;
    return host_subject<SoftmaxBackward>(std::string(name),
                                         Kernel{Kernel::Order::sequential, false, own_fault<SoftmaxBackward>(name)});
  }
  [[nodiscard]] static std::vector<OperationSubject<SoftmaxBackward>> correct() {
    using Kernel = detail::EmulatedSoftmaxBackward<float32>;
    using Narrow = detail::EmulatedSoftmaxBackward<bfloat16>;
    using Half = detail::EmulatedSoftmaxBackward<float16>;
    return {host_subject<SoftmaxBackward>("sequential", Kernel{Kernel::Order::sequential}),
            host_subject<SoftmaxBackward>("pairwise", Kernel{Kernel::Order::pairwise}),
            host_subject<SoftmaxBackward>("strided", Kernel{Kernel::Order::strided}),
            host_subject<SoftmaxBackward>("expanded", Kernel{Kernel::Order::sequential, true}),
            host_subject<SoftmaxBackward>("in_bf16", Narrow{Narrow::Order::pairwise, true}, arithmetic_in<bfloat16>()),
            host_subject<SoftmaxBackward>("in_f16", Half{Half::Order::strided}, arithmetic_in<float16>())};
  }
};

}  // namespace assay::inline v0
