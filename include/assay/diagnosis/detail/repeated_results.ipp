#pragma once

#include "assay/diagnosis/detail/repeated_results.hpp"

#include <cmath>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE Multiple::Multiple(const FailingOutput& output, std::size_t element, double times) {
  const double expected = output.expected[element], due = times * expected,
               allowed = 2 * times * static_cast<double>(output.error[element]) +
                         2 * output.format.unit_roundoff() * std::fabs(due) + output.format.min_subnormal();
  fits = std::fabs(output.actual[element] - due) <= allowed;
  told = std::fabs(due - expected) > 8 * allowed;
}

ASSAY_DETAIL_HEADER_INLINE bool MultipliedResults::take(const FailingOutput& output) {
  if (!output.format.is_float()) return false;
  const double least = std::ldexp(1.0, output.format.layout.min_exponent());
  for (std::size_t i = 0; i < output.size(); ++i) {
    const double expected = output.expected[i], actual = output.actual[i], error = static_cast<double>(output.error[i]);
    if (!output.violated[i]) {
      right_ += std::fabs(expected) > 32 * error && std::fabs(expected) >= least ? 1 : 0;
      continue;
    }
    if (!is_finite(expected) || !is_finite(actual) || expected == 0) return false;
    if (times_ == 0) times_ = static_cast<int>(std::nearbyint(std::fmin(8, actual / expected)));
    if (times_ < 2 || times_ > 4) return false;
    const Multiple multiple(output, i, times_);
    if (!multiple.fits) return false;
    told_ += multiple.told ? 1 : 0;
    if (std::fabs(expected) >= least) ((std::ilogb(expected) & 1) != 0 ? odd_ : even_) += 1;
    ++wrong_;
  }
  return true;
}

ASSAY_DETAIL_HEADER_INLINE std::optional<Diagnosis> by_multiplied(const FailingOutput& output,
                                                                  const FailingOutput* of_irregular_data) {
  MultipliedResults found;
  if (!found.take(output)) return std::nullopt;
  const std::size_t wrong = found.wrong();
  if ((of_irregular_data != nullptr && !found.take(*of_irregular_data)) || !found.convincing()) return std::nullopt;
  return Diagnosis{FaultClass::repeated_work,
                   "added_repeatedly",
                   of_irregular_data != nullptr ? Confidence::likely : Confidence::possible,
                   {"all " + std::to_string(wrong) + " wrong elements of " + output.name + " are " +
                    std::to_string(found.times()) + " times what they should be, as if they had been added so often"},
                   {}};
}

ASSAY_DETAIL_HEADER_INLINE std::optional<Diagnosis> by_idle_threads(const FailingOutput& output) {
  const std::size_t size = output.size();
  if (size < 2 || output.violations != 1 || !output.format.is_float()) return std::nullopt;
  for (std::size_t threads = 8; threads <= 256; threads *= 2) {
    const auto times = static_cast<double>((threads - size % threads) % threads + 1);
    const Multiple multiple(output, size - 1, times);
    if (times > 1 && multiple.fits && multiple.told)
      return Diagnosis{FaultClass::repeated_work,
                       "idle_threads_add",
                       Confidence::likely,
                       {"the last element of " + output.name + ", and no other, is " +
                        std::to_string(static_cast<int>(times)) + " times what it should be: so many of " +
                        std::to_string(threads) + " threads have no element of their own, but that one"},
                       {}};
  }
  return std::nullopt;
}

ASSAY_DETAIL_HEADER_INLINE std::optional<Diagnosis> SecondPass::explanation() const {
  if (!given_.look || output_.violations < 4 || !output_.format.is_float()) return std::nullopt;
  int updated = -1;
  for (std::size_t i = 0; i < given_.specs.size(); ++i) {
    const OperandSpec& spec = given_.specs[i];
    if (!spec.present) continue;
    if (spec.role == OperandRole::updated && updated < 0) updated = static_cast<int>(i);
    if (spec.role != OperandRole::input || spec.extents != output_.extents || !spec.format.is_float()) continue;
    ChangedOperands changed(given_.before);
    const Operand& operand = changed.own(static_cast<int>(i));
    for (std::size_t e = 0; e < output_.size(); ++e) operand.store(static_cast<Index>(e), output_.right(e));
    if (explained_by(changed.array(), given_.before[static_cast<int>(i)])) return diagnosis("its input " + spec.name);
  }
  if (updated < 0) return std::nullopt;
  ChangedOperands changed(given_.before);
  write_right_answers(given_, changed);
  return explained_by(changed.array(), given_.before[updated]) ? std::optional(diagnosis("what it updates"))
                                                               : std::nullopt;
}

ASSAY_DETAIL_HEADER_INLINE bool SecondPass::explained_by(const OperandArray& changed, const Operand& original) const {
  const std::vector<FailingOutput> looked = given_.look(changed, given_.after);
  if (number_ >= looked.size() || looked[number_].size() != output_.size()) return false;
  const FailingOutput& second = looked[number_];
  std::size_t told = 0, copied = 0;
  for (std::size_t i = 0; i < output_.size(); ++i) {
    if (!output_.violated[i]) continue;
    if (second.violated[i]) return false;
    told += is_finite(second.expected[i]) && second.expected[i] != 0 ? 1 : 0;
    copied +=
        static_cast<Index>(i) < original.size() && original.load(static_cast<Index>(i)) == output_.actual[i] ? 1 : 0;
  }
  return told >= 4 && 2 * told > output_.violations && 2 * copied < output_.violations;
}

ASSAY_DETAIL_HEADER_INLINE Diagnosis SecondPass::diagnosis(const std::string& what) const {
  return {FaultClass::repeated_work,
          "done_twice",
          Confidence::likely,
          {"all " + std::to_string(output_.violations) + " wrong elements of " + output_.name +
           " are right for a kernel that finds its own results in " + what +
           ": the work was done once more on what had come of it"},
          {}};
}

}  // namespace assay::inline v0::detail
