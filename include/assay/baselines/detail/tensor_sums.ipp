#pragma once

#include "assay/baselines/detail/tensor_sums.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE std::vector<Index> sample_positions(Index elements, Index count) {
  std::vector<Index> positions;
  const Index even = std::max<Index>(count / 2, 2);
  for (Index i = 0; i < even; ++i)
    positions.push_back(static_cast<Index>(static_cast<long double>(elements - 1) * static_cast<long double>(i) /
                                           static_cast<long double>(even - 1)));
  std::uint64_t state = static_cast<std::uint64_t>(elements);
  for (Index i = even; i < count; ++i) {
    state += 0x9E3779B97F4A7C15u;  // splitmix64 (Steele, Lea, Flood 2014)
    std::uint64_t mixed = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9u;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBu;
    positions.push_back(static_cast<Index>((mixed ^ (mixed >> 31)) % static_cast<std::uint64_t>(elements)));
  }
  std::sort(positions.begin(), positions.end());
  positions.erase(std::unique(positions.begin(), positions.end()), positions.end());
  return positions;
}

ASSAY_DETAIL_HEADER_INLINE TensorSums sums_of(const std::vector<double>& values, Index columns) {
  const auto width = static_cast<std::size_t>(columns), height = (values.size() + width - 1) / width;
  std::vector<CarefulSum> row_sums(height), row_magnitudes(height), column_sums(width), column_magnitudes(width);
  TensorSums sums;
  sums.rows = static_cast<Index>(height);
  sums.columns = columns;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double value = values[i];
    if (std::isnan(value))
      ++sums.nans;
    else if (std::isinf(value))
      ++(value > 0 ? sums.positive_infinities : sums.negative_infinities);
    if (!std::isfinite(value)) continue;
    row_sums[i / width].add(value);
    row_magnitudes[i / width].add(std::fabs(value));
    column_sums[i % width].add(value);
    column_magnitudes[i % width].add(std::fabs(value));
  }
  const auto values_of = [](const std::vector<CarefulSum>& from) {
    std::vector<double> to;
    for (const CarefulSum& sum : from) to.push_back(sum.value());
    return to;
  };
  sums.row_sums = values_of(row_sums);
  sums.row_magnitudes = values_of(row_magnitudes);
  sums.column_sums = values_of(column_sums);
  sums.column_magnitudes = values_of(column_magnitudes);
  return sums;
}

ASSAY_DETAIL_HEADER_INLINE void sum_allowances(const std::vector<double>& allowed, Index columns,
                                               std::vector<double>& row_sums, std::vector<double>& column_sums) {
  const auto width = static_cast<std::size_t>(columns);
  row_sums.assign((allowed.size() + width - 1) / width, 0);
  column_sums.assign(width, 0);
  for (std::size_t i = 0; i < allowed.size(); ++i) {
    row_sums[i / width] += allowed[i];
    column_sums[i % width] += allowed[i];
  }
}

}  // namespace assay::inline v0::detail
