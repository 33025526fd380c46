#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <vector>

#include "assay/faults/operation_faults.hpp"
#include "assay/kernels/attention/attention.hpp"

namespace assay::inline v0::detail {

/// An attention in which every result is rounded to `Accumulator`, right or with a fault.
template <FloatFormat Accumulator>
struct EmulatedAttention {
  enum class Order {
    two_pass,   ///< maximum and sum, then products
    flash,      ///< tile after tile, rescaling
    backwards,  ///< the same from the last tile to the first
    split,      ///< four parts, merged by their log-sum-exp
    base_two,   ///< exp2 of scores whose scale has log2 e folded in
    composed    ///< normalized weights are stored, as where softmax is a kernel of its own
  };
  Order order = Order::two_pass;
  Index tile = 16;
  std::string_view fault = "";

  static double round(double value) { return round_to<Accumulator>(value); }
  static double power(double exponent) { return round(std::exp(exponent)); }
  static constexpr double infinity = std::numeric_limits<double>::infinity(),
                          not_a_number = std::numeric_limits<double>::quiet_NaN();

  void operator()(const AttentionProblem& problem, const OperandArray& operands) const {
    const AttentionLayout layout(problem, operands);
    const Operand &output = operands[AttentionOperand::output], &sums = operands[AttentionOperand::log_sum_exp];
    const Index rows = sums.size();
    for (Index r = 0; r < rows; ++r) {
      const AttentionRow row = changed(layout.row(r), problem, layout);
      std::vector<double> scores;
      for (Index key = row.first; key < row.last; ++key) scores.push_back(score(problem, layout, row, key));
      Part whole = order == Order::split || fault == "empty_part_nan"
                       ? merge(problem, layout, row, scores)
                       : attend(problem, layout, row, scores, 0, static_cast<Index>(scores.size()));
      const bool nothing = whole.logarithm == -infinity;
      if (nothing && fault != "empty_part_nan")
        std::fill(whole.values.begin(), whole.values.end(),
                  problem.fully_masked == FullyMasked::zeros && fault != "fully_masked_nan" ? 0 : not_a_number);
      if (fault == "fully_masked_mean" && nothing) whole = mean(layout, row);
      if (fault == "hidden_nan_leaks")
        for (Index key = 0; key < row.keys; ++key)
          for (Index c = 0; c < layout.value_depth; ++c)
            whole.values[static_cast<std::size_t>(c)] += 0 * value(problem, layout, row, key, c);
      const Index place = layout.query_place(output, layout.row(r));
      for (Index c = 0; c < layout.value_depth; ++c) {
        const double own = whole.values[static_cast<std::size_t>(c)];
        output.format.store_code(
            output.data, place + c * output.strides[output.rank - 1],
            output.format.encode(own, fault == "truncated_output" ? Rounding::toward_zero : Rounding::nearest_even));
      }
      if (fault == "log_sum_exp_base_two") whole.logarithm *= 1.4426950408889634;
      if (fault == "log_sum_exp_unshifted") whole.logarithm -= whole.maximum;
      Index element = layout.sum_element(row, layout.tokens());
      if (fault == "log_sum_exp_permuted")
        element = r % layout.heads * (rows / std::max<Index>(layout.heads, 1)) + r / layout.heads;
      if (fault == "log_sum_exp_permuted" && problem.storage == AttentionStorage::packed) element = r;
      sums.store(element, whole.logarithm);
    }
  }

 private:
  /// Weighted values of some keys, and the logarithm of their sum of exponentials.
  struct Part {
    std::vector<double> values;
    double logarithm = -infinity, maximum = -infinity;
  };

  [[nodiscard]] AttentionRow changed(AttentionRow row, const AttentionProblem& problem,
                                     const AttentionLayout& layout) const {
    const Index offset = row.keys - layout.queries_of(row.sequence);
    const auto hide = [&](Index diagonal) {
      row.diagonal = diagonal;
      const Index right = problem.causal ? 0 : problem.window_right;
      row.last = right >= 0 ? std::clamp<Index>(diagonal + right + 1, 0, row.keys) : row.keys;
      row.first = std::min(row.last, problem.window_left >= 0 ? std::max<Index>(0, diagonal - problem.window_left) : 0);
    };
    if (fault == "wrong_alignment" && problem.causal)
      hide(row.query + (problem.alignment == AttentionAlignment::bottom_right ? 0 : offset));
    if (fault == "diagonal_hidden" && problem.causal) row.last = std::max(row.first, std::min(row.last, row.diagonal));
    if (fault == "future_seen" && problem.causal) row.last = std::min(row.keys, row.last + 1);
    if (fault == "window_off_by_one" && problem.window_left >= 0) row.first = std::max<Index>(0, row.first - 1);
    if (fault == "window_ignored" && problem.window_left >= 0) row.first = 0;
    if (fault == "wrong_head_group") row.key_head = row.head % problem.key_heads;
    if (fault == "padding_read" && problem.storage == AttentionStorage::dense && !problem.causal)
      row.last = problem.keys;
    if (fault == "ragged_tail_read" && problem.storage == AttentionStorage::paged && !problem.causal)
      row.last = (row.keys + problem.page_size - 1) / problem.page_size * problem.page_size;
    if (fault == "last_key_missing" && row.last - row.first > 1) --row.last;
    if (fault == "last_tile_missing" && row.last - row.first > tile)
      row.last = row.first + (row.last - row.first) / tile * tile;
    if (fault == "sequence_start_ignored" && problem.storage == AttentionStorage::packed)
      row.first_key = std::min(row.first_key, layout.operand(AttentionOperand::key).extents[0] - row.keys) / 2;
    return row;
  }

