#pragma once

#include <cstddef>

#include "assay/backends/parallel_backend.hpp"
#include "assay/formats/format_traits.hpp"
#include "assay/tensor/strided_view.hpp"

namespace assay {

/// Writes a pattern into a chunk of a view; `lane_dimension_last` says that the lane runs along dimension 1, not 2.
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
      const double value = lanes_along_columns ? pattern(slice * columns + column, row) : pattern(slice * rows + row, column);
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

/// Fills a view of dimensions (batch, row, column) with `pattern(lane, position)`, rounded to nearest. With `Lanes::rows`
/// a lane is a row, position the column index; with `Lanes::columns` the other way round. Asynchronous on the stream.
/// `pattern` is a trivially copyable functor giving a double. O(elements).
template <ParallelBackend B, Format T, class Pattern>
[[nodiscard]] Result<void> fill(B& backend, typename B::Stream& stream, const StridedView<T, 3>& view, const Pattern& pattern, Lanes lanes = Lanes::rows) {
  using Chunk = FillChunk<T, Pattern>;
  const std::size_t chunks = static_cast<std::size_t>((view.size() + Chunk::chunk - 1) / Chunk::chunk);
  return backend.parallel_for(stream, chunks, Chunk{view, pattern, lanes == Lanes::columns});
}

}  // namespace assay
