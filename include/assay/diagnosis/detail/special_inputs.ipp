#pragma once

#include "assay/diagnosis/detail/special_inputs.hpp"

#include <cmath>
#include <map>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

/// Whether one element of the input belongs to each element of the output: they are of the same extents, or the input
/// is repeated along leading ones.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE bool element_by_element(const OperandSpec& input,
                                                                 const FailingOutput& output) {
  std::size_t first = 0;
  while (first < input.extents.size() && input.extents[first] == 1) ++first;
  const std::size_t rank = input.extents.size() - first;
  if (rank == 0 || rank > output.extents.size()) return false;
  for (std::size_t d = 1; d <= rank; ++d)
    if (input.extents[input.extents.size() - d] != output.extents[output.extents.size() - d]) return false;
  return true;
}

/// The few numbers at the limits of an input's format where the output is wrong wherever they stand, and nowhere else;
/// empty where that is not so.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string special_numbers(const Operand& operand,
                                                                     const FailingOutput& output, WrongWhere& found) {
  const double smallest = std::ldexp(1.0, operand.format.layout.min_exponent()), largest = operand.format.max_finite();
  std::map<std::uint64_t, WrongWhere> numbers;
  const Index size = operand.size();
  for (std::size_t i = 0; i < output.size(); ++i) {
    const double value = operand.load(static_cast<Index>(i) % size), magnitude = std::fabs(value);
    const bool special = !(magnitude >= 16 * smallest && magnitude <= largest / 16);
    if (!special && output.violated[i]) return {};
    if (!special) continue;
    WrongWhere& number = numbers[operand.format.encode(value)];
    ++number.with;
    number.wrong += output.violated[i];
  }
  std::erase_if(numbers, [](const auto& number) { return number.second.wrong == 0; });
  std::string names;
  for (const auto& [code, number] : numbers) {
    names += (names.empty() ? "" : ", ") + printed_number(operand.format.decode(code), 3);
    found.with += number.with, found.wrong += number.wrong;
  }
  const bool recur = found.wrong >= 2 * numbers.size() && numbers.size() <= 8;
  return recur && 10 * found.wrong >= 9 * found.with ? names : std::string();
}

ASSAY_DETAIL_HEADER_INLINE std::optional<Diagnosis> by_special_inputs(const DiagnosedCase& given,
                                                                      const FailingOutput& output) {
  for (std::size_t position = 0; position < given.specs.size(); ++position) {
    const Operand& operand = given.before[static_cast<int>(position)];
    if (given.specs[position].role != OperandRole::input || !given.specs[position].present ||
        !operand.format.is_float() || !element_by_element(given.specs[position], output))
      continue;
    const auto says = [&](const std::string& what, const WrongWhere& where) {
      return Diagnosis{
          FaultClass::special_value,
          "special_input",
          Confidence::likely,
          {"all " + std::to_string(where.wrong) + " wrong elements stand where " + given.specs[position].name + " is " +
           what + ", as it is in " + std::to_string(where.with) + " of " + std::to_string(output.size()) + " places"},
          {}};
    };
    const auto explains = [&](const WrongWhere& where) {
      return where.wrong == output.violations && where.wrong >= 2 && 4 * where.with < output.size() &&
             2 * where.wrong >= where.with;
    };
    const double smallest = std::ldexp(1.0, operand.format.layout.min_exponent());
    WrongWhere zero, nonfinite, subnormal;
    for (std::size_t i = 0; i < output.size(); ++i) {
      const double size = std::fabs(operand.load(static_cast<Index>(i) % operand.size()));
      if (size >= smallest && is_finite(size)) continue;
      WrongWhere& where = size == 0 ? zero : size < smallest ? subnormal : nonfinite;
      ++where.with;
      where.wrong += output.violated[i];
    }
    if (explains(zero)) return says("zero", zero);
    if (explains(nonfinite)) return says("not finite", nonfinite);
    if (explains(subnormal)) return says("subnormal", subnormal);
    WrongWhere where;
    if (const std::string numbers = special_numbers(operand, output, where); !numbers.empty() && explains(where))
      return says((numbers.find(',') != std::string::npos ? "one of " : "") + numbers, where);
  }
  return std::nullopt;
}

ASSAY_DETAIL_HEADER_INLINE std::optional<Diagnosis> by_zeros_due(const FailingOutput& output) {
  if (!output.format.is_float()) return std::nullopt;
  const double smallest = std::ldexp(1.0, output.format.layout.min_exponent());
  WrongWhere zero;
  for (std::size_t i = 0; i < output.size(); ++i) {
    const bool due = output.expected[i] == 0;
    if (output.violated[i] && !(due && output.actual[i] != 0 && std::fabs(output.actual[i]) < smallest))
      return std::nullopt;
    zero.with += due ? 1 : 0;
    zero.wrong += output.violated[i];
  }
  const bool few = zero.wrong < 4 && zero.with == output.size();
  if (zero.wrong == 0 || few || 10 * zero.wrong < 9 * zero.with) return std::nullopt;
  return Diagnosis{FaultClass::special_value,
                   "zeros_lost",
                   Confidence::likely,
                   {"all " + std::to_string(zero.wrong) + " wrong elements of " + output.name +
                    " are subnormal numbers where 0 is due, as it is in " + std::to_string(zero.with) + " of " +
                    std::to_string(output.size()) + " places"},
                   {}};
}

}  // namespace assay::inline v0::detail
