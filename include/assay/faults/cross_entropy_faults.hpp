#pragma once

#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "assay/faults/emulated_sum.hpp"
#include "assay/faults/operation_faults.hpp"
#include "assay/kernels/cross_entropy/cross_entropy.hpp"

namespace assay::inline v0 {

namespace detail {

/// A cross entropy in which every result is rounded to `Accumulator`, right or with a fault.
template <FloatFormat Accumulator>
struct EmulatedCrossEntropy {
  using Order = typename EmulatedSum<Accumulator>::Order;
  Order order = Order::sequential;
  bool by_logarithms = false;  ///< sums −q_j·log p_j, and takes gradients of each term by itself
  std::string_view fault = "";

  static double round(double value) { return round_to<Accumulator>(value); }
  [[nodiscard]] double add_all(std::vector<double> terms) const {
    return EmulatedSum<Accumulator>{order, fault}(std::move(terms));
  }

  struct Row {
    std::vector<double> shifted;
    double maximum = 0, sum = 0;
    Index label = 0;
    bool ignored = false;
  };

  [[nodiscard]] Row row_of(const CrossEntropyProblem& problem, const OperandArray& operands, Index index) const {
    Row row;
    row.label = static_cast<Index>(operands[CrossEntropy::labels].load(index));
    row.ignored = row.label == problem.ignored_label;
    if (fault == "ignored_label_counts" && row.ignored) {
      row.ignored = false;
      row.label = 0;
    }
    if (fault == "label_off_by_one" && !row.ignored && row.label + 1 < problem.classes) ++row.label;
    std::vector<double> powers;
    for (Index j = 0; j < problem.classes; ++j) {
      row.shifted.push_back(operands[CrossEntropy::logits].load(index * problem.classes + j));
      if (j == 0 || is_nan(row.shifted.back()) || row.shifted.back() > row.maximum) row.maximum = row.shifted.back();
    }
    if (fault == "no_shift") row.maximum = 0;
    for (double& value : row.shifted) {
      value = round(value - row.maximum);
      powers.push_back(round(std::exp(value)));
    }
    row.sum = add_all(powers);
    return row;
  }

  [[nodiscard]] double loss_of(const CrossEntropyProblem& problem, const Row& row) const {
    if (row.ignored) return 0;
    const double log_sum = round(std::log(row.sum)),
                 share = fault == "smoothing_ignored" ? 0 : round(problem.smoothing),
                 target = row.shifted[static_cast<std::size_t>(row.label)];
    const double own = round(log_sum - target),
                 classes = static_cast<double>(problem.classes) -
                           (fault == "smoothing_of_others" && problem.classes > 1 ? 1 : 0);
    if (share == 0) return own;
    std::vector<double> terms;
    for (const double value : row.shifted) terms.push_back(by_logarithms ? round(log_sum - value) : round(0 - value));
    const double mean = round(add_all(terms) / classes);
    return round(round(round(1 - share) * own) + round(share * (by_logarithms ? mean : round(mean + log_sum))));
  }

