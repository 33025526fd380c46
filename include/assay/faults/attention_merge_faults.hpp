#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "assay/faults/emulated_sum.hpp"
#include "assay/faults/operation_faults.hpp"
#include "assay/kernels/attention_merge/attention_merge.hpp"

namespace assay::inline v0 {

namespace detail {

/// A merge in which every result is rounded to `Accumulator`, right or with a fault.
template <FloatFormat Accumulator>
struct EmulatedAttentionMerge {
  enum class Order {
    two_pass,  ///< largest log-sum-exp first, then weights
    chain,     ///< one part after another
    pairs,     ///< neighbors first, as a tree
    by_total,  ///< the total first, then exp(L_p − L)
    base_two   ///< exp2, the factor folded in
  };
  Order order = Order::two_pass;
  std::string_view fault = "";

  static double round(double value) { return round_to<Accumulator>(value); }
  static constexpr double infinity = std::numeric_limits<double>::infinity(),
                          not_a_number = std::numeric_limits<double>::quiet_NaN();
  struct Part {
    double logarithm = -infinity;
    std::vector<double> values;
  };

  void operator()(const AttentionMergeProblem& problem, const OperandArray& operands) const {
    using Position = AttentionMergeOperand;
    const Operand &outputs = operands[Position::partial_output], &logarithms = operands[Position::partial_log_sum_exp];
    for (Index row = 0; row < problem.rows; ++row) {
      std::vector<Part> parts;
      for (Index p = 0; p < problem.parts - (fault == "last_part_missing" && problem.parts > 1 ? 1 : 0); ++p) {
        Part part{fault == "log_sum_exps_permuted" ? logarithms.load((row * problem.parts + p) % logarithms.size())
                                                   : logarithms.at(p, row),
                  {}};
        for (Index c = 0; c < problem.value_depth; ++c) part.values.push_back(outputs.at(p, row, c));
        parts.push_back(std::move(part));
      }
      Part whole;
      if (order == Order::chain) {
        whole = parts[0];
        for (std::size_t p = 1; p < parts.size(); ++p) whole = merge(problem, {whole, parts[p]});
        if (parts.size() == 1) whole = merge(problem, parts);
      } else if (order == Order::pairs) {
        whole = merge(problem, {fold_pairwise(std::move(parts), Part{}, [&](const Part& a, const Part& b) {
                        return merge(problem, {a, b});
                      })});
      } else {
        whole = merge(problem, parts);
      }
      if (whole.logarithm == -infinity && fault != "fully_masked_nan")
        whole.values.assign(whole.values.size(), problem.fully_masked == FullyMasked::zeros ? 0 : not_a_number);
      for (Index c = 0; c < problem.value_depth; ++c) {
        const Operand& output = operands[Position::output];
        output.format.store_code(
            output.data, output.offset(row, c),
            output.format.encode(whole.values[static_cast<std::size_t>(c)],
                                 fault == "truncated_output" ? Rounding::toward_zero : Rounding::nearest_even));
      }
      operands[Position::log_sum_exp].store(row, whole.logarithm);
    }
  }

