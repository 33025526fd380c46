#pragma once

#include <cmath>
#include <cstddef>
#include <memory>
#include <utility>

#include "assay/backends/wait_at_end.hpp"
#include "assay/kernels/attention/reference.hpp"
#include "assay/kernels/attention_backward/problem.hpp"

namespace assay::inline v0 {

/// References and bounds of the gradients: of query, key and value.
struct AttentionGradients {
  const double* value[3] = {};
  const double* error[3] = {};
  Index columns[3] = {};
  int output = 0;

  [[nodiscard]] ASSAY_FUNCTION ExpectedElement operator()(Index row, Index column) const {
    const Index element = row * columns[output] + column;
    return {value[output][element], error[output][element]};
  }
};

/// What one row of the forward pass passes on.
struct AttentionGradientRow {
  double logarithm = 0;        ///< L
  double logarithm_error = 0;  ///< relative, of a weight by its denominator
  double delta = 0;            ///< D = Σ_c gradient·output
  double delta_error = 0;      ///< e_D; infinite where D is not finite, or sums on the way to it may overflow
  bool void_row = false;       ///< L is not finite
  bool nan = false;            ///< all its weights are NaN, but for keys whose score is −∞
};

/// One query and one key: the weight, and the gradient of the score as it enters products with queries and keys.
struct AttentionGradientPair {
  /// P and its error.
  double weight = 0, weight_error = 0;
  /// DS and its error.
  double score = 0, score_error = 0;
};

/// What the bound of the gradients is made of. With p = exp(s − L), the row's L and D = Σ_c dO·O, dP = Σ_c dO·V and the
/// soft cap's derivative f,
///
///   dS = p·(dP − D)·f, dQ = scale·Σ_j dS·K, dK = scale·Σ_i dS·Q, dV = Σ_i p·dO (sums over queries run over all heads
///   of a group),
///
/// and errors follow the formula: e_p = p·(e^d − 1), d = δ + ε + 2u(|s − L| + |L|) + E_L; e_dP = (g(value_depth) +
/// 2u)·Σ|dO||V|; e_D the larger of what it has from the stored output, Σ|dO|(E_O + u_O|O| + η_O/2) + (g(value_depth) +
/// u)·Σ|dO||O|, η_O the output's least subnormal, and from Σ_j p·dP; e_dS = f·((p + e_p)(e_dP + e_D + u(|dP| + |D|)) +
/// e_p|dP − D|) + (p|dP − D|)·e_f + 3u|dS|; then of a sum of n terms Σ (e + t·|dS|)|K| + g(n)·Σ|dS||K| + 3u|dQ|, t =
/// u_P, where independent at most λ√Σ(t·dS·K)². Running error analysis after Higham, "Accuracy and Stability of
/// Numerical Algorithms", 2nd ed., sections 3.1 and 3.3; δ, E_O and E_L are those of `AttentionBound`. Nothing is said
/// of what comes of sums that may overflow: dP where Σ|dO||V| does, D where Σ|dO||O| or Σ_j|dP| does, a gradient where
/// dS, as it is stored, or Σ|dS||K| does.
struct AttentionGradientBound {
  AttentionBound forward;    ///< of the forward pass
  double growth_values = 0;  ///< g(value_depth)
  /// Growth factors of sums over keys and over queries.
  double growth_keys = 0, growth_queries = 0;
  double output_unit = 0;       ///< u_O
  double output_underflow = 0;  ///< η_O/2
  double largest_change = 0;    ///< the largest dS that can be stored, and scaled before or after

  /// The bound of that problem; independent rounding errors where `model` allows them.
  [[nodiscard]] static AttentionGradientBound of(const AttentionProblem& problem, RoundingModel model,
                                                 const Arithmetic& arithmetic);
};

/// What all work on gradients shares.
struct AttentionGradientWork {
  AttentionLayout layout;
  Operand gradient;  ///< of the output
  AttentionGradientBound bound;
  AttentionGradientRow* rows;
  Index tokens = 0;  ///< of all sequences, where they are packed

