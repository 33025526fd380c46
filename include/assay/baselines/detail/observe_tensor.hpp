#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "assay/baselines/detail/tensor_sums.hpp"
#include "assay/baselines/golden_tensor.hpp"
#include "assay/baselines/sha256.hpp"
#include "assay/core/result.hpp"
#include "assay/suite/observed_output.hpp"

namespace assay::inline v0::detail {

/// What an output says of itself holds together. Errors: `invalid`.
[[nodiscard]] Result<std::size_t> elements_of(const ObservedOutput& output);

/// The tensor with the elements at `sampled` and sums over so many columns; whole where `sampled` is empty. Errors:
/// `invalid`.
[[nodiscard]] Result<GoldenTensor> observe_tensor(const ObservedOutput& output, std::vector<Index> sampled,
                                                  Index columns);

/// The tensor as a baseline keeps it: whole up to `most_bytes` of codes, else with `samples` of its elements. Errors:
/// `invalid`.
[[nodiscard]] inline Result<GoldenTensor> observe_tensor(const ObservedOutput& output, std::size_t most_bytes,
                                                         Index samples) {
  const auto size = static_cast<Index>(output.values.size());
  if (output.codes.size() <= most_bytes || size == 0) return observe_tensor(output, std::vector<Index>{}, Index{1});
  return observe_tensor(output, sample_positions(size, std::min(samples, size)), folded_columns(output.extents, size));
}

/// The tensor in the same form as a golden one of the same extents. Errors: `invalid`.
[[nodiscard]] inline Result<GoldenTensor> observe_tensor_like(const ObservedOutput& output,
                                                              const GoldenTensor& golden) {
  return observe_tensor(output, golden.sampled, golden.sums.columns);
}

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/baselines/detail/observe_tensor.ipp"
#endif