 private:
  [[nodiscard]] Part merge(const AttentionMergeProblem& problem, const std::vector<Part>& parts) const {
    const auto columns = static_cast<std::size_t>(problem.value_depth);
    Part whole{-infinity, std::vector<double>(columns, 0)};
    double maximum = -infinity, sum = 0;
    for (const Part& part : parts) maximum = std::max(maximum, part.logarithm);
    if (fault == "no_maximum") maximum = 0;
    if (maximum == -infinity) {
      if (fault == "fully_masked_nan") whole.values.assign(columns, not_a_number);
      if (fault == "empty_rows_nan") whole.logarithm = not_a_number;
      return whole;
    }
    const double factor = round(1.4426950408889634);
    const auto weight_of = [&](double logarithm) {
      double weight = order == Order::base_two ? round(std::exp2(round(logarithm * factor - round(maximum * factor))))
                                               : round(std::exp(round(logarithm - maximum)));
      if (fault == "base_two_confused") weight = round(std::exp2(round(logarithm - maximum)));
      if (fault == "equal_weights") weight = 1;
      return fault == "narrow_weights" ? round_to<bfloat16>(weight) : weight;
    };
    for (const Part& part : parts) sum = round(sum + weight_of(part.logarithm));
    whole.logarithm = fault == "log_sum_exp_is_maximum" ? maximum : round(maximum + round(std::log(sum)));
    if (order == Order::by_total) maximum = whole.logarithm;
    for (const Part& part : parts) {
      if (part.logarithm == -infinity && fault != "empty_part_read") continue;
      const double weight = weight_of(part.logarithm);
      for (std::size_t c = 0; c < columns; ++c) {
        whole.values[c] = round(whole.values[c] + weight * part.values[c]);
        if (fault == "narrow_accumulator") whole.values[c] = round_to<float16>(whole.values[c]);
      }
    }
    if (order != Order::by_total && fault != "not_normalized")
      for (double& own : whole.values) own = round(own / sum);
    return whole;
  }
};

}  // namespace detail

template <>
struct OperationFaults<AttentionMerge> {
  [[nodiscard]] static std::vector<Fault> faults() {
    using enum FaultClass;
    const std::vector<std::string> own{"attention_merge"};
    return {{"fully_masked_nan", special_value, "gives NaN where no part saw anything and zeros are asked for", own},
            {"empty_rows_nan", special_value, "gives a log-sum-exp of NaN where no part saw anything", own},
            {"empty_part_read", special_value, "multiplies the unwritten output of an empty part by 0", own},
            {"no_maximum", precision, "takes exponentials without subtracting the largest log-sum-exp", own},
            {"not_normalized", missing_work, "does not divide by the sum of weights", own},
            {"equal_weights", missing_work, "takes the mean of all parts", own},
            {"base_two_confused", precision, "takes natural logarithms for those to base 2", own},
            {"last_part_missing", missing_work, "leaves out the last part", own},
            {"log_sum_exps_permuted", addressing, "reads the log-sum-exps with rows and parts exchanged", own},
            {"log_sum_exp_is_maximum", missing_work, "writes the largest log-sum-exp for that of all", own},
            {"narrow_weights", precision, "keeps weights in bfloat16", own},
            {"narrow_accumulator", precision, "adds up its output in float16", own},
            {"truncated_output", rounding, "cuts its results off instead of rounding them", own}};
  }
  [[nodiscard]] static OperationSubject<AttentionMerge> faulty(std::string_view name) {
    using Kernel = detail::EmulatedAttentionMerge<float32>;
    return host_subject<AttentionMerge>(std::string(name),
                                        Kernel{Kernel::Order::two_pass, own_fault<AttentionMerge>(name)});
  }
  [[nodiscard]] static std::vector<OperationSubject<AttentionMerge>> correct() {
    using Kernel = detail::EmulatedAttentionMerge<float32>;
    using Half = detail::EmulatedAttentionMerge<float16>;
    using Narrow = detail::EmulatedAttentionMerge<bfloat16>;
    return {host_subject<AttentionMerge>("two_pass", Kernel{Kernel::Order::two_pass}),
            host_subject<AttentionMerge>("chain", Kernel{Kernel::Order::chain}),
            host_subject<AttentionMerge>("pairs", Kernel{Kernel::Order::pairs}),
            host_subject<AttentionMerge>("by_total", Kernel{Kernel::Order::by_total}),
            host_subject<AttentionMerge>("base_two", Kernel{Kernel::Order::base_two}),
            host_subject<AttentionMerge>("in_f16", Half{Half::Order::chain}, arithmetic_in<float16>()),
            host_subject<AttentionMerge>("in_bf16", Narrow{Narrow::Order::two_pass}, arithmetic_in<bfloat16>())};
  }
};

}  // namespace assay::inline v0
