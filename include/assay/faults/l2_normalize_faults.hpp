#pragma once

#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "assay/faults/emulated_sum.hpp"
#include "assay/faults/operation_faults.hpp"
#include "assay/kernels/l2_normalize/l2_normalize.hpp"

namespace assay::inline v0 {

namespace detail {

/// An L2 normalization in which every result is rounded to `Accumulator`, right or with a fault.
template <FloatFormat Accumulator>
struct EmulatedL2Normalize {
  using Order = typename EmulatedSum<Accumulator>::Order;
  Order order = Order::sequential;
  bool reciprocal = false;  ///< x·(1/d)
  std::string_view fault = "";

  static double round(double value) { return round_to<Accumulator>(value); }

  void operator()(const L2NormalizeProblem& problem, const OperandArray& operands) const {
    const Operand &input = operands[L2Normalize::input], &output = operands[L2Normalize::output];
    const double epsilon = round(problem.epsilon);
    double stale = 1;
    for (Index row = 0; row < problem.outer * problem.inner; ++row) {
      const Index first = row / problem.inner * problem.length * problem.inner + row % problem.inner;
      std::vector<double> terms;
      for (Index j = 0; j < problem.length; ++j) {
        const double x = input.load(first + j * problem.inner);
        terms.push_back(fault == "sum_of_magnitudes" ? std::fabs(x) : round(x * x));
      }
      double norm = EmulatedSum<Accumulator>{order, fault}(terms);
      if (fault == "mean_of_squares" && problem.length > 0) norm = round(norm / static_cast<double>(problem.length));
      if (fault != "root_missing" && fault != "sum_of_magnitudes") norm = round(std::sqrt(norm));
      double divisor = norm < epsilon ? epsilon : norm;
      if (fault == "epsilon_ignored") divisor = norm;
      if (fault == "epsilon_added") divisor = round(norm + epsilon);
      const double own = divisor;
      if (fault == "stale_norm" && row > 0) divisor = stale;
      stale = own;
      for (Index j = 0; j < problem.length; ++j) {
        const Index element = first + j * problem.inner;
        const double x = input.load(element);
        const double y = reciprocal ? round(x * round(1 / divisor)) : round(x / divisor);
        output.store(element, fault == "truncated_output" ? output.format.round(y, Rounding::toward_zero) : y);
      }
    }
  }
};

}  // namespace detail

template <>
struct OperationFaults<L2Normalize> {
  [[nodiscard]] static std::vector<Fault> faults() {
    using enum FaultClass;
    const std::vector<std::string> all{"l2_normalize"};
    return {{"epsilon_ignored", missing_work, "divides by the norm however small it is", all},
            {"epsilon_added", addressing, "adds epsilon to the norm instead of taking the larger of the two", all},
            {"sum_of_magnitudes", addressing, "divides by the sum of magnitudes", all},
            {"root_missing", missing_work, "divides by the sum of squares", all},
            {"mean_of_squares", addressing, "divides by the root of the mean square", all},
            {"stale_norm", state, "divides by the norm of the row before", all},
            {"last_term_missing", missing_work, "leaves the last element out of the norm", all},
            {"narrow_sum", precision, "keeps the sum in bfloat16", all},
            {"truncated_output", rounding, "cuts its results off instead of rounding them", all}};
  }
  [[nodiscard]] static OperationSubject<L2Normalize> faulty(std::string_view name) {
    using Kernel = detail::EmulatedL2Normalize<float32>;
    return host_subject<L2Normalize>(std::string(name),
                                     Kernel{Kernel::Order::sequential, false, own_fault<L2Normalize>(name)});
  }
  [[nodiscard]] static std::vector<OperationSubject<L2Normalize>> correct() {
    using Kernel = detail::EmulatedL2Normalize<float32>;
    using Narrow = detail::EmulatedL2Normalize<bfloat16>;
    return {host_subject<L2Normalize>("sequential", Kernel{Kernel::Order::sequential}),
            host_subject<L2Normalize>("pairwise", Kernel{Kernel::Order::pairwise}),
            host_subject<L2Normalize>("strided_reciprocal", Kernel{Kernel::Order::strided, true}),
            host_subject<L2Normalize>("in_bf16", Narrow{Narrow::Order::pairwise}, arithmetic_in<bfloat16>())};
  }
};

}  // namespace assay::inline v0