  [[nodiscard]] Index place(const AttentionProblem& problem, const AttentionLayout& layout, const Operand& operand,
                            const AttentionRow& row, Index key) const {
    if (problem.storage != AttentionStorage::paged) return layout.key_place(operand, row, key);
    Index page = row.sequence * problem.pages_of_sequence() + key / problem.page_size;
    if (fault != "block_table_ignored")
      page = static_cast<Index>(layout.operand(AttentionOperand::block_table).load(page));
    return operand.offset(std::max<Index>(page, 0), key % problem.page_size, row.key_head, 0);
  }
  [[nodiscard]] double value(const AttentionProblem& problem, const AttentionLayout& layout, const AttentionRow& row,
                             Index key, Index c) const {
    const Operand& values = layout.operand(AttentionOperand::value);
    return values.format.load(values.data,
                              place(problem, layout, values, row, key) + c * values.strides[values.rank - 1]);
  }

  [[nodiscard]] double score(const AttentionProblem& problem, const AttentionLayout& layout, const AttentionRow& row,
                             Index key) const {
    const Operand &queries = layout.operand(AttentionOperand::query), &keys = layout.operand(AttentionOperand::key);
    const Index from_query = layout.query_place(queries, row), from_key = place(problem, layout, keys, row, key);
    double dot = 0;
    for (Index c = 0; c < layout.depth - (fault == "depth_tail" ? layout.depth % 8 : 0); ++c)
      dot = round(dot + queries.format.load(queries.data, from_query + c * queries.strides[queries.rank - 1]) *
                            keys.format.load(keys.data, from_key + c * keys.strides[keys.rank - 1]));
    if (fault != "key_scale_forgotten")
      dot =
          round(dot * layout.stored_scale(AttentionOperand::key_scale, fault == "scale_of_head_0" ? 0 : row.key_head));
    double score = round(dot * round(fault == "scale_forgotten" ? 1 : layout.scale));
    const auto store = [&] {
      score = problem.scores.round(score);
      if (fault == "narrow_scores") score = round_to<bfloat16>(score);
    };
    store();
    const auto cap = [&] {
      if (problem.soft_cap > 0) score = round(problem.soft_cap * round(std::tanh(round(score / problem.soft_cap))));
    };
    const bool late = fault == "cap_after_mask";
    if (!late && fault != "cap_ignored") cap();
    if (problem.alibi) {
      AttentionRow other = row;
      if (fault == "slope_of_next_head") other.head = (row.head + 1) % layout.heads;
      score = round(score + round(layout.position_bias(layout.slope(other), row, key)));
    }
    if (problem.additive_mask != AdditiveMask::none && fault != "mask_ignored") {
      AttentionRow other = row;
      if (fault == "mask_of_head_0") other.head = 0;
      score = round(score + layout.mask(other, key));
    }
    if (late) cap();
    store();
    return score;
  }

