#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "assay/core/outcome.hpp"
#include "assay/kernels/detail/ordered_element.hpp"
#include "assay/tolerance/rounding_error.hpp"

namespace assay::inline v0::detail {

/// An element as findings show it: 64-bit integers to their last digit.
[[nodiscard]] inline std::string shown(const OrderedElement& element) {
  return element.integer != 0 ? std::to_string(element.integer) : number(element.value);
}

/// What an operation finds that judges one of its outputs by itself.
struct JudgedOutput {
  std::uint64_t elements = 0;
  std::uint64_t violations = 0;
  double ratio = 0;                   ///< of a statistic to what it may be, where there is one
  std::vector<std::string> findings;  ///< the first few

  void refute(const std::string& finding) {
    ++violations;
    if (findings.size() < 4) findings.push_back(finding);
  }
  /// Verdict, reason, diagnosis and measurements.
  void describe(Outcome& outcome) const {
    outcome.measure(measurement::elements, static_cast<double>(elements), "elements");
    outcome.measure(measurement::violations, static_cast<double>(violations), "elements");
    outcome.measure(measurement::worst_error_ratio, violations > 0 ? std::numeric_limits<double>::infinity() : ratio);
    outcome.verdict = violations > 0 ? Verdict::fail : Verdict::pass;
    if (violations == 0) return;
    outcome.reason = std::to_string(violations) + " of " + std::to_string(elements) +
                     " elements are refuted; the first: " + findings.front();
    outcome.diagnosis.insert(outcome.diagnosis.end(), findings.begin(), findings.end());
  }
};

}  // namespace assay::inline v0::detail
