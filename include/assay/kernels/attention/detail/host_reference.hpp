#pragma once

#include <cstddef>
#include <vector>

#include "assay/backends/parallel_backend.hpp"
#include "assay/core/instruction_set.hpp"
#include "assay/kernels/attention/detail/attention_blocks.hpp"
#include "assay/kernels/attention/detail/attention_weights.hpp"
#include "assay/kernels/gemm/detail/blocked_reference.hpp"

#if ASSAY_DETAIL_VECTOR_VARIANTS  // nvcc's device pass aborts on it without a word

namespace assay::inline v0::detail {
inline namespace ASSAY_DETAIL_UNIT_VARIANT {

/// The reference of a block of rows that read the same keys: the queries of all heads of a group, one head after
/// another.
struct AttentionRowBlock {
  AttentionLayout layout;
  AttentionBound bound;
  AttentionResults results;
  AttentionPanels panels;
  const AttentionUnit* units;
  Index count;
  Index rows;         ///< of a task
  Index most_blocks;  ///< of keys, of any unit
  Workspaces workspaces;
  InstructionSet set;

  [[nodiscard]] static Index workspace(Index rows, Index depth, Index columns, Index blocks) {
    return rows * (2 * round_up(depth, block_depth) + 3 * columns + 3 * blocks * block_depth);
  }

  void operator()(std::size_t index) const {
    const Index task_index = static_cast<Index>(index);
    const AttentionUnit& unit = unit_with(units, count, &AttentionUnit::first_task, task_index);
    const Index first = (task_index - unit.first_task) * rows, of_unit = layout.group() * unit.queries,
                own = of_unit - first < rows ? of_unit - first : rows;
    const Index slot = workspaces.claim();
    double* memory = workspaces.memory + slot * workspaces.size;
    double* queries = memory;
    double* magnitudes = queries + rows * round_up(layout.depth, block_depth);
    AttentionRows task{};
    task.rows = rows;
    task.queries = queries;
    task.magnitudes = magnitudes;
    task.scores = magnitudes + rows * round_up(layout.depth, block_depth);
    task.allowances = task.scores + rows * most_blocks * block_depth;
    task.squares = task.allowances + rows * most_blocks * block_depth;
    task.product = task.squares + rows * most_blocks * block_depth;
    task.allowed = task.product + rows * panels.columns;
    task.spread = task.allowed + rows * panels.columns;

    Index from = unit.keys, to = 0;
    for (Index r = 0; r < rows; ++r) {
      if (r < own) {
        const AttentionRow row = row_of(unit, first + r);
        if (row.first < row.last && row.first < from) from = row.first;
        if (row.first < row.last && row.last > to) to = row.last;
      }
      pack_query(unit, first + r, r < own, queries, magnitudes, r);
    }
    task.first = from < to ? from / block_depth : 0;
    task.last = from < to ? round_up(to, block_depth) / block_depth : 0;
    run_variant<SumScores>(set, task, panels, unit);

    AttentionScan scans[most_rows];
    for (Index r = 0; r < rows; ++r) {
      if (r < own)
        weigh(row_of(unit, first + r), task, r, scans[r]);
      else
        clear(task, r, task.first * block_depth, task.last * block_depth);
    }
    run_variant<SumValues>(set, task, panels, unit);
    for (Index r = 0; r < own; ++r) finish(unit, row_of(unit, first + r), task, r, scans[r]);
    workspaces.release(slot);
  }

  static constexpr Index most_rows = 2 * row_multiple;

 private:
  [[nodiscard]] AttentionRow row_of(const AttentionUnit& unit, Index index) const {
    return layout.row(unit.sequence, unit.key_head * layout.group() + index / unit.queries, index % unit.queries);
  }

  void pack_query(const AttentionUnit& unit, Index index, bool exists, double* queries, double* magnitudes,
                  Index r) const {
    const Operand& query = layout.operand(AttentionOperand::query);
    const Index place = exists ? layout.query_place(query, row_of(unit, index)) : 0;
    for (Index c = 0; c < layout.depth; ++c) {
      const double q = exists ? query.format.load(query.data, place + c * query.strides[query.rank - 1]) : 0;
      const Index to = c / block_depth * block_depth * rows + r * block_depth + c % block_depth;
      queries[to] = q;
      magnitudes[to] = absolute(q);
    }
  }

  /// Position of a key in a task's arrays.
  [[nodiscard]] Index place_of(Index r, Index key) const {
    return (key / block_depth * rows + r) * block_depth + key % block_depth;
  }

  void clear(AttentionRows& task, Index r, Index first, Index last) const {
    for (Index key = first; key < last; ++key) {
      const Index place = place_of(r, key);
      task.scores[place] = task.allowances[place] = task.squares[place] = 0;
    }
  }

  /// Scores become weights, in three passes over one row: maximum, sum, quotients. Hidden keys get weight 0.
  void weigh(const AttentionRow& row, AttentionRows& task, Index r, AttentionScan& scan) const {
    clear(task, r, task.first * block_depth, row.first < row.last ? row.first : task.last * block_depth);
    if (row.first < row.last) clear(task, r, row.last, task.last * block_depth);
    const double slope = layout.slope(row);
    const bool plain = layout.soft_cap == 0 && slope == 0 &&
                       !layout.operand(AttentionOperand::additive_mask).present() && bound.score_unit == 0;
    if (plain && weigh_plainly(row, task, r, scan)) return;
    for (Index key = row.first; key < row.last; ++key) {
      const Index place = place_of(r, key);
      const AttentionScore score = bound.score(layout, row, key, slope, task.scores[place], task.allowances[place]);
      scan.meet(score.value);
      task.scores[place] = score.value;
      task.allowances[place] = score.error;
      task.squares[place] = score.stored;
    }
    if (scan.void_row()) return clear(task, r, row.first, row.last);
    for (Index key = row.last - 1; key >= row.first; --key) {
      const Index place = place_of(r, key);
      scan.meet_again(task.scores[place]);
      const AttentionTerm term = scan.term(bound, {task.scores[place], task.allowances[place], task.squares[place]});
      scan.add(term);
      task.scores[place] = term.power;
      task.allowances[place] = term.error;
      task.squares[place] = term.spread;
    }
    finish_row(scan, bound, layout, row);
    task.independent = task.independent || scan.independent;
    for (Index key = row.first; key < row.last; ++key) {
      const Index place = place_of(r, key);
      const AttentionTerm term{task.scores[place], task.allowances[place], task.squares[place], 0};
      task.scores[place] = scan.weight(term);
      task.allowances[place] = scan.allowance(bound, term);
      task.squares[place] = scan.square(term);
    }
  }

  /// The keys of a row from `key` to the end of its block.
  [[nodiscard]] PlainScores part_of(const AttentionRow& row, const AttentionRows& task, Index r, Index key,
                                    AttentionScan& scan) const {
    const Index end = (key / block_depth + 1) * block_depth, place = place_of(r, key);
    return {task.scores + place,
            task.allowances + place,
            task.squares + place,
            (row.last < end ? row.last : end) - key,
            layout.scale,
            &bound,
            &scan};
  }
  [[nodiscard]] AttentionScore plain_score(const PlainScores& part, const AttentionRow& row, Index i) const {
    return bound.score(layout, row, 0, 0, part.scores[i], part.allowances[i]);
  }

  /// The same on vectors where nothing is added to scores; false, and nothing written, where they are not all finite.
  [[nodiscard]] bool weigh_plainly(const AttentionRow& row, AttentionRows& task, Index r, AttentionScan& whole) const {
    AttentionScan scan;
    const Index block = row.first / block_depth, last = row.last > row.first ? (row.last - 1) / block_depth : block - 1;
    const auto part_at = [&](Index b) {
      return part_of(row, task, r, b * block_depth < row.first ? row.first : b * block_depth, scan);
    };
    for (Index b = block; b <= last; ++b) {
      PlainScores part = part_at(b);
      run_variant<MeetPlainScores>(set, part);
      for (Index i = whole_groups(part.count); i < part.count; ++i) {
        const AttentionScore score = plain_score(part, row, i);
        part.usable = part.usable && is_finite(score.value) && is_finite(score.error);
        scan.meet(score.value);
      }
      if (!part.usable) return false;
    }
    if (scan.void_row()) return false;
    for (Index b = last; b >= block; --b) {
      PlainScores part = part_at(b);
      for (Index i = part.count; i-- > whole_groups(part.count);) {
        const AttentionScore score = plain_score(part, row, i);
        scan.meet_again(score.value);
        const AttentionTerm term = scan.term(bound, score);
        scan.add(term);
        part.scores[i] = term.power;
        part.allowances[i] = term.error;
      }
      run_variant<WeighPlainScores>(set, part);
    }
    finish_row(scan, bound, layout, row);
    task.independent = task.independent || scan.independent;
    for (Index b = block; b <= last; ++b) {
      PlainScores part = part_at(b);
      for (Index i = whole_groups(part.count); i < part.count; ++i) {
        const AttentionTerm term{part.scores[i], part.allowances[i], part.scores[i] * bound.weight_unit, 0};
        part.scores[i] = scan.weight(term);
        part.allowances[i] = scan.allowance(bound, term);
        part.squares[i] = scan.square(term);
      }
      run_variant<DividePlainScores>(set, part);
    }
    whole = scan;
    return true;
  }
  /// Of so many keys those that vectors take.
  [[nodiscard]] Index whole_groups(Index count) const {
    const Index group = set == InstructionSet::avx512 ? 32 : set == InstructionSet::avx2 ? 16 : 8;
    return count / group * group;
  }

  void finish(const AttentionUnit& unit, const AttentionRow& row, const AttentionRows& task, Index r,
              const AttentionScan& scan) const {
    double* product = task.product + r * panels.columns;
    double* allowed = task.allowed + r * panels.columns;
    double largest = 0;
    for (Index block = task.first; block < task.last; ++block) {
      const Index own = unit.first_block + block;
      largest = panels.largest[own] > largest ? panels.largest[own] : largest;
      if (panels.special[own] == 0 || scan.void_row()) continue;
      const Operand& values = layout.operand(AttentionOperand::value);
      const double stored_scale = layout.stored_scale(AttentionOperand::value_scale, row.key_head);
      for (Index key = row.first > block * block_depth ? row.first : block * block_depth;
           key < row.last && key < (block + 1) * block_depth; ++key) {
        const Index place = layout.key_place(values, row, key);
        for (Index c = 0; c < layout.value_depth; ++c) {
          const double v = stored_scale * values.format.load(values.data, place + c * values.strides[values.rank - 1]);
          if (!is_finite(v)) meet_special(v, task.scores[place_of(r, key)], bound, product[c], allowed[c]);
        }
      }
    }
    const Index output_row = layout.output_row(row);
    for (Index c = 0; c < layout.value_depth; ++c) {
      const ExpectedElement element =
          scan.output(bound, layout.zeros, product[c], allowed[c], task.spread[r * panels.columns + c],
                      running_sum(layout, row, bound, c, largest));
      results.value[output_row * layout.value_depth + c] = element.value;
      results.error[output_row * layout.value_depth + c] = element.error;
    }
    const ExpectedElement sum = scan.log_sum_exp(bound);
    const Index place = layout.sum_element(row, layout.tokens());
    results.sum_value[place] = sum.value;
    results.sum_error[place] = sum.error;
  }
};

/// Computes references on a backend that runs in threads of this process: keys and values of as many heads as the
/// panels may take are decoded once, then blocks of rows multiply them on vectors.
template <ParallelBackend B>
[[nodiscard]] Result<void> host_attention_reference(B& backend, typename B::Stream& stream,
                                                    const AttentionProblem& problem, const AttentionLayout& layout,
                                                    const AttentionBound& bound, const AttentionResults& results,
                                                    InstructionSet set = instruction_set()) {
  constexpr Index panel_budget = (Index{64} << 20) / static_cast<Index>(sizeof(double));
  const Index columns = round_up(problem.value_depth, panel_columns);
  const Index of_block = AttentionPanels::doubles_of_block(problem.depth, columns);
  std::vector<AttentionUnit> units;
  Index most_blocks = 0, most_queries = 0;
  for (Index b = 0; b < problem.batch && problem.heads > 0; ++b)
    for (Index h = 0; h < problem.key_heads; ++h) {
      AttentionUnit unit{b, h, layout.keys_of(b), layout.queries_of(b), 0, 0, 0};
      unit.blocks = round_up(unit.keys, block_depth) / block_depth;
      if (unit.queries == 0) continue;
      units.push_back(unit);
      most_blocks = unit.blocks > most_blocks ? unit.blocks : most_blocks;
      most_queries = unit.queries > most_queries ? unit.queries : most_queries;
    }
  if (units.empty()) return {};
  const Index rows = layout.group() * most_queries > row_multiple ? AttentionRowBlock::most_rows : row_multiple;
  const unsigned threads = backend.capabilities().concurrency;
  const Index slots = threads > 0 ? static_cast<Index>(threads) : 1,
              workspace = round_up(AttentionRowBlock::workspace(rows, problem.depth, columns, most_blocks), Index{8});
  auto memory = backend.template allocate<double>(static_cast<std::size_t>(slots * workspace));
  if (!memory) return memory.propagate();
  auto taken = backend.template allocate<int>(static_cast<std::size_t>(slots));
  if (!taken) return taken.propagate();
  for (Index slot = 0; slot < slots; ++slot) taken.value().data()[slot] = 0;

  for (std::size_t start = 0; start < units.size();) {
    Index blocks = 0, tasks = 0;
    std::size_t end = start;
    for (; end < units.size() && (end == start || (blocks + units[end].blocks) * of_block <= panel_budget); ++end) {
      units[end].first_block = blocks;
      units[end].first_task = tasks;
      blocks += units[end].blocks;
      tasks += round_up(layout.group() * units[end].queries, rows) / rows;
    }
    auto panel_memory = backend.template allocate<double>(static_cast<std::size_t>(blocks * of_block + 1));
    if (!panel_memory) return panel_memory.propagate();
    auto special = backend.template allocate<int>(static_cast<std::size_t>(blocks + 1));
    if (!special) return special.propagate();
    double* panels_at = panel_memory.value().data();
    AttentionPanels panels{panels_at, nullptr, nullptr, nullptr, special.value().data(), problem.depth, columns};
    panels.values = panels.keys_of(blocks);
    panels.squares = panels.values_of(blocks);
    panels.largest = panels.squares_of(blocks);
    const AttentionUnit* own = units.data() + start;
    const auto count = static_cast<Index>(end - start);
    if (auto decoded = backend.parallel_for(stream, static_cast<std::size_t>(blocks),
                                            DecodeAttentionBlock{layout, own, count, panels});
        !decoded)
      return decoded;
    const AttentionRowBlock block{layout, bound,       results,
                                  panels, own,         count,
                                  rows,   most_blocks, {memory.value().data(), taken.value().data(), slots, workspace},
                                  set};
    if (auto computed = backend.parallel_for(stream, static_cast<std::size_t>(tasks), block); !computed)
      return computed;
    if (auto done = backend.synchronize(stream); !done) return done;
    start = end;
  }
  return {};
}

}  // namespace ASSAY_DETAIL_UNIT_VARIANT
}  // namespace assay::inline v0::detail

#endif
