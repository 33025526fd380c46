#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "assay/validators/diagnosis/detail/displaced_output.hpp"
#include "assay/validators/diagnosis/detail/evidence.hpp"
#include "assay/validators/diagnosis/detail/machine_patterns.hpp"
#include "assay/validators/diagnosis/diagnosed_case.hpp"

namespace assay::detail {

/// What was done to memory is what is wrong, whatever the numbers; but where a few elements stay unwritten because all results went elsewhere, that is.
[[nodiscard]] inline Diagnosis by_memory(const DiagnosedCase& given) {
  Diagnosis diagnosis{FaultClass::memory, "foreign_memory", Confidence::certain, given.memory_findings, {}};
  const auto all_say = [&](const char* part) {
    for (const std::string& finding : given.memory_findings)
      if (finding.find(part) == std::string::npos) return false;
    return true;
  };
  const std::string& first = given.memory_findings.front();
  if (all_say("never written")) {
    diagnosis.kind = "unwritten_output";
    diagnosis.confidence = Confidence::likely;  // or not awaited, or written elsewhere
    for (const FailingOutput& output : given.outputs) {
      if (output.violations == 0) continue;
      diagnosis.picture = violation_map(output);
      FailingOutput written = output;
      std::size_t others = 0;
      for (std::size_t i = 0; i < written.size(); ++i) {
        if (is_nan(written.actual[i]) && !is_nan(written.expected[i])) written.violated[i] = 0;
        others += written.violated[i];
      }
      if (others == 0) continue;
      if (auto displaced = DisplacedOutput(written).explanation()) {
        for (const std::string& finding : given.memory_findings) displaced->evidence.push_back(finding);
        displaced->confidence = Confidence::likely;
        return *displaced;
      }
    }
  } else if (first.find("was modified") != std::string::npos) {
    diagnosis.kind = "input_modified";
  } else if (first.find("strides") != std::string::npos) {
    diagnosis.kind = "strides_ignored";
  } else if (first.find("canary") != std::string::npos) {
    diagnosis.kind = "overrun";
  }
  return diagnosis;
}

/// When nothing explains every element: what sizes and places suggest. `terms_are_right`: no term of the sums is known to be missing.
[[nodiscard]] inline Diagnosis by_appearance(const FailingOutput& output, const Arithmetic& arithmetic, bool terms_are_right) {
  using enum FaultClass;
  const FailureSizes sizes = failure_sizes(output);
  const FailurePlaces places = failure_places(output);
  Diagnosis diagnosis;
  diagnosis.picture = violation_map(output);
  const auto say = [&](FaultClass fault_class, const std::string& kind, Confidence confidence, const std::string& sentence) {
    diagnosis.fault_class = fault_class;
    diagnosis.kind = kind;
    diagnosis.confidence = confidence;
    diagnosis.evidence.push_back(sentence);
    for (const std::string& place : places.sentences) diagnosis.evidence.push_back(place);
    return diagnosis;
  };
  const auto number = [](double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3g", value);
    return std::string(text);
  };
  const std::size_t special = sizes.violations - sizes.finite, nan = sizes.nan_unexpected + sizes.nan_missing;
  const double share = sizes.elements > 0 ? static_cast<double>(sizes.violations) / static_cast<double>(sizes.elements) : 0;
  std::size_t same_number = 0;
  for (std::size_t i = 0; i < output.size(); ++i)
    if (output.violated[i]) same_number += output.actual[i] == output.expected[i] || (is_nan(output.actual[i]) && is_nan(output.expected[i])) ? 1 : 0;
  if (same_number > 0 && same_number == sizes.violations) return say(special_value, "bits_of_equal_numbers", Confidence::certain, "every wrong element is the right number with other bits: the sign of zero, or what a NaN carries");
  if (special > 0 && 2 * special >= sizes.violations)
    return say(special_value, nan > 0 ? (sizes.nan_missing > 0 ? "nan_lost" : "nan_unexpected") : sizes.infinity_missing > 0 ? "infinity_lost" : "overflow", Confidence::likely,
               std::to_string(special) + " of " + std::to_string(sizes.violations) + " violations are NaN or infinite where that is not due, or the reverse");
  const double poison = output.format.decode(0xA5A5A5A5A5A5A5A5u >> (64 - 8 * output.format.bytes));
  std::size_t poisoned = 0;
  for (std::size_t i = 0; i < output.size(); ++i)
    if (output.violated[i] && output.actual[i] == poison) ++poisoned;
  if (poisoned > 0 && poisoned == sizes.violations) return say(memory, "unwritten_output", Confidence::likely, "every wrong element holds what stood there before the launch");
  if (!output.format.is_float() && (output.format.wide_integer || output.name.find("ind") != std::string::npos))
    return say(addressing, "wrong_indices", Confidence::possible, number(100 * share) + " % of the indices name other elements");
  if (sizes.zeros == sizes.violations) return say(missing_work, "elements_left_zero", Confidence::likely, "every wrong element is 0");
  if (sizes.subnormal_expected == sizes.violations) return say(special_value, "subnormals", Confidence::likely, "every wrong element is, or should be, subnormal");
  const double unit = std::max(output.format.unit_roundoff(), arithmetic.unit_roundoff());
  std::size_t near = 0;
  for (std::size_t i = 0; i < output.size(); ++i)
    if (output.violated[i] && is_finite(output.actual[i]) && is_finite(output.expected[i])) near += std::fabs(output.actual[i] - output.expected[i]) <= static_cast<double>(output.error[i]) + output.format.unit_in_last_place(output.expected[i]) ? 1 : 0;
  const double one_place = sizes.violations > 0 ? static_cast<double>(near) / static_cast<double>(sizes.violations) : 0;
  const double limit = terms_are_right ? 0.25 : 0.02;
  const bool narrow = sizes.median_relative < limit && sizes.rms_over_scale < limit;
  const double inward = sizes.finite > 0 ? static_cast<double>(sizes.inward) / static_cast<double>(sizes.finite) : 0;
  if (narrow && sizes.violations >= 16 && inward > 0.97 && one_place > 0.99 && sizes.median_relative < 4 * unit)
    return say(rounding, "biased_rounding", Confidence::likely, number(100 * inward) + " % of the wrong elements are nearer to 0 than they should be, by half a place at the median");
  if (one_place > 0.99 && sizes.violations >= 4 && output.format.unit_roundoff() > 4 * arithmetic.unit_roundoff())
    return say(rounding, "neighbour_of_right_number", Confidence::likely, "every wrong element is the number before or behind the right one: the sums are right, and wrongly rounded");
  if (narrow) return say(precision, "narrow_arithmetic", places.density > 0.05 && share > 0.02 ? Confidence::likely : Confidence::possible,
                         "the wrong elements, " + number(100 * share) + " %, are off by " + number(sizes.median_relative) + " of their size at the median, to either side");
  return say(missing_work, "wrong_values", Confidence::possible, "the wrong elements, " + number(100 * share) + " %, are off by " + number(sizes.median_relative) + " of their size at the median");
}

/// One box of wrong elements in an output that is right else, as large as tiles are: what was there before.
[[nodiscard]] inline std::optional<Diagnosis> by_tile(const FailingOutput& output, const FailurePlaces& places) {
  const std::size_t rank = places.ranges.size();
  if (rank < 2 || places.density < 0.8) return std::nullopt;
  for (std::size_t d = rank - 2; d < rank; ++d) {
    const Index size = places.ranges[d].second - places.ranges[d].first + 1;
    if (size < 4 || size > output.extents[d] / 2 || (places.ranges[d].second + 1 < output.extents[d] && (size & (size - 1)) != 0)) return std::nullopt;
  }
  return Diagnosis{FaultClass::state, "stale_tile", Confidence::likely, {"the wrong elements fill one tile, and all others are right: what was there before, or another tile's work"}, {}};
}

}  // namespace assay::detail
