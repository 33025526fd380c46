#pragma once

#include "assay/diagnosis/detail/row_patterns.hpp"

#include <algorithm>
#include <cmath>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE std::optional<Diagnosis> row_factors(const FailingOutput& output) {
  const std::size_t columns = output.columns(), rows = output.rows();
  if (columns < 4 || !output.format.is_float()) return std::nullopt;
  std::size_t factors = 0, larger = 0;
  double least = 1, most = 1;
  const double slack = 4 * output.format.unit_roundoff();
  for (std::size_t row = 0; row < rows; ++row) {
    std::vector<double> ratios;
    bool any = false;
    for (std::size_t i = row * columns; i < (row + 1) * columns; ++i) {
      any = any || output.violated[i] != 0;
      if (is_finite(output.expected[i]) && is_finite(output.actual[i]) &&
          std::fabs(output.expected[i]) > 32 * static_cast<double>(output.error[i]) &&
          std::fabs(output.expected[i]) > 1e6 * output.format.min_subnormal())
        ratios.push_back(output.actual[i] / output.expected[i]);
    }
    if (!any) continue;
    if (ratios.size() < 3) return std::nullopt;
    const double factor = upper_median(ratios);
    if (!(std::fabs(factor - 1) > slack) || factor == 0) return std::nullopt;
    std::size_t told = 0, finite = 0;
    for (std::size_t i = row * columns; i < (row + 1) * columns; ++i) {
      if (!is_finite(output.expected[i])) continue;
      const double due = factor * output.expected[i],
                   allowed = 3 * std::fabs(factor) * static_cast<double>(output.error[i]) + slack * std::fabs(due) +
                             2 * output.format.min_subnormal();
      if (!(std::fabs(output.actual[i] - due) <= allowed)) return std::nullopt;
      ++finite;
      told += std::fabs(due - output.expected[i]) > allowed ? 1 : 0;
    }
    if (2 * told < finite) return std::nullopt;
    ++factors;
    larger += std::fabs(factor) > 1 ? 1 : 0;
    least = std::min(least, factor);
    most = std::max(most, factor);
  }
  if (factors == 0) return std::nullopt;
  Diagnosis diagnosis;
  diagnosis.fault_class = 2 * larger >= factors || (least < 1 && most > 1 && larger > 0) ? FaultClass::missing_work
                                                                                         : FaultClass::repeated_work;
  diagnosis.kind = "row_factor";
  diagnosis.confidence = Confidence::likely;
  diagnosis.evidence.push_back("each of " + std::to_string(factors) + " wrong rows of " + output.name +
                               " is right but for a factor of its own, from " + printed_number(least) + " to " +
                               printed_number(most) + ": what the rows are divided by is wrong");
  return diagnosis;
}

ASSAY_DETAIL_HEADER_INLINE std::optional<Diagnosis> row_addends(const FailingOutput& output) {
  const std::size_t columns = output.columns(), rows = output.rows();
  if (columns < 4 || !output.format.is_float()) return std::nullopt;
  std::size_t wrong = 0, larger = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    std::vector<double> differences;
    bool any = false;
    for (std::size_t i = row * columns; i < (row + 1) * columns; ++i) {
      any = any || output.violated[i] != 0;
      if (is_finite(output.expected[i]) && is_finite(output.actual[i]))
        differences.push_back(output.actual[i] - output.expected[i]);
    }
    if (!any) continue;
    if (differences.size() < 4) return std::nullopt;
    const double addend = upper_median(differences);
    std::size_t told = 0;
    for (std::size_t i = row * columns; i < (row + 1) * columns; ++i) {
      if (!is_finite(output.expected[i])) continue;
      const double allowed =
          2 * static_cast<double>(output.error[i]) + output.format.unit_in_last_place(output.expected[i]);
      if (!(std::fabs(output.actual[i] - output.expected[i] - addend) <= allowed)) return std::nullopt;
      told += std::fabs(addend) > 2 * allowed ? 1 : 0;
    }
    if (2 * told < columns) return std::nullopt;
    ++wrong;
    larger += addend > 0 ? 1 : 0;
  }
  if (wrong == 0) return std::nullopt;
  bool logarithms = true;
  for (const double expected : output.expected) logarithms = logarithms && !(expected > 0);
  if (!logarithms)
    return Diagnosis{FaultClass::missing_work,
                     "row_addend",
                     Confidence::possible,
                     {"each of " + std::to_string(wrong) + " wrong rows of " + output.name +
                      " is right but for an addend of its own: what is subtracted from the rows, or added to them, is "
                      "missing or wrong"},
                     {}};
  return Diagnosis{2 * larger >= wrong ? FaultClass::missing_work : FaultClass::repeated_work,
                   "row_addend",
                   Confidence::likely,
                   {"each of " + std::to_string(wrong) + " wrong rows of " + output.name +
                    " is right but for an addend of its own: the sum over the row, whose logarithm is subtracted, is " +
                    (2 * larger >= wrong ? "too small" : "too large")},
                   {}};
}

}  // namespace assay::inline v0::detail
