#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "assay/core/fault.hpp"
#include "assay/core/heat_map.hpp"

namespace assay::inline v0 {

/// How sure a diagnosis is.
enum class Confidence {
  possible,  ///< fits what was seen, and so do others
  likely,    ///< fits better than what else was thought of
  certain    ///< explains every element, and nothing of another class does
};

/// The name in reports.
[[nodiscard]] constexpr std::string_view name_of(Confidence confidence) noexcept {
  switch (confidence) {
    case Confidence::possible: return "possible";
    case Confidence::likely: return "likely";
    case Confidence::certain: return "certain";
  }
  return "possible";
}

/// A cause of a failure, and why it is thought to be the cause.
struct Diagnosis {
  FaultClass fault_class = FaultClass::missing_work;
  std::string kind;  ///< snake_case, as faults are named
  Confidence confidence = Confidence::possible;
  std::vector<std::string> evidence;  ///< sentences, most telling first
  std::optional<HeatMap> picture;     ///< where, or of what

  /// One line: "certain: missing_work, bias_ignored: …".
  [[nodiscard]] std::string text() const {
    std::string line = std::string(name_of(confidence)) + ": " + std::string(name_of(fault_class)) + ", " + kind;
    for (const std::string& sentence : evidence) line += (&sentence == &evidence.front() ? ": " : "; ") + sentence;
    return line;
  }
};

}  // namespace assay::inline v0
