#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "assay/backends/wait_at_end.hpp"
#include "assay/kernels/gemm/reference.hpp"
#include "assay/kernels/linear/activation.hpp"
#include "assay/kernels/linear/bound.hpp"
#include "assay/kernels/linear/operands.hpp"
#include "assay/kernels/linear/reader.hpp"

namespace assay::inline v0 {

namespace detail {

/// The product of dequantized operands: their elements have at most 28 significant bits, so that a product rounds in
/// double by 2⁻⁵³, which the reference's own error covers.
struct DequantizedGemm : Gemm<float64, float64, float64, float64> {};

}  // namespace detail

template <>
inline constexpr bool gemm_needs_double_double<detail::DequantizedGemm> = false;

namespace detail {

/// What is made of the elements of an operand.
struct DequantizeMode {
  bool expanded = false;  ///< magnitudes of codes and zero points by themselves
  bool squared = false;
};

/// Writes the elements of an operand as doubles, vector after vector, and where it is asked for what the vectors come
/// to as kernels hold them.
struct DequantizeVectors {
  LinearReader reader;
  double* target;
  DequantizeMode mode{};
  LinearHolding holding{};
  LinearHeld* held = nullptr;

  ASSAY_FUNCTION void operator()(std::size_t index) const {
    const Index line = static_cast<Index>(index), group = line / reader.vectors, vector = line % reader.vectors;
    LinearHeld own;
    for (Index term = 0; term < reader.terms; ++term) {
      const double value = mode.expanded ? expanded(group, vector, term, own) : whole(group, vector, term, own);
      target[line * reader.terms + term] = mode.squared ? value * value : value;
    }
    if (held != nullptr) held[line] = own;
  }

 private:
  [[nodiscard]] ASSAY_FUNCTION double whole(Index group, Index vector, Index term, LinearHeld& own) const {
    const double code = reader.code(group, vector, term), factor = reader.factor(group, vector, term);
    if (held != nullptr) {
      own.add(holding, code * factor);
      own.add_factors(code, factor);
    }
    return code * factor;
  }
  [[nodiscard]] ASSAY_FUNCTION double expanded(Index group, Index vector, Index term, LinearHeld& own) const {
    const LinearParts parts = reader.expanded_parts(group, vector, term);
    const double size = absolute(reader.factor(group, vector, term)), code = parts.of_code * size,
                 zero_point = parts.of_zero_point * size;
    if (held != nullptr) {
      own.add(holding, code);
      own.add(holding, zero_point);
      own.add_factors(parts.of_code + parts.of_zero_point, size);
    }
    return code + zero_point;
  }
};

struct CopyDoubles {
  static constexpr Index chunk = 4096;
  const double* source;
  double* target;
  Index count;

  ASSAY_FUNCTION void operator()(std::size_t index) const {
    const Index first = static_cast<Index>(index) * chunk;
    for (Index i = first; i < first + chunk && i < count; ++i) target[i] = source[i];
  }
};

}  // namespace detail

/// References and bounds of a linear layer: sums and magnitudes are stored, the epilogue is computed while elements are
/// compared.
struct LinearExpected {
  LinearProblem problem;
  LinearBound bound;
  LinearReader a, b;
  Operand bias, residual, whole_scales;
  const double* product = nullptr;      ///< m × columns of B
  const double* magnitude = nullptr;    ///< Σ |a·b|
  const double* squares = nullptr;      ///< Σ (a·b)², where it is needed
  const LinearHeld* rows = nullptr;     ///< of A, where `LinearBound::needs_ranges`
  const LinearHeld* columns = nullptr;  ///< of B, group after group
  const Index* groups = nullptr;        ///< of each row, where there are any
  int output = 0;

