#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "assay/accuracy/detection.hpp"

namespace assay::inline v0 {

/// Numbers with a shape, as a stage hands them on: pixels, features, logits.
struct StageTensor {
  std::vector<std::int64_t> shape;  ///< extents, outermost first
  std::vector<double> values;       ///< row-major
};

/// Ids or classes: exact or wrong.
struct StageIds {
  std::vector<std::int64_t> ids;  ///< in the order in which they were made
};

/// Texts, which are compared by edits.
struct StageTexts {
  std::vector<std::string> texts;  ///< UTF-8, in their order
};

/// Boxes, which are paired before they are compared: their order may differ.
struct StageBoxes {
  std::vector<DetectedObject> boxes;  ///< in any order
};

/// What a stage hands on.
using StageValue = std::variant<StageTensor, StageIds, StageTexts, StageBoxes>;

/// "tensor", "ids", "texts" or "boxes".
[[nodiscard]] inline const char* kind_of(const StageValue& value) noexcept {
  constexpr const char* names[] = {"tensor", "ids", "texts", "boxes"};
  return names[value.index()];
}

}  // namespace assay::inline v0
