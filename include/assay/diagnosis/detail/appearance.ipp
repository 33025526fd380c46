#pragma once

#include "assay/diagnosis/detail/appearance.hpp"

#include <algorithm>
#include <cmath>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

/// Whether all violations lie in the second half, and all of it holds one number.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE bool second_half_holds(const FailingOutput& output, double number) {
  for (std::size_t i = 0; 2 * i < output.size(); ++i)
    if (output.violated[i]) return false;
  for (std::size_t i = (output.size() + 1) / 2; i < output.size(); ++i)
    if (!(output.actual[i] == number) && !(is_nan(output.actual[i]) && is_nan(number))) return false;
  return output.size() >= 4;
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE Diagnosis not_awaited(const FailingOutput& output) {
  return {FaultClass::state,
          "output_not_awaited",
          Confidence::likely,
          {"the second half of " + output.name +
           ", and nothing else, holds what stood there before the launch: the kernel returned before it was written"},
          {}};
}

ASSAY_DETAIL_HEADER_INLINE std::optional<Diagnosis> by_former_contents(const DiagnosedCase& given,
                                                                       const FailingOutput& output) {
  for (std::size_t position = 0; position < given.specs.size(); ++position) {
    if (given.specs[position].role != OperandRole::updated || !given.specs[position].present ||
        given.specs[position].name != output.name)
      continue;
    const Operand& before = given.before[static_cast<int>(position)];
    if (before.size() != static_cast<Index>(output.size())) return std::nullopt;
    std::size_t informative = 0;
    std::vector<std::optional<bool>> written(output.size());
    for (std::size_t i = 0; i < output.size(); ++i) {
      const double former = before.load(static_cast<Index>(i));
      if (!(former == output.actual[i])) {
        if (output.violated[i]) return std::nullopt;
        written[i] = true;
      } else if (output.violated[i]) {
        written[i] = false;
        informative += former != 0 ? 1 : 0;
      }
    }
    if (informative < 2 || output.violations == output.size()) return std::nullopt;
    if (auto lattice = by_lattice_of_written(output, written)) return lattice;
    const auto kept = [&](std::size_t i) { return before.load(static_cast<Index>(i)) == output.actual[i]; };
    if (second_half(output, kept)) return not_awaited(output);
    return Diagnosis{FaultClass::memory,
                     "unwritten_output",
                     Confidence::likely,
                     {"every wrong element of " + output.name + " holds what stood there before the launch"},
                     {}};
  }
  return std::nullopt;
}

ASSAY_DETAIL_HEADER_INLINE Diagnosis by_unwritten(const DiagnosedCase& given,
                                                  const std::vector<FailingOutput>& irregular) {
  const auto with_findings = [&](Diagnosis diagnosis) {
    for (const std::string& finding : given.memory_findings) diagnosis.evidence.push_back(finding);
    if (diagnosis.confidence == Confidence::certain) diagnosis.confidence = Confidence::likely;
    return diagnosis;
  };
  const auto written_places = [](const FailingOutput& output) {
    const std::vector<std::uint8_t> unwritten = unwritten_elements(output);
    std::vector<std::optional<bool>> written(output.size());
    for (std::size_t i = 0; i < output.size(); ++i)
      if (unwritten[i] || !is_nan(output.expected[i])) written[i] = !unwritten[i];
    return written;
  };
  for (const FailingOutput& output : given.outputs) {
    if (output.violations == 0) continue;
    if (second_half_holds(output, output.actual.back())) return with_findings(not_awaited(output));
    if (auto lattice = by_lattice_of_written(output, written_places(output))) return with_findings(std::move(*lattice));
  }
  for (const std::vector<FailingOutput>* outputs : {&given.outputs, &irregular})
    for (const FailingOutput& output : *outputs) {
      FailingOutput written = output;
      const std::vector<std::uint8_t> unwritten = unwritten_elements(output);
      for (std::size_t i = 0; i < written.size(); ++i)
        if (unwritten[i]) written.violated[i] = 0, --written.violations;
      if (written.violations == 0) continue;
      if (auto displaced = by_borrowed_places(written, true)) return with_findings(std::move(*displaced));
    }
  for (const FailingOutput& output : irregular.empty() ? given.outputs : irregular)
    if (auto ends = UnwrittenEnds(output, written_places(output), given.answer != nullptr).explanation())
      return with_findings(std::move(*ends));
  Diagnosis diagnosis{FaultClass::memory, "unwritten_output", Confidence::likely, given.memory_findings, {}};
  if (diagnosis.evidence.empty())
    diagnosis.evidence.push_back("wrong elements hold what stood there before the launch");
  return diagnosis;
}

