#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "assay/faults/operation_faults.hpp"
#include "assay/kernels/attention_backward/attention_backward.hpp"

namespace assay::inline v0 {

namespace detail {

/// Gradients of an attention in which every result is rounded to `Accumulator`, right or with a fault.
template <FloatFormat Accumulator>
struct EmulatedAttentionBackward {
  enum class Order {
    from_output,   ///< Σ gradient·output from the stored output, as flash attention has it
    from_weights,  ///< from Σ weight·gradient, as softmax has it
    backwards,     ///< queries and keys from the last to the first
    split,         ///< sums of even and odd queries and keys apart
    base_two       ///< exp2 of scores whose scale has log2 e folded in
  };
  Order order = Order::from_output;
  std::string_view fault = "";

  static double round(double value) { return round_to<Accumulator>(value); }
  static constexpr double infinity = std::numeric_limits<double>::infinity();

  /// Sums of a row or column, in two halves where `split`.
  struct Sums {
    std::vector<double> halves[2];
    explicit Sums(Index size)
        : halves{std::vector<double>(static_cast<std::size_t>(size), 0),
                 std::vector<double>(static_cast<std::size_t>(size), 0)} {}
    void add(Index half, Index c, double factor, double value) {
      halves[half][static_cast<std::size_t>(c)] = round(halves[half][static_cast<std::size_t>(c)] + factor * value);
    }
    [[nodiscard]] double total(Index c) const {
      return round(halves[0][static_cast<std::size_t>(c)] + halves[1][static_cast<std::size_t>(c)]);
    }
  };

