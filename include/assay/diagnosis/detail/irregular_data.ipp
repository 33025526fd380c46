#pragma once

#include "assay/diagnosis/detail/irregular_data.hpp"

#include <cmath>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE void make_irregular(const DiagnosedCase& given, ChangedOperands& changed, std::uint64_t seed,
                                               double largest) {
  for (const int position : float_inputs(given)) {
    const Operand& from = given.before[position];
    double sum = 0, count = 0;
    bool negative = false, positive = false;
    for (Index element = 0; element < from.size(); ++element) {
      const double value = from.load(element);
      if (!is_finite(value) || value == 0) continue;
      sum += std::log2(std::fabs(value)), ++count;
      (value < 0 ? negative : positive) = true;
    }
    double exponent =
        count > 0 ? sum / count : 0;  // a few places wide, so that sums are of all terms and nothing overflows
    exponent = exponent > largest ? largest : exponent < -6 ? -6 : exponent;
    const Operand& to = changed.own(position);
    for (Index element = 0; element < to.size(); ++element) {
      const std::uint64_t bits = splitmix64_finalize(static_cast<std::uint64_t>(element + 1) * 0x9E3779B97F4A7C15u +
                                                     static_cast<std::uint64_t>(position) + (seed << 32));
      const double magnitude = std::exp2(exponent + static_cast<double>(bits >> 40) * 0x1p-23 - 1);
      const bool minus = negative && (!positive || (bits & 1) != 0);
      to.store(element, minus ? -magnitude : magnitude);
    }
  }
}

ASSAY_DETAIL_HEADER_INLINE IrregularLaunch::IrregularLaunch(const DiagnosedCase& given, std::uint64_t seed,
                                                            double largest)
    : case_(given), changed_(given.before) {
  make_irregular(given, changed_, seed, largest);
  operands_.emplace(given.specs, changed_.array(), Surroundings::small);
  case_.before = changed_.array();
  case_.after = operands_->array();
  case_.own_explanation = nullptr;
  if (given.judge_any_data) case_.judge = given.judge_any_data;
  if (given.look_at_any_data) case_.look = given.look_at_any_data;
  case_.outputs =
      given.rerun(operands_->array()) ? case_.look(case_.before, case_.after) : std::vector<FailingOutput>();
  for (FailingOutput& output : case_.outputs) forgive_roundings(output);
}

ASSAY_DETAIL_HEADER_INLINE bool IrregularLaunch::normal_numbers_fail() const {
  for (const FailingOutput& output : case_.outputs)
    for (std::size_t i = 0; i < output.size(); ++i)
      if (output.violated[i] && is_finite(output.actual[i]) && is_finite(output.expected[i]) &&
          (!output.format.is_float() ||
           std::fabs(output.expected[i]) >= 2 * std::ldexp(1.0, output.format.layout.min_exponent())))
        return true;
  return false;
}

ASSAY_DETAIL_HEADER_INLINE void IrregularLaunch::forgive_roundings(FailingOutput& output) {
  output.violations = 0;
  for (std::size_t i = 0; i < output.size(); ++i) {
    const double actual = output.actual[i], expected = output.expected[i];
    const double most = 4 * (static_cast<double>(output.error[i]) +
                             output.format.unit_in_last_place(is_finite(expected) ? expected : 1));
    const bool right = !output.violated[i] || (output.format.is_float() && is_finite(actual) && is_finite(expected) &&
                                               std::fabs(actual - expected) <= most);
    output.violated[i] = right ? 0 : 1;
    output.violations += output.violated[i];
  }
}

ASSAY_DETAIL_HEADER_INLINE std::optional<FailingOutput> stacked_launches(const DiagnosedCase& given, std::size_t output,
                                                                         Index launches) {
  std::optional<FailingOutput> stacked;
  for (Index launch = 0; launch < launches; ++launch) {
    const IrregularLaunch one(given, static_cast<std::uint64_t>(launch));
    if (output >= one.outputs().size()) return std::nullopt;
    const FailingOutput& own = one.outputs()[output];
    if (!stacked) {
      stacked = own;
      stacked->extents = {launches, static_cast<Index>(own.size())};
      continue;
    }
    if (own.size() * static_cast<std::size_t>(launch) != stacked->size()) return std::nullopt;
    stacked->actual.insert(stacked->actual.end(), own.actual.begin(), own.actual.end());
    stacked->expected.insert(stacked->expected.end(), own.expected.begin(), own.expected.end());
    stacked->error.insert(stacked->error.end(), own.error.begin(), own.error.end());
    stacked->violated.insert(stacked->violated.end(), own.violated.begin(), own.violated.end());
    stacked->violations += own.violations;
  }
  return stacked;
}

}  // namespace assay::inline v0::detail
