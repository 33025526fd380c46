#pragma once

#include "assay/diagnosis/detail/relaunches.hpp"

#include <chrono>
#include <cmath>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE std::optional<Diagnosis> Relaunches::explanation() {
  const auto started = std::chrono::steady_clock::now();
  const std::vector<FailingOutput> first = launch(case_.before, Surroundings::small);
  if (first.empty()) return std::nullopt;
  if (std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count() > seconds_ / 8)
    return beside_first_run(first);
  std::vector<FailingOutput> second;
  for (int repetition = 0; repetition < 4; ++repetition) {  // a race of few elements may be lost twice by the same ones
    second = launch(case_.before, Surroundings::small);
    if (const std::size_t count = differences(first, second))
      return state(std::to_string(count) +
                   " wrong elements are others when the launch is repeated with the same operands");
    if (std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count() > seconds_ / 8) break;
  }
  ChangedOperands irregular(case_.before);
  make_irregular(case_, irregular);
  for (const OperandArray* data : {&case_.before, &std::as_const(irregular).array()}) {
    if (data != &case_.before) {  // twice, for what the launch before left
      static_cast<void>(launch(*data, Surroundings::small));
      second = launch(*data, Surroundings::small);
    }
    if (const std::size_t count = differences(second, launch(*data, Surroundings::large));
        count > 0 && differences(first, launch(case_.before, Surroundings::small)) == 0)
      return Diagnosis{
          FaultClass::memory,
          "reads_beyond_operands",
          Confidence::likely,
          {std::to_string(count) + " elements change with what lies before and behind the operands in memory, and with "
                                   "nothing else: the kernel reads beyond them"},
          {}};
  }
  if (auto differs = beside_first_run(first)) return differs;
  static_cast<void>(launch(other_data(), Surroundings::small));
  if (const std::size_t count = differences(first, launch(case_.before, Surroundings::small)))
    return state(std::to_string(count) +
                 " wrong elements are others after a launch on other data: they depend on what ran before");
  const std::vector<FailingOutput> zeroed = launch(case_.before, Surroundings::small, FormerOutputs::zeros);
  if (auto multiplied = output_times_zero(first, zeroed)) return multiplied;
  if (const std::size_t count = differences(first, zeroed))
    return Diagnosis{FaultClass::memory,
                     "former_output_used",
                     Confidence::likely,
                     {std::to_string(count) +
                      " wrong elements change with what the output held before the launch, and with nothing else: "
                      "it is added to, or not written in whole"},
                     {}};
  return std::nullopt;
}

ASSAY_DETAIL_HEADER_INLINE std::optional<Diagnosis> Relaunches::output_times_zero(
    const std::vector<FailingOutput>& poisoned, const std::vector<FailingOutput>& zeroed) const {
  const std::vector<FailingOutput> large = launch(case_.before, Surroundings::small, FormerOutputs::large);
  std::size_t wrong = 0, multiplied = 0;
  for (std::size_t o = 0; o < poisoned.size() && o < zeroed.size() && o < large.size(); ++o)
    for (std::size_t i = 0; i < poisoned[o].size() && i < zeroed[o].size() && i < large[o].size(); ++i) {
      if (!poisoned[o].violated[i] || (zeroed[o].violated[i] == 0 && zeroed[o].actual[i] == 0))
        continue;  // of a 0 one cannot tell who wrote it
      ++wrong;
      multiplied += is_nan(poisoned[o].actual[i]) && zeroed[o].violated[i] == 0 && large[o].violated[i] == 0 ? 1 : 0;
    }
  if (wrong == 0 || 10 * multiplied < 9 * wrong) return std::nullopt;
  return Diagnosis{
      FaultClass::special_value,
      "former_output_times_zero",
      Confidence::certain,
      {std::to_string(multiplied) + " of " + std::to_string(wrong) +
       " wrong elements are NaN where the output held NaN before the launch, and right where it held numbers: it is "
       "read and multiplied by 0, as beta*C is for beta = 0, where it is to be left alone"},
      {}};
}

ASSAY_DETAIL_HEADER_INLINE std::optional<Diagnosis> Relaunches::beside_first_run(
    const std::vector<FailingOutput>& again) {
  const std::size_t count = differences(case_.outputs, again);
  if (count == 0) return std::nullopt;
  if (gaps()) return ignored_strides(again);
  return state(std::to_string(count) +
               " elements are wrong in one of two runs on the same data, and right or other numbers in the other");
}

ASSAY_DETAIL_HEADER_INLINE std::optional<Diagnosis> Relaunches::ignored_strides(
    const std::vector<FailingOutput>& contiguous) {
  constexpr double slight = 0x1p-5;  // of an element
  std::size_t mended = 0, far_off = 0, wrong = 0;
  for (std::size_t o = 0; o < case_.outputs.size() && o < contiguous.size(); ++o)
    for (std::size_t i = 0; i < case_.outputs[o].size() && i < contiguous[o].size(); ++i) {
      const double actual = case_.outputs[o].actual[i], expected = case_.outputs[o].right(i);
      if (contiguous[o].violated[i]) {
        ++wrong;
      } else if (case_.outputs[o].violated[i]) {
        ++mended;
        far_off += !is_nan(expected) && !(std::fabs(actual - expected) <= slight * std::fabs(expected)) ? 1 : 0;
      }
    }
  evidence_of_layout_ = std::to_string(mended) +
                        " elements that are wrong here are right where rows lie without gaps between them, and " +
                        std::to_string(wrong) + " are wrong there";
  if (2 * far_off < mended || 16 * wrong > mended || mended < 2) return std::nullopt;
  return Diagnosis{FaultClass::addressing, "strides_ignored", Confidence::likely, {evidence_of_layout_}, {}};
}

ASSAY_DETAIL_HEADER_INLINE std::size_t Relaunches::differences(const std::vector<FailingOutput>& one,
                                                               const std::vector<FailingOutput>& other) {
  std::size_t differing = 0;
  for (std::size_t o = 0; o < one.size() && o < other.size(); ++o)
    for (std::size_t i = 0; i < one[o].size() && i < other[o].size(); ++i) {
      if (one[o].violated[i] != other[o].violated[i]) {
        ++differing;
      } else if (one[o].violated[i] != 0) {
        const double a = one[o].actual[i], b = other[o].actual[i];
        const bool numbers = is_finite(a) && is_finite(b);
        const double noise =
            !one[o].format.is_float()
                ? 0
                : 4 * (static_cast<double>(one[o].error[i]) + one[o].format.unit_in_last_place(numbers ? a : 1));
        differing += numbers ? std::fabs(a - b) > noise : is_nan(a) != is_nan(b) || (!is_nan(a) && a != b);
      }
    }
  return differing;
}

ASSAY_DETAIL_HEADER_INLINE bool Relaunches::gaps() const {
  for (std::size_t i = 0; i < case_.specs.size(); ++i) {
    const Operand& operand = case_.before[static_cast<int>(i)];
    if (case_.specs[i].present && operand.rank >= 2 &&
        operand.strides[operand.rank - 2] != operand.extents[operand.rank - 1] * operand.strides[operand.rank - 1])
      return true;
  }
  return false;
}

ASSAY_DETAIL_HEADER_INLINE const OperandArray& Relaunches::other_data() {
  other_.emplace(case_.before);
  for (const int position : float_inputs(case_)) {
    const Operand& operand = other_->own(position);
    for (Index element = 0; element < operand.size(); ++element)
      operand.store(element, 1.5 * case_.before[position].load(operand.size() - 1 - element));
  }
  return other_->array();
}

}  // namespace assay::inline v0::detail
