#pragma once

#include <optional>
#include <string>
#include <utility>

#include "assay/backends/host.hpp"
#include "assay/compare/any_expectation.hpp"
#include "assay/compare/compare.hpp"
#include "assay/compare/detail/compare_codes.hpp"
#include "assay/compare/operand_chunk.hpp"
#include "assay/tensor/operand.hpp"
#include "assay/tolerance/chosen.hpp"

namespace assay::inline v0 {

namespace detail {

/// The operand as a matrix of T, all leading dimensions one: where its rows have equal distances.
template <class T>
[[nodiscard]] std::optional<StridedView<const T, 2>> matrix_of(const Operand& operand) {
  StridedView<const T, 2> view{static_cast<const T*>(operand.data), {1, 1}, {0, 1}};
  if (operand.rank == 0) return view;
  const int last = operand.rank - 1;
  view.extents[1] = operand.extents[last];
  view.strides[1] = operand.strides[last];
  Index reach = 0;
  for (int d = last - 1; d >= 0; --d) {
    if (operand.extents[d] == 1) continue;
    if (view.extents[0] == 1)
      view.strides[0] = operand.strides[d];
    else if (operand.strides[d] != reach)
      return std::nullopt;
    view.extents[0] *= operand.extents[d];
    reach = operand.strides[d] * operand.extents[d];
  }
  return view;
}

/// How many rows are compared as one, so that vectors and blocks of references are long: the fewest that divide all
/// rows and give 1024 columns, where rows are short and follow each other in memory.
template <class T>
[[nodiscard]] Index rows_joined(const StridedView<const T, 2>& matrix) {
  constexpr Index wished = 1024, most = 16384;
  const Index rows = matrix.extents[0], columns = matrix.extents[1];
  if (columns == 0 || columns >= wished / 2 || matrix.strides[1] != 1 || matrix.strides[0] != columns) return 1;
  for (Index joined = (wished + columns - 1) / columns; joined <= rows && joined * columns <= most; ++joined)
    if (rows % joined == 0) return joined;
  return 1;
}

/// Findings of rows that were compared as one, as of rows of so many columns. Tiles remain those of the joined rows.
inline void separate_rows(Comparison& comparison, Index joined, Index columns) {
  const auto separate = [&](MatrixPosition& position) {
    if (position.row >= 0) position = {position.row * joined + position.column / columns, position.column % columns};
  };
  for (Extremum* extremum : {&comparison.max_absolute_error, &comparison.max_relative_error, &comparison.max_ulp_error,
                             &comparison.max_ratio})
    separate(extremum->position);
  for (ComparedElement& element : comparison.worst) separate(element.position);
  comparison.rows *= joined;
  comparison.columns = columns;
  comparison.rows_per_group *= joined;
  comparison.tiles.title += ", " + std::to_string(joined) + " rows joined to one";
}

}  // namespace detail

/// What `compare_operand` comes to on a backend that runs on the host, whatever is expected: by format on vectors, or
/// element by element. Compilers take half a minute over it: `assay::compiled` has it for `Host`, and a header-only
/// program of many units compiles it once where a header of its own says `extern template struct
/// assay::OperandComparison<assay::Host>;` and one unit `template struct assay::OperandComparison<assay::Host>;`.
template <ParallelBackend B>
struct OperandComparison {
  /// `compare_operand` with what is expected erased.
  [[nodiscard]] static Result<Comparison> of(B& backend, typename B::Stream& stream, const Operand& actual,
                                             const AnyExpectation& expected, const ChosenTolerance& tolerance);
};

template <ParallelBackend B>
Result<Comparison> OperandComparison<B>::of(B& backend, typename B::Stream& stream, const Operand& actual,
                                            const AnyExpectation& expected, const ChosenTolerance& tolerance) {
  const auto typed = [&]<class T>(T) -> std::optional<Result<Comparison>> {
    if (!(actual.format == element_format<T>())) return std::nullopt;
    const auto matrix = detail::matrix_of<T>(actual);
    if (!matrix) return std::nullopt;
    if (matrix->strides[1] == 1 && detail::suits_codes(expected, tolerance, matrix->extents[0] * matrix->extents[1]))
      return expected.code_bytes() == 1
                 ? detail::compare_codes<T, std::uint8_t>(backend, stream, *matrix, expected, tolerance)
                 : detail::compare_codes<T, std::uint16_t>(backend, stream, *matrix, expected, tolerance);
    const Index joined = detail::rows_joined(*matrix), columns = matrix->extents[1];
    if (joined == 1) return compare(backend, stream, *matrix, expected, tolerance);
    const StridedView<const T, 2> wide{
        matrix->data, {matrix->extents[0] / joined, joined * columns}, {joined * columns, 1}};
    auto comparison = detail::compare_on({true, instruction_set(), true}, backend, stream, wide,
                                         expected.joined(joined, columns), tolerance);
    if (comparison && comparison.value().violations > 0)  // for tiles in which a pattern shows
      return detail::compare_on({true, instruction_set()}, backend, stream, *matrix, expected, tolerance);
    if (comparison) detail::separate_rows(comparison.value(), joined, columns);
    return comparison;
  };
  if (auto done = typed(float32{})) return *std::move(done);
  if (auto done = typed(bfloat16{})) return *std::move(done);
  if (auto done = typed(float16{})) return *std::move(done);
  return detail::compare_elements(backend, stream, actual, expected, tolerance);
}

#if defined(ASSAY_COMPILED)
extern template struct OperandComparison<Host>;
#endif

/// Compares an output whose format is chosen at run time with what is expected of it; see `compare`. Leading dimensions
/// are flattened into rows; an operand of rank 0 is a matrix of one element. Integers are right where they are nearest
/// to a number within E of the reference.
///
/// On backends that run on the host, float32, bfloat16 and float16 go on vectors, other formats one by one; on devices
/// all do. Short rows are compared as one there, and where they fail once more, row by row.
template <ParallelBackend B, class Expected>
[[nodiscard]] Result<Comparison> compare_operand(B& backend, typename B::Stream& stream, const Operand& actual,
                                                 const Expected& expected, const ChosenTolerance& tolerance) {
  if constexpr (backend_runs_on_host<B>)
    return OperandComparison<B>::of(backend, stream, actual, AnyExpectation(expected), tolerance);
  else
    return detail::compare_elements(backend, stream, actual, expected, tolerance);
}

}  // namespace assay::inline v0