  /// z at a column of B.
  [[nodiscard]] ASSAY_FUNCTION Bounded before_activation(Index group, Index row, Index column) const {
    const BoundedArithmetic& arithmetic = bound.arithmetic;
    const Index element = row * problem.columns_of_b() + column;
    const double largest = problem.output.is_float() && !problem.has_epilogue() ? problem.output.max_finite() : 0;
    Bounded z = bound.of_sum(product[element], magnitude[element], squares == nullptr ? 0 : squares[element], largest);
    if (problem.b.is_sparse() && is_nan(z.value) && !is_nan(kept_sum(group, row, column)))
      z.error = BoundedArithmetic::infinity();  // terms that are left out may be multiplied by 0, or not at all
    if (rows != nullptr)
      z = bound.held(z, rows[row], columns[group * problem.columns_of_b() + column],
                     static_cast<double>(problem.terms()));
    if (!problem.has_epilogue()) return z;
    const double summand = bias.present() ? bias.load(column) : 0;
    const bool scaled = problem.a.scales != LinearGranularity::none || problem.b.scales != LinearGranularity::none;
    if (bound.integer) {
      z = arithmetic.rounded(z);
    } else {
      const bool may_begin_with_residual =
          !scaled && residual.present() && problem.activation == LinearActivation::none;
      const double start =
          (scaled ? 0 : size_of(summand)) + (may_begin_with_residual ? size_of(residual.load(element)) : 0);
      z = within_range(z, magnitude[element], start);
    }
    return plus(scaled_by(z, a.vector_scale(0, row), b.vector_scale(group, column)), summand);
  }

  [[nodiscard]] ASSAY_FUNCTION ExpectedElement operator()(Index row, Index column) const {
    const BoundedArithmetic& arithmetic = bound.arithmetic;
    const Index group = groups == nullptr ? 0 : groups[row];
    Bounded z = before_activation(group, row, column);
    if (problem.activation != LinearActivation::none) z = activate(arithmetic, problem.activation, z);
    if (problem.activation == LinearActivation::swiglu) z = gated(z, before_activation(group, row, problem.n + column));
    if (residual.present()) z = plus(z, residual.load(row * problem.n + column));
    if (!problem.output_scaled) return z.expected();
    z = arithmetic.divide(z, arithmetic.exact(whole_scales.load(2)));
    return clamped(z).expected();
  }