  [[nodiscard]] Part attend(const AttentionProblem& problem, const AttentionLayout& layout, const AttentionRow& row,
                            const std::vector<double>& scores, Index first, Index last) const {
    const auto columns = static_cast<std::size_t>(layout.value_depth);
    Part part{std::vector<double>(columns, 0), -infinity, -infinity};
    double sum = 0;
    const bool by_tiles = order == Order::flash || order == Order::backwards || order == Order::split ||
                          fault == "missing_rescale" || fault == "sum_not_rescaled" || fault == "empty_part_nan";
    const Index width = by_tiles ? tile : std::max<Index>(last - first, 1), tiles = (last - first + width - 1) / width;
    const double base_two = order == Order::base_two ? round(1.4426950408889634) : 0;
    for (Index t = 0; t < tiles; ++t) {
      const Index start = first + (order == Order::backwards ? tiles - 1 - t : t) * width,
                  end = std::min(start + width, last);
      double maximum = part.maximum;
      for (Index j = start; j < end; ++j)
        maximum = is_nan(scores[static_cast<std::size_t>(j)]) || is_nan(maximum)
                      ? not_a_number
                      : std::max(maximum, scores[static_cast<std::size_t>(j)]);
      if (fault == "no_maximum") maximum = 0;
      if (maximum == -infinity && fault != "empty_part_nan") continue;
      const double rescale = part.maximum == -infinity && sum == 0 ? 1 : power(round(part.maximum - maximum));
      if (fault != "sum_not_rescaled") sum = round(sum * rescale);
      if (fault != "missing_rescale")
        for (double& own : part.values) own = round(own * rescale);
      part.maximum = maximum;
      std::vector<double> weights;
      for (Index j = start; j < end; ++j) {
        const double own = scores[static_cast<std::size_t>(j)];
        const double weight = base_two > 0 ? round(std::exp2(round(own * base_two - round(maximum * base_two))))
                                           : power(round(own - maximum));
        sum = round(sum + weight);
        weights.push_back(weight);
      }
      for (Index j = start; j < end; ++j) {
        double weight = weights[static_cast<std::size_t>(j - start)];
        if (order == Order::composed) weight = round(weight / sum);
        weight = fault == "narrow_weights" ? round_to<bfloat16>(weight) : problem.weights.round(weight);
        const Index key = row.first + j;
        const Operand& values = layout.operand(AttentionOperand::value);
        const Index from = place(problem, layout, values, row, key);
        for (std::size_t c = 0; c < columns; ++c) {
          const double total = round(
              part.values[c] +
              weight * values.format.load(values.data, from + static_cast<Index>(c) * values.strides[values.rank - 1]));
          part.values[c] = fault == "narrow_accumulator" ? round_to<float16>(total) : total;
        }
      }
    }
    if (part.maximum == -infinity && fault != "empty_part_nan") return part;
    const double scale =
        fault == "value_scale_forgotten" ? 1 : layout.stored_scale(AttentionOperand::value_scale, row.key_head);
    for (double& own : part.values) own = round((order == Order::composed ? own : round(own / sum)) * scale);
    part.logarithm =
        fault == "empty_part_nan" && part.maximum == -infinity ? -infinity : round(part.maximum + round(std::log(sum)));
    return part;
  }

  [[nodiscard]] Part merge(const AttentionProblem& problem, const AttentionLayout& layout, const AttentionRow& row,
                           const std::vector<double>& scores) const {
    const auto keys = static_cast<Index>(scores.size());
    std::vector<Part> parts;
    Part whole{std::vector<double>(static_cast<std::size_t>(layout.value_depth), 0), -infinity, -infinity};
    for (Index p = 0; p < 4; ++p) {
      parts.push_back(attend(problem, layout, row, scores, keys * p / 4, keys * (p + 1) / 4));
      if (fault == "empty_part_nan" && parts.back().logarithm == -infinity)
        std::fill(parts.back().values.begin(), parts.back().values.end(), 0);
      whole.maximum = is_nan(parts.back().logarithm) || is_nan(whole.maximum)
                          ? not_a_number
                          : std::max(whole.maximum, parts.back().logarithm);
    }
    if (whole.maximum == -infinity && fault != "empty_part_nan") return whole;
    double sum = 0;
    for (const Part& part : parts) {
      const double weight = power(round(part.logarithm - whole.maximum));
      sum = round(sum + weight);
      for (std::size_t c = 0; c < whole.values.size(); ++c)
        whole.values[c] = round(whole.values[c] + round(weight * part.values[c]));
    }
    for (double& own : whole.values) own = round(own / sum);
    whole.logarithm = round(whole.maximum + round(std::log(sum)));
    return whole;
  }

  /// What comes of −∞ that is a large negative number: equal weights.
  [[nodiscard]] Part mean(const AttentionLayout& layout, const AttentionRow& row) const {
    Part part{std::vector<double>(static_cast<std::size_t>(layout.value_depth), 0), -infinity, -infinity};
    const Operand& values = layout.operand(AttentionOperand::value);
    for (Index key = 0; key < row.keys; ++key)
      for (std::size_t c = 0; c < part.values.size(); ++c)
        part.values[c] += values.format.load(values.data, layout.key_place(values, row, key) +
                                                              static_cast<Index>(c) * values.strides[values.rank - 1]) /
                          static_cast<double>(row.keys);
    return part;
  }
};

}  // namespace assay::inline v0::detail
