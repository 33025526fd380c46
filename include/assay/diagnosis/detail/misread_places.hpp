#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "assay/tensor/operand.hpp"

namespace assay::inline v0::detail {

/// A way to read an operand wrongly: `source(element)` is the element that is read for an element, both by their
/// position in row-major order.
struct MisreadPlaces {
  std::string kind, effect;
  std::function<Index(Index)> source;
};

/// Ways that do not follow a single dimension: all leading dimensions taken for one, or the whole for a single row.
[[nodiscard]] std::vector<MisreadPlaces> misread_places(const Operand& operand);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/diagnosis/detail/misread_places.ipp"
#endif
