#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

/// Slices of an operand that may be taken for others along a dimension.
struct MisreadSlices {
  std::string kind, effect;
  std::function<Index(Index, Index)>
      source;  ///< of a slice, given its index and the extent: which is read instead; beyond the extent, itself
};

/// How slices of `operand` (its name) may be misread along a dimension of that extent, likelier ways first.
std::vector<MisreadSlices> misread_slices(const std::string& operand, Index extent);

/// Ranges [first, last) of a dimension that kernels leave out or take twice: ends, tails and last tiles, halves.
std::vector<std::pair<Index, Index>> parts_of_extent(Index extent);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/diagnosis/detail/misread_slices.ipp"
#endif