ASSAY_DETAIL_HEADER_INLINE Diagnosis by_memory(const DiagnosedCase& given) {
  Diagnosis diagnosis{FaultClass::memory, "foreign_memory", Confidence::certain, given.memory_findings, {}};
  const std::string& first = given.memory_findings.front();
  if (first.find("was modified") != std::string::npos) {
    diagnosis.kind = "input_modified";
  } else if (first.find("strides") != std::string::npos) {
    diagnosis.kind = "strides_ignored";
  } else if (first.find("canary") != std::string::npos || first.find("beside") != std::string::npos) {
    diagnosis.kind = "overrun";
  }
  return diagnosis;
}

/// Right values of other places keep the variance of right ones and lose the covariance with them; terms left out
/// lessen both alike.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::optional<Diagnosis> by_moments(const FailingOutput& output) {
  double count = 0, actual = 0, expected = 0, squared_actual = 0, squared = 0, product = 0;
  const auto each = [&](auto&& visit) {
    for (std::size_t i = 0; i < output.size(); ++i)
      if (output.violated[i] && is_finite(output.actual[i]) && is_finite(output.expected[i]))
        visit(output.actual[i], output.expected[i]);
  };
  each([&](double a, double e) { ++count, actual += a, expected += e; });
  if (count < 16) return std::nullopt;
  actual /= count, expected /= count;
  each([&](double a, double e) {
    squared_actual += (a - actual) * (a - actual), squared += (e - expected) * (e - expected),
        product += (a - actual) * (e - expected);
  });
  if (!(squared > 0) || !is_finite(squared) || !is_finite(squared_actual)) return std::nullopt;
  const double variance = squared_actual / squared, covariance = product / squared,
               shift = std::fabs(actual - expected) / std::sqrt(squared / count);
  const bool other_order = std::fabs(variance - 1) <= std::min(0.35, 4 / std::sqrt(count) + 0.1) && shift <= 0.5 &&
                           covariance <= std::min(0.8, variance - 0.15),
             unrelated = variance >= 0.5 && variance <= 2 && shift <= 0.7 && covariance < 0.45 * std::sqrt(variance);
  if (!other_order && !unrelated) return std::nullopt;
  const auto fixed = [](double value) { return printed_number(value, 2, std::chars_format::fixed); };
  const std::string text = "wrong elements have " + fixed(variance) +
                           " times the variance of right ones, and a covariance with them of " + fixed(covariance) +
                           " times that, as right values of other places have";
  return Diagnosis{FaultClass::addressing, "values_of_other_places", Confidence::possible, {text}, {}};
}

ASSAY_DETAIL_HEADER_INLINE std::optional<SmallResults> small_results(const FailingOutput& output) {
  if (!output.format.is_float() || output.violations == 0) return std::nullopt;
  const double smallest = std::ldexp(1.0, output.format.layout.min_exponent());
  SmallResults small;
  for (std::size_t i = 0; i < output.size(); ++i)
    if (output.violated[i]) {
      if (!is_finite(output.actual[i]) || !is_finite(output.expected[i])) return std::nullopt;
      small.limit = std::max({small.limit, std::fabs(output.actual[i]), std::fabs(output.expected[i])});
    }
  if (small.limit >= std::min(0x1p30 * smallest, std::sqrt(smallest))) return std::nullopt;
  for (std::size_t i = 0; i < output.size(); ++i) {
    const double due = std::fabs(output.expected[i]);
    if (due == 0 && !output.violated[i]) continue;
    ++small.places;
    small.due += due <= small.limit ? 1 : 0;
  }
  const double rarity = std::log2(static_cast<double>(small.places) / static_cast<double>(small.due));
  return static_cast<double>(output.violations) * rarity >= 4 ? std::optional(small) : std::nullopt;
}

