#pragma once

#include <concepts>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "assay/backends/parallel_backend.hpp"
#include "assay/core/result.hpp"
#include "assay/core/rounding_model.hpp"
#include "assay/tensor/fill.hpp"
#include "assay/tensor/operand.hpp"
#include "assay/tensor/operand_values.hpp"
#include "assay/tolerance/arithmetic.hpp"
#include "assay/tolerance/expected_element.hpp"

namespace assay::inline v0 {

/// What a kernel does with an operand.
enum class OperandRole {
  input,   ///< read, never written
  output,  ///< written, never read
  updated  ///< read and written in place
};

/// What an operation says of one of its operands.
struct OperandSpec {
  std::string name;  ///< short, fit for a message
  OperandRole role = OperandRole::input;
  ElementFormat format{};
  std::vector<Index> extents;  ///< outermost first; empty: a scalar
  bool present = true;         ///< false: an optional operand that this problem does without
};

/// The data of one operand: a pattern whose lanes run along a dimension, or values of the operation's own.
///
/// The element with row-major position e has the lane (e / (length·inner))·inner + e mod inner and the position
/// (e / inner) mod length, so that lanes run along the dimension that has `inner` elements behind it. Values are
/// offset + scale·pattern(lane, position), then kept within [lowest, highest].
struct OperandFill {
  Fill pattern{};
  Index inner = 1;
  double scale = 1;
  double offset = 0;
  double lowest = -0x1p1000;
  double highest = 0x1p1000;
  std::shared_ptr<const std::vector<double>> given;  ///< instead of the pattern: one value an element, row-major
  bool random_codes =
      false;  ///< instead of the pattern: any bits, NaNs with payloads among them; with `given`: its bits

  /// `given`, from values.
  [[nodiscard]] static OperandFill of(std::vector<double> values) {
    OperandFill fill;
    fill.given = std::make_shared<const std::vector<double>>(std::move(values));
    return fill;
  }
  /// One code an element, row-major, in the operand's own format: whatever bits they are.
  [[nodiscard]] static OperandFill of_codes(const std::vector<std::uint64_t>& codes) {
    std::vector<double> bits(codes.size());
    if (!codes.empty()) std::memcpy(bits.data(), codes.data(), codes.size() * sizeof(double));
    OperandFill fill = of(std::move(bits));
    fill.random_codes = true;
    return fill;
  }
  /// As they are computed, for whoever has the numbers of `given` where the operand lies.
  [[nodiscard]] OperandValues values() const {
    return {pattern, inner, scale, offset, lowest, highest, nullptr, random_codes};
  }
  /// The same for an operand of that size, but NaN at `element`. Precondition: nothing is given.
  [[nodiscard]] OperandFill with_nan_at(Index element, Index size) const {
    std::vector<double> numbers;
    for (Index e = 0; e < size; ++e)
      numbers.push_back(e == element ? detail::double_of(binary64_layout.nan_bits()) : values()(e));
    return of(std::move(numbers));
  }
};

/// The data of all operands, in the order of their specs (those that are only written are not looked at), and how
/// rounding errors of the operation's sums over them behave.
struct OperationData {
  std::vector<OperandFill> operands;
  RoundingModel model = RoundingModel::worst_case;
};

/// A problem of a default suite, with the data that suit it.
template <class Problem>
struct OperationShape {
  Problem problem;
  std::vector<FillKind> fills;
  bool large = false;  ///< runs only when asked for
};

/// A reference and its bound for all outputs of a launch. `expected` is a trivially copyable functor on the backend's
/// memory; its member `output` chooses the output, counted among the operands that are written; `expected(row, column)`
/// tells of one element, with all leading dimensions of the output flattened into rows. `storage` owns what it points
/// to.
template <class Expected>
struct OperationReference {
  Expected expected;
  std::shared_ptr<void> storage;
};

/// An operation whose formats are data: what kernels of it are given, which data show its faults, what is right.
///
/// - `name()` stands in case ids and on the command line; `Arguments` is `OperandArray`.
/// - `Problem`: plain data, formats included. `name_of(problem)` is its part of a case id, `formats_of(problem)` the
///   formats' part.
/// - `operands(problem)` checks the problem and lists its operands; `ErrorKind::invalid` names the field at fault.
/// - `data(problem, kind, arithmetic, seed)`: the pattern `kind` as it suits this operation.
/// - `shapes(format)`: the default suite, for a floating-point storage format.
/// - `derivation(problem, model, arithmetic)`: how the bound comes about, in words and numbers, one step a line, with
///   its source.
/// - `reference(backend, stream, problem, operands, model, arithmetic)` gives a `Result<OperationReference<…>>`:
///   outputs that are `updated` stand in `operands` as they were before the launch, outputs are not to be read. What it
///   points to lives as long as the operands and itself. Optional: `portable(backend, stream, problem, operands)`, a
///   plain right kernel for any `ParallelBackend`; `operation_of(problem)`, the name in case ids where one type is a
///   family (layernorm, rmsnorm); `judge(…)` of outputs for which an interval an element says too little, see
///   validators/check_operation.hpp; `due_by_choices(…)`, `explain(…)` for diagnoses of kernels that choose or draw,
///   see validators/failures/diagnose_operation.hpp.
template <class Op>
concept Operation = requires(const typename Op::Problem& problem, const Arithmetic& arithmetic,
                             const ElementFormat& format, FillKind kind, std::uint64_t seed) {
  requires std::is_same_v<typename Op::Arguments, OperandArray>;
  requires std::convertible_to<decltype(Op::name()), std::string>;
  requires std::convertible_to<decltype(Op::name_of(problem)), std::string>;
  requires std::convertible_to<decltype(Op::formats_of(problem)), std::string>;
  requires std::is_same_v<decltype(Op::operands(problem)), Result<std::vector<OperandSpec>>>;
  requires std::is_same_v<decltype(Op::data(problem, kind, arithmetic, seed)), OperationData>;
  requires std::is_same_v<decltype(Op::derivation(problem, RoundingModel::exact, arithmetic)),
                          std::vector<std::string>>;
  requires std::is_same_v<decltype(Op::shapes(format)), std::vector<OperationShape<typename Op::Problem>>>;
};

}  // namespace assay::inline v0