  void operator()(const AttentionProblem& problem, const OperandArray& operands) const {
    using Position = AttentionBackwardOperand;
    const AttentionLayout layout(problem, attention_operands_of(operands));
    const Operand &query = operands[Position::query], &key = operands[Position::key],
                  &value = operands[Position::value], &gradient = operands[Position::output_gradient];
    const Operand &query_output = operands[Position::query_gradient], &key_output = operands[Position::key_gradient],
                  &value_output = operands[Position::value_gradient];
    const auto element = [](const Operand& operand, Index place, Index c) {
      return operand.format.load(operand.data, place + c * operand.strides[operand.rank - 1]);
    };
    const auto store = [&](const Operand& operand, Index place, Index c, double own) {
      operand.format.store_code(
          operand.data, place + c * operand.strides[operand.rank - 1],
          operand.format.encode(own, fault == "truncated_output" ? Rounding::toward_zero : Rounding::nearest_even));
    };
    const double scale = round(layout.scale);
    for (Index b = 0; b < layout.batch; ++b)
      for (Index key_head = 0; key_head < layout.key_heads; ++key_head) {
        const Index keys = layout.keys_of(b), queries = layout.queries_of(b), group = layout.group();
        const Index padded = problem.storage == AttentionStorage::packed ? keys : problem.keys;
        std::vector<Sums> of_keys(static_cast<std::size_t>(padded), Sums(layout.depth)),
            of_values(static_cast<std::size_t>(padded), Sums(layout.value_depth));
        for (Index step = 0; step < group * queries; ++step) {
          const Index index = order == Order::backwards ? group * queries - 1 - step : step,
                      half = order == Order::split ? index % 2 : 0;
          const Index head = key_head * group + index / queries;
          const AttentionRow row = changed(layout.row(b, head, index % queries), problem, layout);
          const Index from_query = layout.query_place(query, row), from_gradient = layout.query_place(gradient, row);
          std::vector<double> weights, slacks, changes;
          double maximum = -infinity, sum = 0, delta = 0;
          for (Index j = row.first; j < row.last; ++j) {
            double slack = 1;
            weights.push_back(score(problem, layout, row, j, slack));
            slacks.push_back(slack);
            maximum = is_nan(weights.back()) || is_nan(maximum) ? std::numeric_limits<double>::quiet_NaN()
                                                                : std::max(maximum, weights.back());
          }
          Sums of_query(layout.depth);
          if (maximum != -infinity) {
            for (double& own : weights) sum = round(sum + round(std::exp(round(own - maximum))));
            const double logarithm = static_cast<double>(static_cast<float>(round(maximum + round(std::log(sum)))));
            const double base_two = round(1.4426950408889634);
            for (double& own : weights)
              own = order == Order::base_two ? round(std::exp2(round(own * base_two - round(logarithm * base_two))))
                                             : round(std::exp(round(own - logarithm)));
            if (fault == "weights_unnormalized")
              for (double& own : weights) own = round(own * sum);
            std::vector<double> outputs(static_cast<std::size_t>(layout.value_depth), 0);
            for (Index j = row.first; j < row.last; ++j) {
              const double own = weights[static_cast<std::size_t>(j - row.first)];
              if (own == 0 && score_hidden(problem, layout, row, j)) {
                changes.push_back(0);
                continue;
              }
              const Index from_value = layout.key_place(value, row, j);
              double product = 0;
              for (Index c = 0; c < layout.value_depth; ++c) {
                const double v = element(value, from_value, c);
                product = round(product + element(gradient, from_gradient, c) * v);
                outputs[static_cast<std::size_t>(c)] = round(outputs[static_cast<std::size_t>(c)] + own * v);
              }
              changes.push_back(product);
              if (order == Order::from_weights) delta = round(delta + own * product);
            }
            if (order != Order::from_weights)
              for (Index c = 0; c < layout.value_depth; ++c)
                delta = round(delta + element(gradient, from_gradient, c) *
                                          problem.output.round(outputs[static_cast<std::size_t>(c)]));
            if (fault == "delta_forgotten") delta = 0;
            for (Index s = 0; s < row.last - row.first; ++s) {
              const Index j = order == Order::backwards ? row.last - 1 - s : row.first + s, place = j - row.first,
                          key_half = order == Order::split ? j % 2 : 0;
              if (fault == "last_tile_lost" && j >= row.last / 4 * 4 && row.last > 4) continue;
              const double own = weights[static_cast<std::size_t>(place)],
                           slack = fault == "cap_derivative_forgotten" ? 1 : slacks[static_cast<std::size_t>(place)];
              if (own == 0 && score_hidden(problem, layout, row, j)) continue;
              double change = round(round(own * round(changes[static_cast<std::size_t>(place)] - delta)) * slack);
              const auto narrow = [&](double number) {
                return fault == "narrow_weights" ? round_to<bfloat16>(number) : problem.weights.round(number);
              };
              change = narrow(change);
              const double stored = narrow(own);
              const Index from_key = layout.key_place(key, row, j);
              for (Index c = 0; c < layout.depth; ++c) of_query.add(key_half, c, change, element(key, from_key, c));
              if ((fault == "group_not_summed" && index / queries > 0) ||
                  (fault == "last_query_missing" && index + 1 == group * queries) ||
                  (fault == "update_lost" && index == 1 && j % 2 == 1))
                continue;
              Sums &to_key = of_keys[static_cast<std::size_t>(j)], &to_value = of_values[static_cast<std::size_t>(j)];
              for (Index c = 0; c < layout.depth; ++c) to_key.add(half, c, change, element(query, from_query, c));
              for (Index c = 0; c < layout.value_depth; ++c)
                to_value.add(half, c, fault == "value_from_changes" ? change : stored,
                             element(gradient, from_gradient, c));
            }
          }
          const Index place = layout.query_place(query_output, row);
          const bool nan = fault == "empty_rows_nan" && maximum == -infinity;
          for (Index c = 0; c < layout.depth; ++c)
            store(query_output, place, c,
                  nan                          ? std::numeric_limits<double>::quiet_NaN()
                  : fault == "scale_forgotten" ? of_query.total(c)
                                               : round(of_query.total(c) * scale));
        }
        AttentionRow row = layout.row(b, key_head * group, 0);
        for (Index j = 0; j < padded; ++j) {
          const Index to_key = layout.key_place(key_output, row, j), to_value = layout.key_place(value_output, row, j);
          const double hidden =
              fault == "hidden_nan_leaks" ? 0 * element(value, layout.key_place(value, row, j), 0) : 0;
          for (Index c = 0; c < layout.depth; ++c)
            store(key_output, to_key, c,
                  hidden + (fault == "scale_forgotten_of_keys"
                                ? of_keys[static_cast<std::size_t>(j)].total(c)
                                : round(of_keys[static_cast<std::size_t>(j)].total(c) * scale)));
          for (Index c = 0; c < layout.value_depth; ++c)
            store(value_output, to_value, c, of_values[static_cast<std::size_t>(j)].total(c));
        }
      }
  }

