#pragma once

#include "assay/baselines/detail/observe_tensor.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE Result<std::size_t> elements_of(const ObservedOutput& output) {
  const auto refused = [&](const std::string& why) {
    return failure(ErrorKind::invalid, "the output '" + output.name + "' of format " + output.format + " " + why);
  };
  std::uint64_t elements = 1;
  for (const std::int64_t extent : output.extents) {
    if (extent < 0 || (extent > 0 && elements > (std::uint64_t{1} << 62) / static_cast<std::uint64_t>(extent)))
      return refused("has extents that no tensor has");
    elements *= static_cast<std::uint64_t>(extent);
  }
  if (output.values.size() != elements)
    return refused("has " + std::to_string(output.values.size()) + " values, and its extents " +
                   std::to_string(elements) + " elements");
  if (!output.allowed.empty() && output.allowed.size() != elements)
    return refused("has " + std::to_string(output.allowed.size()) + " allowances for " + std::to_string(elements) +
                   " elements");
  const std::size_t bytes = elements == 0 ? 0 : output.codes.size() / elements;
  if (elements == 0 ? !output.codes.empty() : (bytes == 0 || bytes > 8 || output.codes.size() != bytes * elements))
    return refused("has " + std::to_string(output.codes.size()) + " bytes of codes for " + std::to_string(elements) +
                   " elements; expected 1 to 8 bytes for each");
  return static_cast<std::size_t>(elements);
}

ASSAY_DETAIL_HEADER_INLINE Result<GoldenTensor> observe_tensor(const ObservedOutput& output, std::vector<Index> sampled,
                                                               Index columns) {
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

}  // namespace assay::inline v0::detail