  /// One element of a vector that begins at `place`.
  [[nodiscard]] ASSAY_FUNCTION static double element(const Operand& operand, Index place, Index c) {
    return operand.format.load(operand.data, place + c * operand.strides[operand.rank - 1]);
  }

  /// The product of a query and a key.
  struct Dot {
    double value = 0;      ///< Σ q·k
    double magnitude = 0;  ///< Σ |q·k|
  };
  /// That of a row and a key. O(depth).
  [[nodiscard]] ASSAY_FUNCTION Dot dot(const AttentionRow& row, Index key) const {
    const Operand &queries = layout.operand(AttentionOperand::query), &keys = layout.operand(AttentionOperand::key);
    const Index from_query = layout.query_place(queries, row), from_key = layout.key_place(keys, row, key);
    Dot dot;
    for (Index c = 0; c < layout.depth; ++c) {
      const double product = element(queries, from_query, c) * element(keys, from_key, c);
      dot.value += product;
      dot.magnitude += detail::absolute(product);
    }
    return dot;
  }
  /// The score that is made of it.
  [[nodiscard]] ASSAY_FUNCTION AttentionScore score(const AttentionRow& row, Index key, const Dot& dot) const {
    return bound.forward.score(layout, row, key, layout.slope(row), dot.value, dot.magnitude);
  }

  /// Weight and its error; dP and its error.
  struct Products {
    /// P, dP, and the factor of the soft cap, each with its error; that of dP is infinite where it may overflow.
    double weight = 0, weight_error = 0, product = 0, product_error = 0, slack = 1, slack_error = 0;
  };
  /// What a row and a key have between them.
  [[nodiscard]] ASSAY_FUNCTION Products products(const AttentionRow& row, Index key,
                                                 const AttentionGradientRow& own) const {
    const AttentionBound& forward = bound.forward;
    const Operand& values = layout.operand(AttentionOperand::value);
    const Index from_value = layout.key_place(values, row, key), from_gradient = layout.query_place(gradient, row);
    const Dot dot = this->dot(row, key);
    double sizes = 0;
    Products found;
    for (Index c = 0; c < layout.value_depth; ++c) {
      const double product = element(gradient, from_gradient, c) * element(values, from_value, c);
      found.product += product;
      sizes += detail::absolute(product);
    }
    found.product_error =
        (bound.growth_values + 2 * forward.unit) * sizes + static_cast<double>(layout.value_depth) * forward.underflow;
    if (!(sizes + found.product_error <= forward.largest)) found.product_error = AttentionBound::infinity();
    const AttentionScore score = this->score(row, key, dot);
    if (score.value == -AttentionBound::infinity())
      return {0, 0, 0, found.product_error < AttentionBound::infinity() ? 0 : found.product_error, 1, 0};
    const double distance = detail::absolute(score.value - own.logarithm);
    const double relative = score.error + score.stored + forward.function_error +
                            2 * forward.unit * (distance + detail::absolute(own.logarithm)) + own.logarithm_error;
    found.weight = std::exp(score.value - own.logarithm);
    found.weight_error =
        found.weight == 0 && relative < 1 ? forward.underflow : found.weight * std::expm1(relative) + forward.underflow;
    if (layout.soft_cap > 0) {
      const double bent = std::tanh(layout.scale * dot.value / layout.soft_cap);
      const double bent_error =
          layout.scale * (bound.forward.growth_depth + 5 * forward.unit) * dot.magnitude / layout.soft_cap +
          forward.function_error + 4 * forward.unit + forward.score_unit;
      found.slack = 1 - bent * bent;
      found.slack_error = 2 * detail::absolute(bent) * bent_error + bent_error * bent_error + 4 * forward.unit;
    }
    return found;
  }
  /// The pair with the gradient of its score, of which nothing is known where dP − D or itself may overflow: no weight
  /// is small enough for 0·∞ to be 0.
  [[nodiscard]] ASSAY_FUNCTION AttentionGradientPair pair(const AttentionRow& row, Index key,
                                                          const AttentionGradientRow& own) const {
    const double unit = bound.forward.unit;
    const Products found = products(row, key, own);
    const double difference = found.product - own.delta, size = detail::absolute(difference);
    const double spread =
        found.product_error + own.delta_error + unit * (detail::absolute(found.product) + detail::absolute(own.delta));
    const AttentionGradientPair unknown{found.weight, found.weight_error, 0, AttentionBound::infinity()};
    if (!(detail::absolute(found.product) + detail::absolute(own.delta) + spread <= bound.forward.largest))
      return unknown;
    const double score = found.weight * difference;
    const double error = (found.weight + found.weight_error) * spread + found.weight_error * size;
    const AttentionGradientPair pair{found.weight, found.weight_error, score * found.slack,
                                     (error + 2 * unit * detail::absolute(score)) * (found.slack + found.slack_error) +
                                         detail::absolute(score) * found.slack_error +
                                         unit * detail::absolute(score) * found.slack + bound.forward.underflow};
    return detail::absolute(pair.score) + pair.score_error <= bound.largest_change ? pair : unknown;
  }
  /// Of a score's gradient, which may have been scaled when it was stored.
  [[nodiscard]] ASSAY_FUNCTION double stored_underflow() const {
    return bound.forward.weight_underflow * (1 + 1 / layout.scale);
  }
  /// The row of the statistics.
  [[nodiscard]] ASSAY_FUNCTION AttentionGradientRow& row_at(const AttentionRow& row) const {
    return rows[layout.output_row(row)];
  }
};

/// One element's sums.
struct AttentionGradientSum {
  /// Running sums.
  double value = 0, magnitude = 0, error = 0, spread = 0, squares = 0, terms = 0;

