#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "assay/backends/parallel_reduce.hpp"
#include "assay/compare/detail/compare_chunk.hpp"
#include "assay/core/series.hpp"

namespace assay {

namespace detail {

/// Elements by ⌊log2(error / allowed)⌋, of one chunk. The first bucket holds all that is below, the last all above.
struct RatioCounts {
  static constexpr int least = -20, most = 20;  ///< powers of two
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
    const Index first = static_cast<Index>(chunk) * rows_per_chunk, wished = first + rows_per_chunk, last = wished < rows ? wished : rows;
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

/// How error / allowed is distributed over an output, for a chart: points (log2 of the ratio, elements) for each power of
/// two from the smallest to the largest that occurs. A point at x counts ratios in [2^x, 2^(x+1)), so that accepted
/// elements have x < 0, but for those at the very limit. x = −21 stands for elements without any error, x = 21 for those
/// that no distance describes (NaN, infinities, errors where none is allowed); x = ±20 holds all beyond, too. Undetermined
/// elements are left out. One element-wise pass: for outputs that `compare` found wrong.
/// Misuse and errors as `compare`.
template <ParallelBackend B, class T, std::size_t Rank, class Expected, class Model>
  requires Tolerance<Model, std::remove_const_t<T>>
[[nodiscard]] Result<Series> ratio_distribution(B& backend, typename B::Stream& stream, const StridedView<T, Rank>& actual, const Expected& expected, const Model& tolerance) {
  using Counts = detail::RatioCounts;
  expect_walkable(actual, "ratio_distribution");
  Series series;
  series.title = "elements by error / allowed";
  series.x_label = "log2(error / allowed)";
  series.y_label = "elements";
  Index rows = 1;
  const Index columns = actual.extents[Rank - 1];
  for (std::size_t d = 0; d + 1 < Rank; ++d) rows *= actual.extents[d];
  if (rows == 0 || columns == 0) return series;
  const Index rows_per_chunk = detail::ChunkGrid::ceil_divide(rows, detail::ChunkGrid::most_chunks);
  const auto chunks = static_cast<std::size_t>(detail::ChunkGrid::ceil_divide(rows, rows_per_chunk));
  const detail::CountRatios<std::remove_const_t<T>, Rank, Expected, Model> work{actual, expected, tolerance, rows, columns, rows_per_chunk};
  const auto counted = parallel_reduce<Counts>(backend, stream, chunks, work);
  if (!counted) return counted.propagate();
  const Counts& counts = counted.value();
  int first = Counts::most + 1, last = Counts::least - 1;
  for (int exponent = Counts::least; exponent <= Counts::most; ++exponent) {
    if (counts.buckets[exponent - Counts::least] == 0) continue;
    first = first < exponent ? first : exponent;
    last = exponent;
  }
  if (counts.exact > 0) series.points.emplace_back(Counts::least - 1, static_cast<double>(counts.exact));
  for (int exponent = first; exponent <= last; ++exponent) series.points.emplace_back(exponent, static_cast<double>(counts.buckets[exponent - Counts::least]));
  if (counts.infinite > 0) series.points.emplace_back(Counts::most + 1, static_cast<double>(counts.infinite));
  return series;
}

}  // namespace assay