 private:
  [[nodiscard]] AttentionRow changed(AttentionRow row, const AttentionProblem& problem,
                                     const AttentionLayout& layout) const {
    const Index offset = row.keys - layout.queries_of(row.sequence);
    if (fault == "wrong_alignment" && problem.causal) {
      row.diagonal = row.query + (problem.alignment == AttentionAlignment::bottom_right ? 0 : offset);
      row.last = std::clamp<Index>(row.diagonal + 1, 0, row.keys);
      row.first =
          std::min(row.last, problem.window_left >= 0 ? std::max<Index>(0, row.diagonal - problem.window_left) : 0);
    }
    if (fault == "diagonal_hidden" && problem.causal) row.last = std::max(row.first, std::min(row.last, row.diagonal));
    if (fault == "window_ignored" && problem.window_left >= 0) row.first = 0;
    return row;
  }
  [[nodiscard]] static bool score_hidden(const AttentionProblem& problem, const AttentionLayout& layout,
                                         const AttentionRow& row, Index key) {
    return problem.additive_mask != AdditiveMask::none && layout.mask(row, key) == -infinity;
  }
  [[nodiscard]] double score(const AttentionProblem& problem, const AttentionLayout& layout, const AttentionRow& row,
                             Index key, double& slack) const {
    const Operand &queries = layout.operand(AttentionOperand::query), &keys = layout.operand(AttentionOperand::key);
    const Index from_query = layout.query_place(queries, row), from_key = layout.key_place(keys, row, key);
    double dot = 0;
    for (Index c = 0; c < layout.depth; ++c)
      dot = round(dot + queries.format.load(queries.data, from_query + c * queries.strides[queries.rank - 1]) *
                            keys.format.load(keys.data, from_key + c * keys.strides[keys.rank - 1]));
    double score = problem.scores.round(round(dot * round(layout.scale)));
    if (problem.soft_cap > 0) {
      const double bent = round(std::tanh(round(score / problem.soft_cap)));
      slack = round(1 - bent * bent);
      score = round(problem.soft_cap * bent);
    }
    if (problem.alibi && fault != "alibi_ignored")
      score = round(score + round(layout.position_bias(layout.slope(row), row, key)));
    if (problem.additive_mask != AdditiveMask::none && fault != "mask_ignored")
      score = round(score + layout.mask(row, key));
    return problem.scores.round(score);
  }
};

}  // namespace detail

template <>
struct OperationFaults<AttentionBackward> {
  [[nodiscard]] static std::vector<Fault> faults() {
    using enum FaultClass;
    const std::vector<std::string> own{"attention_backward"};
    return {
        {"delta_forgotten", missing_work, "does not subtract the sum of gradient times output", own},
        {"weights_unnormalized", missing_work, "takes weights without dividing by their sum", own},
        {"update_lost", state, "loses additions of one query to every other key, as a race does", own},
        {"last_tile_lost", missing_work, "leaves out the keys of the last tile", own},
        {"last_query_missing", missing_work, "leaves the last query out of the sums over queries", own},
        {"group_not_summed", missing_work, "sums over the first head of a group only", own},
        {"value_from_changes", addressing, "takes the gradients of scores for the weights in the gradient of values",
         own},
        {"scale_forgotten", missing_work, "does not scale the gradient of queries", own},
        {"scale_forgotten_of_keys", missing_work, "does not scale the gradient of keys", own},
        {"cap_derivative_forgotten", missing_work, "leaves out the derivative of the soft cap", own},
        {"wrong_alignment", addressing, "begins the causal mask at the other corner", own},
        {"diagonal_hidden", missing_work, "hides the key on the diagonal", own},
        {"window_ignored", repeated_work, "sees all keys before its window", own},
        {"alibi_ignored", missing_work, "computes weights again without ALiBi", own},
        {"mask_ignored", missing_work, "computes weights again without the additive mask", own},
        {"empty_rows_nan", special_value, "gives NaN for queries that see nothing", own},
        {"hidden_nan_leaks", special_value, "multiplies hidden values by 0 instead of leaving them out", own},
        {"narrow_weights", precision, "keeps weights and gradients of scores in bfloat16 where more is promised", own},
        {"truncated_output", rounding, "cuts its results off instead of rounding them", own}};
  }
  [[nodiscard]] static OperationSubject<AttentionBackward> faulty(std::string_view name) {
    using Kernel = detail::EmulatedAttentionBackward<float32>;
    return host_subject<AttentionBackward>(std::string(name),
                                           Kernel{Kernel::Order::from_output, own_fault<AttentionBackward>(name)});
  }
  [[nodiscard]] static std::vector<OperationSubject<AttentionBackward>> correct() {
    using Kernel = detail::EmulatedAttentionBackward<float32>;
    using Half = detail::EmulatedAttentionBackward<float16>;
    using Narrow = detail::EmulatedAttentionBackward<bfloat16>;
    return {host_subject<AttentionBackward>("from_output", Kernel{Kernel::Order::from_output}),
            host_subject<AttentionBackward>("from_weights", Kernel{Kernel::Order::from_weights}),
            host_subject<AttentionBackward>("backwards", Kernel{Kernel::Order::backwards}),
            host_subject<AttentionBackward>("split", Kernel{Kernel::Order::split}),
            host_subject<AttentionBackward>("base_two", Kernel{Kernel::Order::base_two}),
            host_subject<AttentionBackward>("in_f16", Half{Half::Order::from_weights}, arithmetic_in<float16>()),
            host_subject<AttentionBackward>("in_bf16", Narrow{Narrow::Order::from_weights}, arithmetic_in<bfloat16>())};
  }
};

}  // namespace assay::inline v0