  void operator()(const CrossEntropyProblem& problem, const OperandArray& operands) const {
    std::vector<double> losses;
    double count = 0;
    for (Index index = 0; index < problem.rows; ++index) {
      const bool ignored = static_cast<Index>(operands[CrossEntropy::labels].load(index)) == problem.ignored_label;
      count += ignored && fault != "mean_over_all" && fault != "ignored_label_counts" ? 0 : 1;
    }
    const bool mean = problem.reduction == LossReduction::mean;
    for (Index index = 0; index < problem.rows; ++index) {
      const Row row = row_of(problem, operands, index);
      if (!problem.backward) {
        losses.push_back(loss_of(problem, row));
        if (!mean) operands[CrossEntropy::loss].store(index, fault == "wrong_sign" ? -losses.back() : losses.back());
        continue;
      }
      const double share = fault == "smoothing_ignored" ? 0 : round(problem.smoothing),
                   incoming = operands[CrossEntropy::loss_gradient].load(mean ? 0 : index);
      const double scale = mean && fault != "gradient_of_sum" ? round(incoming / count)
                           : fault == "incoming_ignored"      ? 1
                                                              : incoming;
      const double classes =
          static_cast<double>(problem.classes) - (fault == "smoothing_of_others" && problem.classes > 1 ? 1 : 0);
      for (Index j = 0; j < problem.classes; ++j) {
        const double power = round(round(std::exp(row.shifted[static_cast<std::size_t>(j)])) / row.sum);
        const double target =
            round(round(share / classes) + (j == row.label && fault != "one_not_subtracted" ? round(1 - share) : 0));
        const double dx =
            by_logarithms ? round(round(power * scale) - round(target * scale)) : round(round(power - target) * scale);
        operands[CrossEntropy::logits_gradient].store(index * problem.classes + j, row.ignored ? 0 : dx);
      }
    }
    if (mean && !problem.backward) {
      EmulatedSum<Accumulator> sum{order, fault};
      operands[CrossEntropy::loss].store(0, fault == "sum_for_mean" ? sum(losses) : round(sum(losses) / count));
    }
  }
};

}  // namespace detail

template <>
struct OperationFaults<CrossEntropy> {
  [[nodiscard]] static std::vector<Fault> faults() {
    using enum FaultClass;
    const std::vector<std::string> all{"cross_entropy"};
    return {{"no_shift", precision, "takes exponentials without subtracting the maximum", all},
            {"label_off_by_one", addressing, "takes the class behind the label", all},
            {"ignored_label_counts", special_value, "takes rows whose label is to be ignored for class 0", all},
            {"mean_over_all", repeated_work, "divides by all rows, ignored ones among them", all},
            {"sum_for_mean", missing_work, "does not divide the sum of losses", all},
            {"gradient_of_sum", missing_work, "does not divide gradients by the rows that count", all},
            {"incoming_ignored", missing_work, "ignores the incoming gradient", all},
            {"one_not_subtracted", missing_work, "leaves the label out of the gradient", all},
            {"smoothing_ignored", missing_work, "ignores the smoothing", all},
            {"smoothing_of_others", addressing, "spreads the smoothing over classes - 1", all},
            {"last_term_missing", missing_work, "leaves the last element out of its sums", all},
            {"narrow_sum", precision, "keeps sums in bfloat16", all},
            {"wrong_sign", addressing, "writes the logarithm for the loss", all}};
  }
  [[nodiscard]] static OperationSubject<CrossEntropy> faulty(std::string_view name) {
    using Kernel = detail::EmulatedCrossEntropy<float32>;
    return host_subject<CrossEntropy>(std::string(name),
                                      Kernel{Kernel::Order::sequential, false, own_fault<CrossEntropy>(name)});
  }
  [[nodiscard]] static std::vector<OperationSubject<CrossEntropy>> correct() {
    using Kernel = detail::EmulatedCrossEntropy<float32>;
    using Narrow = detail::EmulatedCrossEntropy<bfloat16>;
    using Half = detail::EmulatedCrossEntropy<float16>;
    return {host_subject<CrossEntropy>("sequential", Kernel{Kernel::Order::sequential}),
            host_subject<CrossEntropy>("pairwise", Kernel{Kernel::Order::pairwise}),
            host_subject<CrossEntropy>("strided", Kernel{Kernel::Order::strided}),
            host_subject<CrossEntropy>("by_logarithms", Kernel{Kernel::Order::sequential, true}),
            host_subject<CrossEntropy>("in_bf16", Narrow{Narrow::Order::pairwise}, arithmetic_in<bfloat16>()),
            host_subject<CrossEntropy>("in_f16", Half{Half::Order::strided, true}, arithmetic_in<float16>())};
  }
};

}  // namespace assay::inline v0
