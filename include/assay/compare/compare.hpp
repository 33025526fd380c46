#pragma once

#include <cstddef>
#include <type_traits>

#include "assay/backends/parallel_reduce.hpp"
#include "assay/compare/comparison.hpp"
#include "assay/compare/detail/block_work.hpp"
#include "assay/compare/detail/compare_blocks.hpp"
#include "assay/compare/detail/compare_chunk.hpp"

namespace assay::inline v0 {

namespace detail {

/// A comparison of which only the extents are known.
template <class T, std::size_t Rank>
[[nodiscard]] Comparison comparison_of(const StridedView<T, Rank>& actual) {
  expect_walkable(actual, "compare");
  Comparison comparison;
  comparison.columns = actual.extents[Rank - 1];
  comparison.rows = 1;
  for (std::size_t d = 0; d + 1 < Rank; ++d) comparison.rows *= actual.extents[d];
  comparison.tiles.title = "largest error / allowed of each tile";
  return comparison;
}

/// `compare` by blocks of threads of a device.
template <BlockBackend B, class T, std::size_t Rank, class Expected, class Model>
[[nodiscard]] Result<Comparison> compare_view_in_blocks(B& backend, typename B::Stream& stream,
                                                        const StridedView<T, Rank>& actual, const Expected& expected,
                                                        const Model& tolerance) {
  using Value = std::remove_const_t<T>;
  static_assert(std::is_trivially_copyable_v<Expected>, "what is expected is copied to the device");
  Comparison comparison = comparison_of(actual);
  if (comparison.rows == 0 || comparison.columns == 0) return comparison;
  const auto compared_as = [&]<bool in_singles>(std::bool_constant<in_singles>) {
    using Work = TypedWork<Value, Rank, Expected, Model, in_singles>;
    const BlockLayout layout = BlockLayout::over(comparison.rows, comparison.columns, Work::widest);
    return compare_blocks(backend, stream, Work::of({actual, expected, tolerance, layout.grid, {}}), layout);
  };
  if constexpr (stored_expectation<Expected, Value>) {
    const auto row = expected.expected_row(0);
    if (row.error == nullptr && row.uniform_error == 0) return compared_as(std::true_type{});
  }
  return compared_as(std::false_type{});
}

/// `compare` on a path of the caller's choice: tests run all of them.
template <ParallelBackend B, class T, std::size_t Rank, class Expected, class Model>
[[nodiscard]] Result<Comparison> compare_on(const ComparisonPath& path, B& backend, typename B::Stream& stream,
                                            const StridedView<T, Rank>& actual, const Expected& expected,
                                            const Model& tolerance) {
  using Value = std::remove_const_t<T>;
  static_assert(std::is_trivially_copyable_v<Expected>, "what is expected is copied to the device");
  Comparison comparison = comparison_of(actual);
  if (comparison.rows == 0 || comparison.columns == 0) return comparison;

  const ChunkGrid fine = ChunkGrid::over(comparison.rows, comparison.columns),
                  grid = path.few_tiles ? fine.of_few_tiles() : fine;
  const CompareChunk<Value, Rank, Expected, Model> work{actual, expected, tolerance, grid, path};
  auto partials = parallel_partials<PartialComparison>(backend, stream, static_cast<std::size_t>(grid.chunks()), work);
  if (!partials) return partials.propagate();
  fold(partials.value(), grid, comparison);
  return comparison;
}

/// `compare` without blocks of threads. Small tiles are shown of what fails only: the records of each take long to
/// find.
template <ParallelBackend B, class T, std::size_t Rank, class Expected, class Model>
[[nodiscard]] Result<Comparison> compare_in_chunks(B& backend, typename B::Stream& stream,
                                                   const StridedView<T, Rank>& actual, const Expected& expected,
                                                   const Model& tolerance) {
  const Comparison extents = comparison_of(actual);
  if (extents.rows > 0 && extents.columns > 0 && ChunkGrid::over(extents.rows, extents.columns).has_small_tiles()) {
    auto comparison = compare_on({true, instruction_set(), true}, backend, stream, actual, expected, tolerance);
    if (!comparison || comparison.value().violations == 0) return comparison;
  }
  return compare_on({true, instruction_set()}, backend, stream, actual, expected, tolerance);
}

}  // namespace detail

/// Compares an output with what is expected of it, in one parallel pass without temporaries.
///
/// `actual` is a view of dimensions (…, column) on the backend; its leading dimensions are flattened into rows.
/// `expected(row, column)` gives an `ExpectedElement`, as a trivially copyable functor on the backend. The result is
/// the same, bit for bit, for any number of threads: chunks and the order within them depend on the extents only, and
/// the order of sums on whether short rows of the output and of stored references follow one another. Between such
/// layouts, on other backends, or of an expectation without rows, the sums of `ErrorStatistics` may differ by 2e-7 of
/// their size. Where `expected` is a `RefinableExpectation`, elements in doubt are looked at again with their exact E,
/// which decides; devices refine all of them, without a limit.
///
/// Devices with blocks of threads read rows of stored values or arrays 16 bytes at once where rows are contiguous and
/// aligned; what travels to the host is 64 KiB at most. Elsewhere what fails is compared twice if its tiles are small,
/// the second time for them; of what is right a tile and a group of rows are then a whole chunk. An empty output
/// compares with nothing: 0 elements, 0 violations. Misuse: extents that are negative or overflow, null with elements.
/// Time O(elements), memory below 1 MiB, on the backend and the host together; on devices with blocks, 800 bytes for
/// each of at most 65536 pieces.
template <ParallelBackend B, class T, std::size_t Rank, class Expected, class Model>
requires Tolerance<Model, std::remove_const_t<T>> && requires(const Expected& expected, Index index) {
  requires std::is_same_v<decltype(expected(index, index)), ExpectedElement>;
}
[[nodiscard]] Result<Comparison> compare(B& backend, typename B::Stream& stream, const StridedView<T, Rank>& actual,
                                         const Expected& expected, const Model& tolerance) {
  if constexpr (BlockBackend<B> && !backend_runs_on_host<B>)
    return detail::compare_view_in_blocks(backend, stream, actual, expected, tolerance);
  else
    return detail::compare_in_chunks(backend, stream, actual, expected, tolerance);
}

}  // namespace assay::inline v0
