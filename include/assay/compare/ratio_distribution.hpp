#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "assay/backends/parallel_reduce.hpp"
#include "assay/compare/detail/compare_chunk.hpp"
#include "assay/core/series.hpp"

namespace assay::inline v0 {

namespace detail {

/// Elements by ⌊log2(error / allowed)⌋, of one chunk. The first bucket holds all that is below, the last all above.
struct RatioCounts {
  static constexpr int least = -21, most = 20;  ///< powers of two
  std::uint64_t exact = 0;                      ///< no error before the output was rounded
  std::uint64_t infinite = 0;                   ///< no distance is defined
  std::uint64_t buckets[most - least + 1] = {};

  ASSAY_FUNCTION void count(double ratio) {
    if (ratio == 0) {
      ++exact;
    } else if (is_infinite(ratio)) {
      ++infinite;
    } else {
      const int exponent = exponent_of(ratio);
      ++buckets[exponent < least ? 0 : exponent > most ? most - least : exponent - least];
    }
  }
  ASSAY_FUNCTION void join(const RatioCounts& next) {
    exact += next.exact;
    infinite += next.infinite;
    for (int bucket = 0; bucket <= most - least; ++bucket) buckets[bucket] += next.buckets[bucket];
  }
};

template <Format T, std::size_t Rank, class Expected, class Model>
struct CountRatios {
  StridedView<const T, Rank> actual;
  Expected expected;
  Model tolerance;
  Index rows, columns, rows_per_chunk;

  ASSAY_FUNCTION void operator()(std::size_t chunk, RatioCounts& counts) const {
    const Index first = static_cast<Index>(chunk) * rows_per_chunk, wished = first + rows_per_chunk,
                last = wished < rows ? wished : rows;
    for (Index row = first; row < last; ++row) {
      Index offset = 0, rest = row;
      for (std::size_t d = Rank - 1; d-- > 0;) {
        offset += rest % actual.extents[d] * actual.strides[d];
        rest /= actual.extents[d];
      }
      for (Index column = 0; column < columns; ++column) {
        const T stored = actual.data[offset + column * actual.strides[Rank - 1]];
        const ExpectedElement element = expected(row, column);
        const AcceptanceInterval accepted = tolerance.template interval<T>(element);
        if (!accepted.undetermined) counts.count(error_ratio(tolerance, stored, element, accepted));
      }
    }
  }
};

}  // namespace detail

/// How error / allowed is distributed over an output, for a chart: bins of a factor of two, each point the upper end of
/// its bin and the elements in it. A bin ends at 1, so that what is refuted stands above it (and what lies at the very
/// limit). The lowest bin, 2^−20, also takes what is smaller or without error; the last, infinity, what is above 2^20
/// and what no distance describes (NaN, infinities, errors where none is allowed). Undetermined elements are left out.
/// One element-wise pass: for outputs that `compare` found wrong. Misuse and errors as `compare`.
template <ParallelBackend B, class T, std::size_t Rank, class Expected, class Model>
requires Tolerance<Model, std::remove_const_t<T>>
[[nodiscard]] Result<Series> ratio_distribution(B& backend, typename B::Stream& stream,
                                                const StridedView<T, Rank>& actual, const Expected& expected,
                                                const Model& tolerance) {
  using Counts = detail::RatioCounts;
  expect_walkable(actual, "ratio_distribution");
  Series series;
  series.title = "distribution of error / allowed";
  series.x_label = "error / allowed";
  series.y_label = "elements";
  Index rows = 1;
  const Index columns = actual.extents[Rank - 1];
  for (std::size_t d = 0; d + 1 < Rank; ++d) rows *= actual.extents[d];
  if (rows == 0 || columns == 0) return series;
  const Index rows_per_chunk = detail::ChunkGrid::ceil_divide(rows, detail::ChunkGrid::most_chunks);
  const auto chunks = static_cast<std::size_t>(detail::ChunkGrid::ceil_divide(rows, rows_per_chunk));
  const detail::CountRatios<std::remove_const_t<T>, Rank, Expected, Model> work{actual, expected, tolerance,
                                                                                rows,   columns,  rows_per_chunk};
  const auto counted = parallel_reduce<Counts>(backend, stream, chunks, work);
  if (!counted) return counted.propagate();
  const Counts& counts = counted.value();
  const auto count = [&](int exponent) {
    return static_cast<double>(counts.buckets[exponent - Counts::least] +
                               (exponent == Counts::least ? counts.exact : 0));
  };
  int first = -1, last = -1;
  for (int exponent = Counts::least; exponent < Counts::most; ++exponent) {
    if (count(exponent) == 0) continue;
    first = first < exponent ? first : exponent;
    last = last > exponent ? last : exponent;
  }
  for (int exponent = first; exponent <= last; ++exponent)
    series.points.emplace_back(power_of_two(exponent + 1), count(exponent));
  const double beyond = count(Counts::most) + static_cast<double>(counts.infinite);
  if (beyond > 0) series.points.emplace_back(detail::double_of(binary64_layout.infinity_bits()), beyond);
  return series;
}

}  // namespace assay::inline v0
