#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include "assay/core/vector_variants.hpp"
#include "assay/kernels/attention/detail/block_attention_reference.hpp"
#include "assay/kernels/attention/results.hpp"
#include "assay/kernels/operation.hpp"
#if ASSAY_DETAIL_VECTOR_VARIANTS
#include "assay/kernels/attention/detail/host_reference.hpp"
#endif

namespace assay::inline v0 {

/// References and bounds of an attention: of the output, and of its log-sum-exp.
struct AttentionExpected {
  AttentionResults results;
  Index columns = 0;      ///< of the output
  Index sum_columns = 0;  ///< of the log-sum-exp
  int output = 0;

  [[nodiscard]] ASSAY_FUNCTION ExpectedElement operator()(Index row, Index column) const {
    if (output == 0) return {results.value[row * columns + column], results.error[row * columns + column]};
    return {results.sum_value[row * sum_columns + column], results.sum_error[row * sum_columns + column]};
  }
  ASSAY_FUNCTION void expected_block(Index row, Index first, Index count, double* value, double* error) const {
    const Index start = output == 0 ? row * columns + first : row * sum_columns + first;
    const double* values = output == 0 ? results.value : results.sum_value;
    const double* errors = output == 0 ? results.error : results.sum_error;
    for (Index i = 0; i < count; ++i) {
      value[i] = values[start + i];
      error[i] = errors[start + i];
    }
  }
};

/// One row on any backend, three passes over its keys: maximum, sum, products. O(keys·(depth + value_depth)) time, no
/// memory but the results.
struct AttentionRowReference {
  AttentionLayout layout;
  AttentionBound bound;
  AttentionResults results;
  double* squares;  ///< as many as outputs

  ASSAY_FUNCTION void operator()(std::size_t index) const {
    const Index output_row = static_cast<Index>(index);
    const AttentionRow row = layout.row(output_row);
    const double slope = layout.slope(row);
    AttentionScan scan;
    for (Index key = row.first; key < row.last; ++key) scan.meet(score(row, key, slope).value);
    double* value = results.value + output_row * layout.value_depth;
    double* error = results.error + output_row * layout.value_depth;
    double* square = squares + output_row * layout.value_depth;
    for (Index c = 0; c < layout.value_depth; ++c) value[c] = error[c] = square[c] = 0;
    double largest_value = 0;
    if (!scan.void_row()) {
      for (Index key = row.last - 1; key >= row.first; --key) {
        const AttentionScore own = score(row, key, slope);
        scan.meet_again(own.value);
        scan.add(scan.term(bound, own));
      }
      finish_row(scan, bound, layout, row);
      const Operand& values = layout.operand(AttentionOperand::value);
      const double stored_scale = layout.stored_scale(AttentionOperand::value_scale, row.key_head);
      for (Index key = row.first; key < row.last; ++key) {
        const AttentionTerm term = scan.term(bound, score(row, key, slope));
        const double p = scan.weight(term), w = scan.allowance(bound, term), w2 = scan.square(term);
        const Index place = layout.key_place(values, row, key);
        for (Index c = 0; c < layout.value_depth; ++c) {
          const double v = stored_scale * values.format.load(values.data, place + c * values.strides[values.rank - 1]);
          if (is_finite(v)) {
            const double size = detail::absolute(v);
            value[c] += p * v;
            error[c] += w * size;
            square[c] += w2 * v * v;
            if (size > largest_value) largest_value = size;
          } else {
            meet_special(v, p, bound, value[c], error[c]);
          }
        }
      }
    }
    for (Index c = 0; c < layout.value_depth; ++c) {
      const ExpectedElement element = scan.output(bound, layout.zeros, value[c], error[c], square[c],
                                                  running_sum(layout, row, bound, c, largest_value));
      value[c] = element.value;
      error[c] = element.error;
    }
    const ExpectedElement sum = scan.log_sum_exp(bound);
    const Index place = layout.sum_element(row, layout.tokens());
    results.sum_value[place] = sum.value;
    results.sum_error[place] = sum.error;
  }

 private:
  [[nodiscard]] ASSAY_FUNCTION AttentionScore score(const AttentionRow& row, Index key, double slope) const {
    const Operand &queries = layout.operand(AttentionOperand::query), &keys = layout.operand(AttentionOperand::key);
    const Index query_place = layout.query_place(queries, row), key_place = layout.key_place(keys, row, key);
    const double stored_scale = layout.stored_scale(AttentionOperand::key_scale, row.key_head);
    double dot = 0, magnitude = 0;
    for (Index c = 0; c < layout.depth; ++c) {
      const double q = queries.format.load(queries.data, query_place + c * queries.strides[queries.rank - 1]);
      const double product =
          q * (stored_scale * keys.format.load(keys.data, key_place + c * keys.strides[keys.rank - 1]));
      dot += product;
      magnitude += detail::absolute(product);
    }
    return bound.score(layout, row, key, slope, dot, magnitude);
  }
};

/// O(rows·keys·(depth + value_depth)) time. 16 bytes an output; on the host, where vectors do the products, decoded
/// keys and values besides (at most 64 MiB, or one head's) and the scores of 48 rows a thread; on devices whose blocks
/// have 150 KB of memory nothing; elsewhere 8 bytes an output.
template <ParallelBackend B>
[[nodiscard]] Result<OperationReference<AttentionExpected>> attention_reference(
    B& backend, typename B::Stream& stream, const AttentionProblem& problem, const OperandArray& operands,
    RoundingModel model, const Arithmetic& arithmetic, [[maybe_unused]] bool vectors = true) {
  const AttentionLayout layout(problem, operands);
  const AttentionBound bound = AttentionBound::of(problem, model, arithmetic);
  const Index tokens = problem.storage == AttentionStorage::packed ? detail::sum_of(problem.query_lengths)
                                                                   : problem.batch * problem.queries;
  const auto rows = static_cast<std::size_t>(tokens * problem.heads),
             elements = rows * static_cast<std::size_t>(problem.value_depth);
  auto buffer = backend.template allocate<double>(2 * (rows + elements) + 1);
  if (!buffer) return buffer.propagate();
  auto owned = std::make_shared<typename B::template Buffer<double>>(std::move(buffer).value());
  double* memory = owned->data();
  const AttentionResults results{memory, memory + elements, memory + 2 * elements, memory + 2 * elements + rows};
  const Index columns = problem.storage == AttentionStorage::packed ? tokens : problem.queries;
  OperationReference<AttentionExpected> reference{{results, problem.value_depth, columns}, owned};
#if ASSAY_DETAIL_VECTOR_VARIANTS
  if constexpr (backend_runs_on_host<B>) {
    if (vectors) {
      if (auto computed = detail::host_attention_reference(backend, stream, problem, layout, bound, results); !computed)
        return computed.propagate();
      return reference;
    }
  }
#endif
  if constexpr (BlockBackend<B> && !backend_runs_on_host<B>) {
    if (auto submitted = detail::block_attention_reference(backend, stream, problem, layout, bound, results);
        submitted) {
      if (auto done = backend.synchronize(stream); !done) return done.propagate();
      return reference;
    } else if (submitted.error().kind != ErrorKind::unsupported) {
      return submitted.propagate();
    }
  }
  auto squares = backend.template allocate<double>(elements + 1);
  if (!squares) return squares.propagate();
  if (auto run =
          backend.parallel_for(stream, rows, AttentionRowReference{layout, bound, results, squares.value().data()});
      !run)
    return run.propagate();
  if (auto done = backend.synchronize(stream); !done) return done.propagate();
  return reference;
}

}  // namespace assay::inline v0
