#pragma once

#include <cstddef>
#include <type_traits>

#include "assay/backends/parallel_reduce.hpp"
#include "assay/compare/comparison.hpp"
#include "assay/compare/detail/compare_chunk.hpp"

namespace assay {

namespace detail {

/// `compare` on a path of the caller's choice: tests run all of them.
template <ParallelBackend B, class T, std::size_t Rank, class Expected, class Model>
[[nodiscard]] Result<Comparison> compare_on(const ComparisonPath& path, B& backend, typename B::Stream& stream, const StridedView<T, Rank>& actual, const Expected& expected, const Model& tolerance) {
  using Value = std::remove_const_t<T>;
  static_assert(std::is_trivially_copyable_v<Expected>, "what is expected is copied to the device");
  expect_walkable(actual, "compare");
  Comparison comparison;
  comparison.columns = actual.extents[Rank - 1];
  comparison.rows = 1;
  for (std::size_t d = 0; d + 1 < Rank; ++d) comparison.rows *= actual.extents[d];
  comparison.tiles.title = "largest error / allowed of each tile";
  if (comparison.rows == 0 || comparison.columns == 0) return comparison;

  const ChunkGrid grid = ChunkGrid::over(comparison.rows, comparison.columns);
  const CompareChunk<Value, Rank, Expected, Model> work{actual, expected, tolerance, grid, path};
  auto partials = parallel_partials<PartialComparison>(backend, stream, static_cast<std::size_t>(grid.chunks()), work);
  if (!partials) return partials.propagate();
  fold(partials.value(), grid, comparison);
  return comparison;
}

}  // namespace detail

/// Compares an output with what is expected of it, in one parallel pass without temporaries.
///
/// `actual` is a view of dimensions (…, column) on the backend; its leading dimensions are flattened into rows.
/// `expected(row, column)` gives an `ExpectedElement`, as a trivially copyable functor on the backend. The result is the
/// same, bit for bit, for any number of threads: chunks and the order within them depend on the extents only. On other
/// backends, or of an expectation without rows, the sums of `ErrorStatistics` may differ by 2e-7 of their size.
/// Where `expected` is a `RefinableExpectation`, elements in doubt are looked at again with their exact E, which decides.
/// An empty output compares with nothing: 0 elements, 0 violations.
/// Misuse: extents that are negative or overflow, null with elements.
/// Time O(elements), memory below 1 MiB, on the backend and the host together.
template <ParallelBackend B, class T, std::size_t Rank, class Expected, class Model>
  requires Tolerance<Model, std::remove_const_t<T>> && requires(const Expected& expected, Index index) {
    requires std::is_same_v<decltype(expected(index, index)), ExpectedElement>;
  }
[[nodiscard]] Result<Comparison> compare(B& backend, typename B::Stream& stream, const StridedView<T, Rank>& actual, const Expected& expected, const Model& tolerance) {
  return detail::compare_on({true, instruction_set()}, backend, stream, actual, expected, tolerance);
}

}  // namespace assay