  /// Adds a term factor·other, whose factor is off by `factor_error` and may be stored with the given unit roundoff.
  ASSAY_FUNCTION void add(double factor, double factor_error, double other, double stored_unit,
                          double stored_underflow) {
    const double size = detail::absolute(other), product = factor * other,
                 spread_of = stored_unit * detail::absolute(product);
    value += product;
    magnitude += detail::absolute(product);
    error += (factor_error + stored_underflow) * size;
    spread += spread_of;
    squares += spread_of * spread_of;
    terms += 1;
  }
  /// The gradient and its error, from the sums.
  [[nodiscard]] ASSAY_FUNCTION ExpectedElement finish(const AttentionBound& bound, double growth, double scale,
                                                      bool void_element, bool nan) const {
    if (nan) return {detail::double_of(binary64_layout.nan_bits()), 0};
    const double probable = bound.confidence * std::sqrt(squares),
                 stored = bound.confidence > 0 && probable < spread ? probable : spread;
    const double total =
        scale * ((error + stored) * (1 + growth) + growth * magnitude + 3 * bound.unit * detail::absolute(value)) +
        (4 + 2 * terms * (scale > 1 ? scale : 1)) * bound.underflow;
    if (void_element || !is_finite(value) || !((scale > 1 ? scale : 1) * magnitude + total <= bound.largest))
      return {0, AttentionBound::infinity()};
    return {scale * value, total};
  }
};

/// L, D and their errors, row by row.
struct AttentionGradientRows {
  AttentionGradientWork work;
  AttentionResults forward;

