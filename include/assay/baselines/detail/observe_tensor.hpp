#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "assay/baselines/detail/sha256.hpp"
#include "assay/baselines/golden_tensor.hpp"
#include "assay/core/result.hpp"
#include "assay/suite/observed_output.hpp"

namespace assay::detail {

/// A sum with the rounding errors of its additions carried along (Neumaier 1974): |error| ≤ u·|sum| + O(n²u²)·Σ|x|.
class CarefulSum {
 public:
  void add(double value) {
    const double next = sum_ + value;
    rest_ += std::fabs(sum_) >= std::fabs(value) ? (sum_ - next) + value : (value - next) + sum_;
    sum_ = next;
  }
  [[nodiscard]] double value() const { return sum_ + rest_; }

 private:
  double sum_ = 0;
  double rest_ = 0;
};

/// Positions to keep of `elements`: half of them evenly spread, the first and the last among them, half at random by a fixed sequence, so that
/// neither a pattern of the tensor's nor one of the kernel's hides between them. Ascending, each once.
[[nodiscard]] inline std::vector<Index> sample_positions(Index elements, Index count) {
  std::vector<Index> positions;
  const Index even = std::max<Index>(count / 2, 2);
  for (Index i = 0; i < even; ++i)
    positions.push_back(static_cast<Index>(static_cast<long double>(elements - 1) * static_cast<long double>(i) / static_cast<long double>(even - 1)));
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

/// Into how many columns a tensor is folded: its last extent, where that leaves neither rows nor columns of more than 65536 sums.
[[nodiscard]] inline Index folded_columns(const std::vector<Index>& extents, Index elements) {
  const Index last = extents.empty() ? 1 : extents.back();
  if (last > 1 && last <= 65536 && elements / last <= 65536 && elements / last > 1) return last;
  return std::max<Index>(static_cast<Index>(std::ceil(std::sqrt(static_cast<double>(elements)))), 1);
}

/// The sums of `values`, folded into so many columns.
[[nodiscard]] inline TensorSums sums_of(const std::vector<double>& values, Index columns) {
  const auto width = static_cast<std::size_t>(columns), height = (values.size() + width - 1) / width;
  std::vector<CarefulSum> row_sums(height), row_magnitudes(height), column_sums(width), column_magnitudes(width);
  TensorSums sums;
  sums.rows = static_cast<Index>(height);
  sums.columns = columns;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double value = values[i];
    if (std::isnan(value)) ++sums.nans;
    else if (std::isinf(value)) ++(value > 0 ? sums.positive_infinities : sums.negative_infinities);
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

/// What an output says of itself holds together. Errors: `invalid`.
[[nodiscard]] inline Result<std::size_t> elements_of(const ObservedOutput& output) {
  const auto refused = [&](const std::string& why) { return failure(ErrorKind::invalid, "the output '" + output.name + "' of format " + output.format + " " + why); };
  std::uint64_t elements = 1;
  for (const std::int64_t extent : output.extents) {
    if (extent < 0 || (extent > 0 && elements > (std::uint64_t{1} << 62) / static_cast<std::uint64_t>(extent))) return refused("has extents that no tensor has");
    elements *= static_cast<std::uint64_t>(extent);
  }
  if (output.values.size() != elements) return refused("has " + std::to_string(output.values.size()) + " values, and its extents " + std::to_string(elements) + " elements");
  if (!output.allowed.empty() && output.allowed.size() != elements) return refused("has " + std::to_string(output.allowed.size()) + " allowances for " + std::to_string(elements) + " elements");
  const std::size_t bytes = elements == 0 ? 0 : output.codes.size() / elements;
  if (elements == 0 ? !output.codes.empty() : (bytes == 0 || bytes > 8 || output.codes.size() != bytes * elements))
    return refused("has " + std::to_string(output.codes.size()) + " bytes of codes for " + std::to_string(elements) + " elements; expected 1 to 8 bytes for each");
  return static_cast<std::size_t>(elements);
}

/// The tensor with the elements at `sampled` and sums over so many columns; whole where `sampled` is empty. Errors: `invalid`.
[[nodiscard]] inline Result<GoldenTensor> observe_tensor(const ObservedOutput& output, std::vector<Index> sampled, Index columns) {
  const Result<std::size_t> elements = elements_of(output);
  if (!elements) return elements.propagate();
  GoldenTensor tensor;
  tensor.format = output.format;
  tensor.extents = output.extents;
  tensor.code_bytes = elements.value() == 0 ? 1 : static_cast<int>(output.codes.size() / elements.value());
  tensor.digest = sha256(output.codes);
  if (sampled.empty()) {
    tensor.codes = output.codes;
    return tensor;
  }
  for (const Index position : sampled) {
    const auto first = output.codes.begin() + position * tensor.code_bytes;
    tensor.codes.insert(tensor.codes.end(), first, first + tensor.code_bytes);
  }
  tensor.sampled = std::move(sampled);
  tensor.sums = sums_of(output.values, columns);
  return tensor;
}

/// The tensor as a baseline keeps it: whole up to `most_bytes` of codes, else with `samples` of its elements. Errors: `invalid`.
[[nodiscard]] inline Result<GoldenTensor> observe_tensor(const ObservedOutput& output, std::size_t most_bytes, Index samples) {
  const auto size = static_cast<Index>(output.values.size());
  if (output.codes.size() <= most_bytes || size == 0) return observe_tensor(output, std::vector<Index>{}, Index{1});
  return observe_tensor(output, sample_positions(size, std::min(samples, size)), folded_columns(output.extents, size));
}

/// The tensor in the same form as a golden one of the same extents. Errors: `invalid`.
[[nodiscard]] inline Result<GoldenTensor> observe_tensor_like(const ObservedOutput& output, const GoldenTensor& golden) {
  return observe_tensor(output, golden.sampled, golden.sums.columns);
}

}  // namespace assay::detail