 private:
  /// The sum of the terms that sparse weights keep.
  [[nodiscard]] ASSAY_FUNCTION double kept_sum(Index group, Index row, Index column) const {
    double sum = 0;
    for (Index term = 0; term < problem.k; ++term)
      if (b.kept_slot(group, column, term) >= 0) sum += a(0, row, term) * b(group, column, term);
    return sum;
  }
  [[nodiscard]] ASSAY_FUNCTION static double size_of(double summand) {
    return is_nan(summand) ? 0 : detail::absolute(summand);
  }
  /// A sum whose terms' magnitudes add up to `magnitude`, and which may begin with summands of up to `start`, in the
  /// accumulator: infinite where every order overflows, unknown where some may. What follows can bring the one back
  /// into range and not the other.
  [[nodiscard]] ASSAY_FUNCTION Bounded within_range(Bounded sum, double magnitude, double start) const {
    const double infinity = bound.arithmetic.infinity(), largest = bound.arithmetic.largest,
                 reached = magnitude + sum.error;
    if (is_nan(sum.value)) return sum;
    if (detail::absolute(sum.value) - sum.error > largest * (1 + 0x1p-8) + start)
      return {sum.value > 0 ? infinity : -infinity, 0};
    if (reached > largest || (is_finite(start) && reached + start > largest)) sum.error = infinity;
    return sum;
  }
  /// z·s_a·s_b, whichever product comes first: in range they round alike, and one may leave the range where the others
  /// do not.
  [[nodiscard]] ASSAY_FUNCTION Bounded scaled_by(Bounded z, double scale_a, double scale_b) const {
    const BoundedArithmetic& arithmetic = bound.arithmetic;
    const Bounded of_a = arithmetic.exact(scale_a), of_b = arithmetic.exact(scale_b);
    if (problem.b.scales == LinearGranularity::none)
      return problem.a.scales == LinearGranularity::none ? z : arithmetic.multiply(z, of_a);
    if (problem.a.scales == LinearGranularity::none) return arithmetic.multiply(z, of_b);
    Bounded result = arithmetic.multiply(arithmetic.multiply(z, of_a), of_b);
    const Bounded others[2] = {arithmetic.multiply(arithmetic.multiply(z, of_b), of_a),
                               arithmetic.multiply(z, arithmetic.multiply(of_a, of_b))};
    for (const Bounded& other : others)
      if (!(other.error <= result.error)) result.error = other.error;
    return result;
  }
  /// Where one factor is infinite and the other may be zero, or of either sign, nothing is known.
  [[nodiscard]] ASSAY_FUNCTION Bounded gated(Bounded gate, Bounded up) const {
    const auto either = [](Bounded infinite, Bounded other) {
      return is_infinite(infinite.value) && is_finite(other.value) && detail::absolute(other.value) <= other.error;
    };
    if (either(gate, up) || either(up, gate)) return {0, bound.arithmetic.infinity()};
    return bound.arithmetic.multiply(gate, up);
  }
  /// With what may also be where the sum begins.
  [[nodiscard]] ASSAY_FUNCTION Bounded plus(Bounded z, double summand) const {
    if (summand == 0) return z;
    z = bound.arithmetic.add(z, bound.arithmetic.exact(summand));
    if (is_finite(z.value)) z.error += bound.sum.growth * detail::absolute(summand);
    return z;
  }
  /// Within the range of the output.
  [[nodiscard]] ASSAY_FUNCTION Bounded clamped(Bounded z) const {
    const double highest = problem.output.max_finite(),
                 lowest = problem.output.is_float() ? -highest : static_cast<double>(problem.output.integers.lowest());
    if (is_nan(z.value) || !is_finite(z.error)) return z;
    if (z.value - z.error >= highest || z.value == bound.arithmetic.infinity()) return {highest, 0};
    if (z.value + z.error <= lowest || z.value == -bound.arithmetic.infinity()) return {lowest, 0};
    return {z.value > highest ? highest : z.value < lowest ? lowest : z.value, z.error};
  }
};

namespace detail {

/// P, S and Q of all groups, and what owns them.
template <ParallelBackend B>
struct LinearSums {
  typename B::template Buffer<double> product, magnitude, squares;
  typename B::template Buffer<Index> groups;
  typename B::template Buffer<LinearHeld> rows, columns;
};

/// What a pass over the product writes; what is null is not written.
struct LinearPass {
  DequantizeMode mode{};
  double* product = nullptr;
  double* magnitude = nullptr;
  LinearHeld* rows = nullptr;
  LinearHeld* columns = nullptr;
};

/// One pass over the product: P and S; of squared operands Q; of expanded ones S alone.
template <ParallelBackend B>
[[nodiscard]] Result<void> linear_product(B& backend, typename B::Stream& stream, const LinearExpected& expected,
                                          const LinearPass& pass) {
  const LinearProblem& problem = expected.problem;
  auto left = backend.template allocate<double>(static_cast<std::size_t>(problem.m * problem.k) + 1);
  if (!left) return left.propagate();
  const Index columns = problem.columns_of_b(), lines = problem.matrices() * columns;
  auto right = backend.template allocate<double>(static_cast<std::size_t>(lines * problem.k) + 1);
  if (!right) return right.propagate();
  WaitAtEnd work_on_them(backend, stream);
  const DequantizeVectors of_a{expected.a, left.value().data(), pass.mode, expected.bound.a, pass.rows},
      of_b{expected.b, right.value().data(), pass.mode, expected.bound.b, pass.columns};
  if (auto run = backend.parallel_for(stream, static_cast<std::size_t>(problem.m), of_a); !run) return run;
  if (auto run = backend.parallel_for(stream, static_cast<std::size_t>(lines), of_b); !run) return run;
  GemmBound magnitudes;
  magnitudes.growth = 1;
  magnitudes.accumulator_max = BoundedArithmetic::infinity();
  GemmReferenceOptions options;
  options.scales = GemmScales::exact;
  for (Index group = 0; group < problem.matrices(); ++group) {
    const Index first = problem.first_row(group), rows = problem.first_row(group + 1) - first;
    if (rows == 0 || columns == 0) continue;
    GemmProblem gemm;
    gemm.m = rows;
    gemm.n = columns;
    gemm.k = problem.k;
    gemm.transpose_b = true;
    const Index k = problem.k;
    const DequantizedGemm::Arguments arguments{
        {left.value().data() + first * k, {1, rows, k}, {rows * k, k, 1}},
        {right.value().data() + group * columns * k, {1, k, columns}, {columns * k, 1, k}},
        {nullptr, {1, rows, columns}, {rows * columns, columns, 1}}};
    auto own = gemm_reference<DequantizedGemm>(backend, stream, gemm, arguments, magnitudes, options);
    if (!own) return own.propagate();
    WaitAtEnd work_on_own(backend, stream);
    const auto copy = [&](const double* source, double* target) {
      const CopyDoubles work{source, target + first * columns, rows * columns};
      return backend.parallel_for(
          stream, static_cast<std::size_t>((work.count + CopyDoubles::chunk - 1) / CopyDoubles::chunk), work);
    };
    if (auto run = copy(own.value().value.data(), pass.product); !run) return run;
    if (pass.magnitude != nullptr)
      if (auto run = copy(own.value().error.data(), pass.magnitude); !run) return run;
    if (auto done = work_on_own.wait(); !done) return done;
  }
  return work_on_them.wait();
}

}  // namespace detail

/// O(m·columns·k) time by the blocked reference of GEMM on dequantized operands, twice where a narrow format of
/// dequantized elements asks for Q. Memory: 16 (24) bytes an element of the product and, of block-scaled operands, 72 a
/// row and column; while it is made, 8 bytes an element of A and B.
template <ParallelBackend B>
[[nodiscard]] Result<OperationReference<LinearExpected>> linear_reference(B& backend, typename B::Stream& stream,
                                                                          const LinearProblem& problem,
                                                                          const OperandArray& operands,
                                                                          RoundingModel model,
                                                                          const Arithmetic& arithmetic) {
  using Position = LinearOperands;
  LinearExpected expected{problem,
                          linear_bound(problem, model, arithmetic).bound,
                          LinearReader::of_a(problem, operands),
                          LinearReader::of_b(problem, operands),
                          operands[Position::bias],
                          operands[Position::residual],
                          operands[Position::whole_scales]};
  const auto elements = static_cast<std::size_t>(problem.m * problem.columns_of_b()) + 1;
  auto product = backend.template allocate<double>(elements);
  if (!product) return product.propagate();
  auto magnitude = backend.template allocate<double>(elements);
  if (!magnitude) return magnitude.propagate();
  auto squares = backend.template allocate<double>(expected.bound.needs_squares() ? elements : 1);
  if (!squares) return squares.propagate();
  std::vector<Index> group_of_row(static_cast<std::size_t>(problem.groups > 0 ? problem.m : 0));
  for (Index group = 0; group < problem.groups; ++group)
    for (Index row = problem.first_row(group), end = problem.first_row(group + 1); row < end; ++row)
      group_of_row[static_cast<std::size_t>(row)] = group;
  auto groups = backend.template allocate<Index>(group_of_row.size() + 1);
  if (!groups) return groups.propagate();
  const bool ranged = expected.bound.needs_ranges();
  auto rows = backend.template allocate<LinearHeld>(ranged ? static_cast<std::size_t>(problem.m) + 1 : 1);
  if (!rows) return rows.propagate();
  auto columns = backend.template allocate<LinearHeld>(
      ranged ? static_cast<std::size_t>(problem.matrices() * problem.columns_of_b()) + 1 : 1);
  if (!columns) return columns.propagate();
  auto owned = std::make_shared<detail::LinearSums<B>>(
      detail::LinearSums<B>{std::move(product).value(), std::move(magnitude).value(), std::move(squares).value(),
                            std::move(groups).value(), std::move(rows).value(), std::move(columns).value()});
  detail::WaitAtEnd work_on_them(backend, stream);
  if (auto copied = backend.copy_to_device(stream, owned->groups.data(), group_of_row.data(), group_of_row.size());
      !copied)
    return copied.propagate();
  if (problem.groups > 0) expected.groups = owned->groups.data();
  detail::LinearPass sums{{false, false}, owned->product.data()}, magnitudes{{true, false}, owned->magnitude.data()};
  const bool expanded = problem.expanded_zero_points;
  if (!expanded) sums.magnitude = owned->magnitude.data();
  if (ranged) {
    detail::LinearPass& of_ranges = expanded ? magnitudes : sums;
    expected.rows = of_ranges.rows = owned->rows.data();
    expected.columns = of_ranges.columns = owned->columns.data();
  }
  if (auto done = detail::linear_product(backend, stream, expected, sums); !done) return done.propagate();
  if (expanded)
    if (auto done = detail::linear_product(backend, stream, expected, magnitudes); !done) return done.propagate();
  expected.product = owned->product.data();
  expected.magnitude = owned->magnitude.data();
  if (expected.bound.needs_squares()) {
    if (auto done = detail::linear_product(backend, stream, expected, {{expanded, true}, owned->squares.data()}); !done)
      return done.propagate();
    expected.squares = owned->squares.data();
  }
  if (auto done = work_on_them.wait(); !done) return done.propagate();
  return OperationReference<LinearExpected>{expected, std::move(owned)};
}

}  // namespace assay::inline v0