  ASSAY_FUNCTION void operator()(std::size_t index) const {
    const AttentionLayout& layout = work.layout;
    const AttentionRow row = layout.row(static_cast<Index>(index));
    const AttentionBound& bound = work.bound.forward;
    const Index sum_place = layout.sum_element(row, work.tokens),
                place = static_cast<Index>(index) * layout.value_depth, from = layout.query_place(work.gradient, row);
    AttentionGradientRow own;
    own.logarithm = forward.sum_value[sum_place];
    own.logarithm_error = forward.sum_error[sum_place];
    own.nan = is_nan(own.logarithm);
    own.void_row = !is_finite(own.logarithm) || !is_finite(own.logarithm_error);
    if (!own.void_row) {
      double from_output = 0, size = 0;
      for (Index c = 0; c < layout.value_depth; ++c) {
        const double gradient = work.element(work.gradient, from, c), output = forward.value[place + c];
        own.delta += gradient * output;
        size += detail::absolute(gradient * output);
        from_output +=
            detail::absolute(gradient) * (forward.error[place + c] + work.bound.output_unit * detail::absolute(output) +
                                          work.bound.output_underflow);
      }
      own.delta_error = from_output + (work.bound.growth_values + bound.unit) * size +
                        static_cast<double>(layout.value_depth) * bound.underflow;
      double from_weights = 0, sizes = 0;
      for (Index key = row.first; key < row.last; ++key) {
        const AttentionGradientWork::Products found = work.products(row, key, own);
        from_weights += found.weight_error * detail::absolute(found.product) +
                        (found.weight + found.weight_error) * found.product_error +
                        (work.bound.growth_keys + bound.unit) * found.weight * detail::absolute(found.product);
        sizes += detail::absolute(found.product) + found.product_error;
      }
      const bool known = size + own.delta_error <= bound.largest && sizes <= bound.largest;
      if (from_weights > own.delta_error) own.delta_error = from_weights;
      if (!known || !is_finite(from_weights)) own.delta_error = AttentionBound::infinity();
    }
    work.rows[index] = own;
  }
};

/// dQ of one row. O(keys·depth), once for every 16 columns.
struct QueryGradientRow {
  AttentionGradientWork work;
  double* value;
  double* error;

  ASSAY_FUNCTION void operator()(std::size_t index) const {
    const AttentionLayout& layout = work.layout;
    const AttentionRow row = layout.row(static_cast<Index>(index));
    const AttentionGradientRow& own = work.rows[index];
    const Operand& keys = layout.operand(AttentionOperand::key);
    const bool sees = row.first < row.last && own.logarithm != -AttentionBound::infinity();
    for (Index start = 0; start < layout.depth; start += columns) {
      const Index width = layout.depth - start < columns ? layout.depth - start : columns;
      AttentionGradientSum sums[columns];
      for (Index key = row.first; key < row.last && sees && !own.void_row; ++key) {
        const AttentionGradientPair pair = work.pair(row, key, own);
        const Index place = layout.key_place(keys, row, key);
        for (Index c = 0; c < width; ++c)
          sums[c].add(pair.score, pair.score_error, work.element(keys, place, start + c),
                      work.bound.forward.weight_unit, work.stored_underflow());
      }
      for (Index c = 0; c < width; ++c) {
        const ExpectedElement found = sums[c].finish(work.bound.forward, work.bound.growth_keys, layout.scale,
                                                     sees && own.void_row, sees && own.nan);
        value[static_cast<Index>(index) * layout.depth + start + c] = found.value;
        error[static_cast<Index>(index) * layout.depth + start + c] = found.error;
      }
    }
  }

  static constexpr Index columns = 16;
};

/// dK and dV of one key of one head: all queries of the group that see it.
struct KeyGradientRow {
  AttentionGradientWork work;
  double *key_value, *key_error, *value_value, *value_error;

  ASSAY_FUNCTION void operator()(std::size_t index) const {
    const AttentionLayout& layout = work.layout;
    const Index token = static_cast<Index>(index);
    const auto [sequence, head, key] = layout.key(token);
    for (Index start = 0; start < layout.depth || start < layout.value_depth; start += columns)
      sum(sequence, head, key, token, start);
  }

  static constexpr Index columns = 16;

