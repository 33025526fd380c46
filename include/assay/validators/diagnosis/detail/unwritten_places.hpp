#pragma once

#include <cstddef>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "assay/core/diagnosis.hpp"
#include "assay/validators/diagnosis/detail/surrounded_operands.hpp"
#include "assay/validators/diagnosis/failing_output.hpp"

namespace assay::inline v0::detail {

/// Which wrong elements hold what poisons outputs.
[[nodiscard]] inline std::vector<std::uint8_t> unwritten_elements(const FailingOutput& output) {
  const double poison = output.format.decode(poison_code(output.format));
  std::vector<std::uint8_t> unwritten(output.size());
  for (std::size_t i = 0; i < output.size(); ++i)
    unwritten[i] = output.violated[i] != 0 &&
                           (output.actual[i] == poison || (is_nan(poison) && is_nan(output.actual[i]) && !is_nan(output.expected[i])))
                       ? 1
                       : 0;
  return unwritten;
}

/// Whether what an output held before the launch is among its wrong elements, of a format whose poison is a number like others: often enough that it is no result.
[[nodiscard]] inline bool holds_poison(const FailingOutput& output) {
  if (is_nan(output.format.decode(poison_code(output.format)))) return false;
  std::size_t count = 0;
  for (const std::uint8_t one : unwritten_elements(output)) count += one;
  return output.format.bytes >= 4 ? count > 0 : count >= 4 && 2 * count >= output.violations;
}

/// Few elements are written, at equal distances that are not those of rows: what an index does that is multiplied wrongly, and no bound of a loop.
[[nodiscard]] inline std::optional<Diagnosis> by_lattice_of_written(const FailingOutput& output) {
  const std::vector<std::uint8_t> unwritten = unwritten_elements(output);
  std::vector<std::size_t> written;
  for (std::size_t i = 0; i < unwritten.size(); ++i)
    if (!unwritten[i]) written.push_back(i);
  if (written.size() < 2 || 2 * written.size() > unwritten.size()) return std::nullopt;
  std::size_t distance = 0;
  for (const std::size_t i : written) distance = std::gcd(distance, i - written.front());
  if (distance < 2 || distance % output.columns() == 0 || written.front() >= distance) return std::nullopt;
  if (written.size() != (unwritten.size() - written.front() + distance - 1) / distance) return std::nullopt;
  return Diagnosis{FaultClass::addressing,
                   "wrong_index",
                   Confidence::likely,
                   {"of " + output.name + " every " + std::to_string(distance) +
                    "th element is written, across rows, and no other: indices are multiplied wrongly"},
                   {}};
}

}  // namespace assay::inline v0::detail
