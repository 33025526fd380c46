#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/diagnosis.hpp"
#include "assay/validators/diagnosis/detail/evidence.hpp"
#include "assay/validators/diagnosis/diagnosed_case.hpp"

namespace assay::inline v0::detail {

/// How many wrong elements are exactly twice, or another whole multiple of, what they should be: all that are wrong, or 0. A bit of the exponent that is stuck
/// doubles numbers of every other binade only, and halves of a sum that are lost double regular data only: the multiple is not told from those where
/// all wrong elements share the exponent's last bit.
struct Multiplied {
  std::size_t elements = 0;
  std::size_t right = 0;  ///< that would be wrong if they were multiplied, too
  int times = 0;
};
[[nodiscard]] inline Multiplied multiplied(const FailingOutput& output) {
  constexpr std::size_t least_elements = 4;
  if (output.violations < least_elements || !output.format.is_float()) return {};
  const double slack = 2 * output.format.unit_roundoff(), least = std::ldexp(1.0, output.format.layout.min_exponent());
  Multiplied found;
  std::size_t told = 0, even = 0, odd = 0;
  for (std::size_t i = 0; i < output.size(); ++i) {
    const double expected = output.expected[i], actual = output.actual[i], error = static_cast<double>(output.error[i]);
    if (!output.violated[i]) {
      found.right += std::fabs(expected) > 32 * error && std::fabs(expected) >= least ? 1 : 0;
      continue;
    }
    if (!is_finite(expected) || !is_finite(actual) || expected == 0) return {};
    if (found.times == 0) found.times = static_cast<int>(std::nearbyint(std::fmin(8, actual / expected)));
    if (found.times < 2 || found.times > 4) return {};
    const double due = found.times * expected, allowed = 2 * found.times * error + slack * std::fabs(due) + output.format.min_subnormal();
    if (!(std::fabs(actual - due) <= allowed)) return {};
    told += std::fabs(due - expected) > 8 * allowed ? 1 : 0;
    if (std::fabs(expected) >= least) ((std::ilogb(expected) & 1) != 0 ? odd : even) += 1;
    ++found.elements;
  }
  return 2 * told > found.elements && even > 0 && odd > 0 ? found : Multiplied{};
}

/// Elements that are a whole multiple of what they should be, among others that are right, whatever the data: their results were added more than once.
[[nodiscard]] inline std::optional<Diagnosis> by_multiplied(const FailingOutput& output, const FailingOutput* of_irregular_data) {
  const Multiplied found = multiplied(output);
  if (found.elements == 0 || 16 * found.right < found.elements) return std::nullopt;
  if (of_irregular_data != nullptr && of_irregular_data->violations > 0 && multiplied(*of_irregular_data).times != found.times)
    return std::nullopt;
  return Diagnosis{FaultClass::repeated_work,
                   "added_repeatedly",
                   of_irregular_data != nullptr ? Confidence::likely : Confidence::possible,
                   {"all " + std::to_string(found.elements) + " wrong elements of " + output.name + " are " + std::to_string(found.times) +
                    " times what they should be, as if they had been added so often"},
                   {}};
}

/// Whether wrong elements are right for a kernel that was given right results for one of its inputs: it ran once more on what it had made. Costs one look for every operand of
/// the output's form, and one for all that are updated in place.
class SecondPass {
 public:
  SecondPass(const DiagnosedCase& given, std::size_t number) : given_(given), output_(given.outputs[number]), number_(number) {}

  [[nodiscard]] std::optional<Diagnosis> explanation() const {
    if (!given_.look || output_.violations < 4 || !output_.format.is_float()) return std::nullopt;
    std::vector<int> updated;
    for (std::size_t i = 0; i < given_.specs.size(); ++i) {
      const OperandSpec& spec = given_.specs[i];
      if (!spec.present || spec.role == OperandRole::output) continue;
      if (spec.role != OperandRole::input)
        updated.push_back(static_cast<int>(i));
      else if (spec.extents == output_.extents && spec.format.is_float() && explained_by({static_cast<int>(i)}))
        return diagnosis("its input " + spec.name);
    }
    if (!updated.empty() && explained_by(updated)) return diagnosis("what it updates");
    return std::nullopt;
  }

 private:
  /// Every wrong element is what is due for the changed operands, which differs from what was due and from what they were.
  [[nodiscard]] bool explained_by(const std::vector<int>& positions) const {
    ChangedOperands changed(given_.before);
    for (const int position : positions) {
      const FailingOutput* results = &output_;
      if (given_.specs[static_cast<std::size_t>(position)].role != OperandRole::input)
        for (const FailingOutput& other : given_.outputs)
          if (other.name == given_.specs[static_cast<std::size_t>(position)].name) results = &other;
      const Operand& operand = changed.own(position);
      if (static_cast<std::size_t>(operand.size()) != results->size()) return false;
      for (std::size_t i = 0; i < results->size(); ++i) operand.store(static_cast<Index>(i), results->right(i));
    }
    const std::vector<FailingOutput> looked = given_.look(changed.array(), given_.after);
    if (number_ >= looked.size() || looked[number_].size() != output_.size()) return false;
    const FailingOutput& second = looked[number_];
    const Operand& input = given_.before[positions.front()];
    std::size_t told = 0, copied = 0;
    for (std::size_t i = 0; i < output_.size(); ++i) {
      if (!output_.violated[i]) continue;
      if (second.violated[i]) return false;
      told += is_finite(second.expected[i]) && second.expected[i] != 0 ? 1 : 0;
      copied += static_cast<Index>(i) < input.size() && input.load(static_cast<Index>(i)) == output_.actual[i] ? 1 : 0;
    }
    return told >= 4 && 2 * told > output_.violations && 2 * copied < output_.violations;
  }
  [[nodiscard]] Diagnosis diagnosis(const std::string& what) const {
    return {FaultClass::repeated_work,
            "done_twice",
            Confidence::likely,
            {"all " + std::to_string(output_.violations) + " wrong elements of " + output_.name +
             " are right for a kernel that finds its own results in " + what + ": the work was done once more on what had come of it"},
            {}};
  }

  const DiagnosedCase& given_;
  const FailingOutput& output_;
  std::size_t number_;
};

}  // namespace assay::inline v0::detail