 private:
  ASSAY_FUNCTION void sum(Index sequence, Index head, Index key, Index token, Index start) const {
    const AttentionLayout& layout = work.layout;
    const Operand& queries = layout.operand(AttentionOperand::query);
    AttentionGradientSum of_key[columns], of_value[columns];
    bool undecided = false, nan = false;
    for (Index h = head * layout.group(); h < (head + 1) * layout.group(); ++h)
      for (Index query = 0; query < layout.queries_of(sequence); ++query) {
        const AttentionRow row = layout.row(sequence, h, query);
        if (key < row.first || key >= row.last) continue;
        const AttentionGradientRow& own = work.row_at(row);
        if (own.logarithm == -AttentionBound::infinity()) continue;
        if (own.void_row) {
          // in a row of NaN a score of −∞ may be left out, as nothing, or be NaN like all others
          const bool of_nan = own.nan && work.score(row, key, work.dot(row, key)).value != -AttentionBound::infinity();
          (of_nan ? nan : undecided) = true;
          continue;
        }
        const AttentionGradientPair pair = work.pair(row, key, own);
        const Index place = layout.query_place(queries, row), from = layout.query_place(work.gradient, row);
        for (Index c = start; c < start + columns && c < layout.depth; ++c)
          of_key[c - start].add(pair.score, pair.score_error, work.element(queries, place, c),
                                work.bound.forward.weight_unit, work.stored_underflow());
        for (Index c = start; c < start + columns && c < layout.value_depth; ++c)
          of_value[c - start].add(pair.weight, pair.weight_error, work.element(work.gradient, from, c),
                                  work.bound.forward.weight_unit, work.bound.forward.weight_underflow);
      }
    for (Index c = start; c < start + columns && c < layout.depth; ++c) {
      const ExpectedElement found =
          of_key[c - start].finish(work.bound.forward, work.bound.growth_queries, layout.scale, undecided, nan);
      key_value[token * layout.depth + c] = found.value;
      key_error[token * layout.depth + c] = found.error;
    }
    for (Index c = start; c < start + columns && c < layout.value_depth; ++c) {
      const ExpectedElement found =
          of_value[c - start].finish(work.bound.forward, work.bound.growth_queries, 1, undecided, nan);
      value_value[token * layout.value_depth + c] = found.value;
      value_error[token * layout.value_depth + c] = found.error;
    }
  }
};

/// O(batch·heads·queries·keys·depth·⌈depth / 16⌉) time; memory: 16 bytes an element of the outputs, 48 a row, and that
/// of the forward reference.
template <ParallelBackend B>
[[nodiscard]] Result<OperationReference<AttentionGradients>> attention_backward_reference(
    B& backend, typename B::Stream& stream, const AttentionProblem& problem, const OperandArray& operands,
    RoundingModel model, const Arithmetic& arithmetic) {
  const OperandArray own = attention_operands_of(operands);
  auto forward = attention_reference(backend, stream, problem, own, model, arithmetic);
  if (!forward) return forward.propagate();
  const auto rows = static_cast<std::size_t>(operands[AttentionBackwardOperand::query].size() / problem.depth);
  const auto tokens = static_cast<std::size_t>(operands[AttentionBackwardOperand::key].size() / problem.depth);
  const std::size_t of_query = rows * static_cast<std::size_t>(problem.depth),
                    of_key = tokens * static_cast<std::size_t>(problem.depth),
                    of_value = tokens * static_cast<std::size_t>(problem.value_depth);
  auto buffer = backend.template allocate<double>(2 * (of_query + of_key + of_value) + 1);
  if (!buffer) return buffer.propagate();
  auto owned = std::make_shared<typename B::template Buffer<double>>(std::move(buffer).value());
  auto statistics = backend.template allocate<AttentionGradientRow>(rows + 1);
  if (!statistics) return statistics.propagate();
  detail::WaitAtEnd work_on_them(backend, stream);
  double *query = owned->data(), *key = query + 2 * of_query, *value = key + 2 * of_key;
  const AttentionGradientWork work{
      AttentionLayout(problem, own), operands[AttentionBackwardOperand::output_gradient],
      AttentionGradientBound::of(problem, model, arithmetic), statistics.value().data(),
      problem.storage == AttentionStorage::packed ? detail::sum_of(problem.query_lengths) : 0};
  if (auto run = backend.parallel_for(stream, rows, AttentionGradientRows{work, forward.value().expected.results});
      !run)
    return run.propagate();
  if (auto run = backend.parallel_for(stream, rows, QueryGradientRow{work, query, query + of_query}); !run)
    return run.propagate();
  if (auto run = backend.parallel_for(stream, tokens, KeyGradientRow{work, key, key + of_key, value, value + of_value});
      !run)
    return run.propagate();
  if (auto done = work_on_them.wait(); !done) return done.propagate();
  return OperationReference<AttentionGradients>{{{query, key, value},
                                                 {query + of_query, key + of_key, value + of_value},
                                                 {problem.depth, problem.depth, problem.value_depth}},
                                                owned};
}

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/kernels/attention_backward/reference.ipp"
#endif
