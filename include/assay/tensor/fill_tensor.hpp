#pragma once

#include <cstddef>
#include <type_traits>

#include "assay/backends/parallel_backend.hpp"
#include "assay/formats/format_traits.hpp"
#include "assay/tensor/detail/device_vectors.hpp"
#include "assay/tensor/overlap.hpp"
#include "assay/tensor/strided_view.hpp"

namespace assay::inline v0 {

/// Writes a pattern into a chunk of a view.
template <Format T, class Pattern>
struct FillChunk {
  static constexpr Index chunk = 4096;
  StridedView<T, 3> view;
  Pattern pattern;
  bool lanes_along_columns;  ///< lanes run down the columns (dimension 1), as in the right operand of a product

  ASSAY_FUNCTION void operator()(std::size_t index) const {
    const Index rows = view.extents[1], columns = view.extents[2];
    const Index first = static_cast<Index>(index) * chunk;
    const Index last = first + chunk < view.size() ? first + chunk : view.size();
    Index column = first % columns, row = (first / columns) % rows, slice = first / columns / rows;
    for (Index element = first; element < last; ++element) {
      const double value =
          lanes_along_columns ? pattern(slice * columns + column, row) : pattern(slice * rows + row, column);
      view(slice, row, column) = encode<T>(value);
      if (++column == columns) {
        column = 0;
        if (++row == rows) {
          row = 0;
          ++slice;
        }
      }
    }
  }
};

/// The direction of the lanes of a pattern in a (batch, row, column) view.
enum class Lanes { rows, columns };

/// Fills a view of dimensions (batch, row, column) with `pattern(lane, position)`, rounded to nearest. With
/// `Lanes::rows` a lane is a row, position the column index; with `Lanes::columns` the other way round. Asynchronous on
/// the stream. `pattern` is a trivially copyable functor giving a double. O(elements). Misuse: extents that are
/// negative or overflow, null with elements, a view that overlaps itself (`overlaps_itself`).
template <ParallelBackend B, Format T, class Pattern>
[[nodiscard]] Result<void> fill(B& backend, typename B::Stream& stream, const StridedView<T, 3>& view,
                                const Pattern& pattern, Lanes lanes = Lanes::rows) {
  static_assert(std::is_trivially_copyable_v<Pattern>, "a pattern is copied to the device");
  using Chunk = FillChunk<T, Pattern>;
  expect_walkable(view, "fill");
  expect(!overlaps_itself(view), [] {
    return "fill: two indices of the view name the same element, so that its value would depend on timing; give every "
           "dimension a stride "
           "beyond the reach of the faster ones";
  });
  if constexpr (!backend_runs_on_host<B>) {
    const detail::FillVectors<T, Pattern> work{view, pattern, lanes == Lanes::columns};
    return backend.parallel_for(stream, work.vectors(), work);
  }
  const std::size_t chunks = static_cast<std::size_t>((view.size() + Chunk::chunk - 1) / Chunk::chunk);
  return backend.parallel_for(stream, chunks, Chunk{view, pattern, lanes == Lanes::columns});
}

}  // namespace assay::inline v0