ASSAY_DETAIL_HEADER_INLINE Diagnosis by_appearance(const FailingOutput& output, const FailureSizes& sizes,
                                                   const FailurePlaces& places, const Arithmetic& arithmetic,
                                                   bool terms_are_right, bool tells_places, DataTell data) {
  using enum FaultClass;
  Diagnosis diagnosis;
  const auto say = [&](FaultClass fault_class, const std::string& kind, Confidence confidence,
                       const std::string& sentence) {
    diagnosis.fault_class = fault_class;
    diagnosis.kind = kind;
    diagnosis.confidence = confidence;
    diagnosis.evidence.push_back(sentence);
    for (const std::string& place : places.sentences) diagnosis.evidence.push_back(place);
    return diagnosis;
  };
  const auto number = [](double value) { return printed_number(value, 3); };
  const std::size_t special = sizes.violations - sizes.finite, nan = sizes.nan_unexpected + sizes.nan_missing;
  const double share =
      sizes.elements > 0 ? static_cast<double>(sizes.violations) / static_cast<double>(sizes.elements) : 0;
  std::size_t same_number = 0;
  for (std::size_t i = 0; i < output.size(); ++i)
    if (output.violated[i])
      same_number +=
          output.actual[i] == output.expected[i] || (is_nan(output.actual[i]) && is_nan(output.expected[i])) ? 1 : 0;
  if (same_number > 0 && same_number == sizes.violations)
    return say(special_value, "bits_of_equal_numbers",
               output.violations >= 4 ? Confidence::certain : Confidence::likely,
               "every wrong element is the right number with other bits: the sign of zero, or what a NaN carries");
  if (data == DataTell::size_fail)
    return say(precision, "intermediate_overflow", Confidence::likely,
               std::to_string(special) + " of " + std::to_string(sizes.violations) +
                   " violations are NaN or infinite where numbers are due; no input is, and on smaller ones the kernel "
                   "is right: a number on "
                   "the way leaves its format");
  if (special > 0 && 2 * special >= sizes.violations && data != DataTell::all_fail)
    return say(special_value,
               nan > 0                      ? (sizes.nan_missing > 0 ? "nan_lost" : "nan_unexpected")
               : sizes.infinity_missing > 0 ? "infinity_lost"
                                            : "overflow",
               Confidence::likely,
               std::to_string(special) + " of " + std::to_string(sizes.violations) +
                   " violations are NaN or infinite where that is not due, or the reverse");
  const double poison = output.format.decode(0xA5A5A5A5A5A5A5A5u >> (64 - 8 * output.format.bytes));
  std::size_t poisoned = 0;
  for (std::size_t i = 0; i < output.size(); ++i)
    if (output.violated[i] && output.actual[i] == poison) ++poisoned;
  if (poisoned > 0 && poisoned == sizes.violations && 2 * poisoned > output.size() / 2 &&
      second_half_holds(output, poison)) {
    const Diagnosis half = not_awaited(output);
    return say(half.fault_class, half.kind, half.confidence, half.evidence.front());
  }
  if (poisoned > 0 && poisoned == sizes.violations)
    return say(memory, "unwritten_output", Confidence::likely,
               "every wrong element holds what stood there before the launch");
  if (!output.format.is_float() && sizes.zeros == sizes.violations && sizes.violations >= 4 && places.density > 0.9 &&
      share < 0.5)
    return say(missing_work, "elements_left_zero", Confidence::likely,
               "every wrong element is 0, and they stand together");
  const bool indices =
      !output.format.is_float() && ((tells_places && output.format.bytes >= 4) || output.format.wide_integer ||
                                    output.name.find("ind") != std::string::npos);
  if (indices && ((sizes.elements >= 6 && sizes.violations == 1) || 10 * sizes.violations <= sizes.elements))
    return say(state, "few_indices", Confidence::possible,
               std::to_string(sizes.violations) + " of " + std::to_string(sizes.elements) +
                   " indices name other elements: fewer than of a kernel that counts them wrongly");
  if (!output.format.is_float() && data == DataTell::special_fail)
    return say(
        special_value, "special_input", Confidence::possible,
        "inputs have NaN, infinities, or very large or small numbers, and on data without them the kernel is right");
  if (indices)
    return say(addressing, "wrong_indices", Confidence::possible,
               number(100 * share) + " % of the indices name other elements");
  const double unit = std::max(output.format.unit_roundoff(), arithmetic.unit_roundoff());
  std::size_t near = 0;
  for (std::size_t i = 0; i < output.size(); ++i)
    if (output.violated[i] && is_finite(output.actual[i]) && is_finite(output.expected[i]))
      near += std::fabs(output.actual[i] - output.expected[i]) <=
                      static_cast<double>(output.error[i]) + output.format.unit_in_last_place(output.expected[i])
                  ? 1
                  : 0;
  const double one_place = sizes.violations > 0 ? static_cast<double>(near) / static_cast<double>(sizes.violations) : 0;
  const double smallest = output.format.is_float() ? std::ldexp(1.0, output.format.layout.min_exponent()) : 0;
  std::size_t normal = 0;  // and right
  for (std::size_t i = 0; i < output.size(); ++i)
    normal += !output.violated[i] && std::fabs(output.expected[i]) >= smallest ? 1 : 0;
  const bool misrounded =
      one_place > 0.99 && 2 * sizes.zeros < sizes.violations && normal < sizes.violations;  // rather than flushed
  if (sizes.subnormal_expected == sizes.violations && data != DataTell::all_fail && !misrounded)
    return say(special_value, "subnormals", Confidence::likely, "every wrong element is, or should be, subnormal");
  if (const auto small = small_results(output); small && data != DataTell::all_fail && !misrounded)
    return say(special_value, sizes.zeros == sizes.violations ? "small_results_flushed" : "small_results",
               Confidence::likely,
               (sizes.zeros == sizes.violations ? "every wrong element is 0, where no more than "
                                                : "no wrong element is, or should be, larger than ") +
                   number(small->limit) + (sizes.zeros == sizes.violations ? " is due" : "") + ", as in " +
                   std::to_string(small->due) + " of " + std::to_string(small->places) + " places");
  if (sizes.zeros == sizes.violations && data == DataTell::special_fail)
    return say(special_value, "underflow", Confidence::likely,
               "every wrong element is 0, inputs have very large or small numbers, and on data without them the kernel "
               "is right");
  if (sizes.zeros == sizes.violations)
    return say(missing_work, "elements_left_zero", Confidence::likely, "every wrong element is 0");
  const double limit = terms_are_right ? 0.25 : 0.02;
  const bool narrow =
      2 * sizes.finite > sizes.violations && sizes.median_relative < limit && sizes.rms_over_scale < limit;
  const double inward = sizes.finite > 0 ? static_cast<double>(sizes.inward) / static_cast<double>(sizes.finite) : 0;
  if (narrow && sizes.violations >= 16 && inward > 0.97 && one_place > 0.99 && sizes.median_relative < 4 * unit)
    return say(rounding, "biased_rounding", Confidence::likely,
               number(100 * inward) +
                   " % of the wrong elements are nearer to 0 than they should be, by half a place at the median");
  // a place, of how far wrong elements are off: even between 1/2 and 1 where a right sum is wrongly rounded, little
  // where a sum is a little wrong
  double beyond_half = 0;
  for (std::size_t i = 0; i < output.size(); ++i)
    if (output.violated[i] && is_finite(output.actual[i]) && is_finite(output.expected[i]))
      beyond_half +=
          std::fabs(output.actual[i] - output.expected[i]) / output.format.unit_in_last_place(output.expected[i]) - 0.5;
  const bool far_beyond = sizes.finite < 6 || beyond_half > 0.15 * static_cast<double>(sizes.finite);
  if (far_beyond && one_place > 0.99 && sizes.violations >= 2 &&
      output.format.unit_roundoff() > 4 * arithmetic.unit_roundoff())
    return say(
        rounding, "neighbor_of_right_number", Confidence::likely,
        "every wrong element is the number before or behind the right one: the sums are right, and wrongly rounded");
  if (narrow)
    return say(precision, "narrow_arithmetic",
               places.density > 0.05 && share > 0.02 ? Confidence::likely : Confidence::possible,
               "the wrong elements, " + number(100 * share) + " %, are off by " + number(sizes.median_relative) +
                   " of their size at the median, to either side");
  if (data == DataTell::special_fail)
    return say(
        special_value, "special_input", Confidence::possible,
        "inputs have NaN, infinities, or very large or small numbers, and on data without them the kernel is right");
  if (sizes.violations == 1 && sizes.elements >= 3)
    return say(state, "single_element", Confidence::possible,
               "one element is off by " + number(sizes.median_relative) + " of its size, and all others are right");
  if (const auto moments = by_moments(output))
    return say(moments->fault_class, moments->kind, moments->confidence, moments->evidence.front());
  if (share < 0.05 && places.density < 0.5)
    return say(state, "few_elements", Confidence::possible,
               "the wrong elements, " + number(100 * share) + " %, stand apart, and are off by " +
                   number(sizes.median_relative) +
                   " of their size at the median: fewer than of a program that leaves something out");
  return say(missing_work, "wrong_values", Confidence::possible,
             "the wrong elements, " + number(100 * share) + " %, are off by " + number(sizes.median_relative) +
                 " of their size at the median");
}

ASSAY_DETAIL_HEADER_INLINE std::optional<Diagnosis> by_tile(const FailingOutput& output, const FailurePlaces& places) {
  const std::size_t rank = places.ranges.size();
  if (rank < 2 || places.density < 0.8 || output.violations < 16) return std::nullopt;
  for (std::size_t d = 0; d < rank; ++d) {
    const auto [first, last] = places.ranges[d];
    const Index size = last - first + 1, extent = output.extents[d];
    if (d + 2 < rank) {
      if (size != 1 && size != extent) return std::nullopt;
      continue;
    }
    bool fills = false;
    for (Index tile = 4; tile <= 256 && !fills; tile *= 2) {
      const Index begin = first / tile * tile, end = std::min(extent, begin + tile);
      fills = last < end && 4 * size >= 3 * (end - begin) && end - begin < extent;
    }
    if (!fills) return std::nullopt;
  }
  return Diagnosis{
      FaultClass::state,
      "stale_tile",
      Confidence::likely,
      {"the wrong elements fill one tile, and all others are right: what was there before, or another tile's work"},
      {}};
}

}  // namespace assay::inline v0::detail
