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

/// Few elements are written, at equal distances that are not those of rows: what an index does that is multiplied wrongly, and no bound of a loop. `written`: nothing where the right
/// value is what was there before.
[[nodiscard]] inline std::optional<Diagnosis> by_lattice_of_written(const FailingOutput& output,
                                                                    const std::vector<std::optional<bool>>& written) {
  std::size_t left = 0, known = 0, first = 0, distance = 0;
  for (std::size_t i = 0; i < written.size(); ++i) {
    if (!written[i]) continue;
    if (!*written[i])
      ++left;
    else if (known++ == 0)
      first = i;
    else
      distance = std::gcd(distance, i - first);
  }
  if (known < 2 || known > left || distance < 2 || distance % output.columns() == 0) return std::nullopt;
  for (std::size_t i = first % distance; i < written.size(); i += distance)
    if (written[i] && !*written[i]) return std::nullopt;
  return Diagnosis{FaultClass::addressing,
                   "wrong_index",
                   Confidence::likely,
                   {"of " + output.name + " every " + std::to_string(distance) +
                    "th element is written, across rows, and no other: indices are multiplied wrongly"},
                   {}};
}

}  // namespace assay::inline v0::detail
