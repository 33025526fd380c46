#pragma once

#include "assay/diagnosis/detail/output_transforms.hpp"

#include <algorithm>
#include <cmath>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE std::vector<Diagnosis> OutputTransforms::explanations() {
  using enum FaultClass;
  const ElementFormat& format = output_.format;
  if (output_.size() == 0) return {};
  if (attempt(special_value, "nan_lost", "has 0 where NaN is due",
              [&](double r) { return is_nan(r) ? 0 : format.round(r); }))
    return settled();
  if (format.is_float()) {
    const double least = std::ldexp(1.0, format.layout.min_exponent());
    if (attempt(special_value, "subnormals_flushed", "has 0 where subnormal numbers are due",
                [&](double r) { return std::fabs(format.round(r)) < least ? 0 : format.round(r); })) {
      if (output_.violations == output_.size())
        found_.back().confidence = Confidence::possible;  // 0 throughout has other causes
      return settled();
    }
  }
  if (only_infinities_fail(output_)) {
    attempt(special_value, "infinity_lost", "has 0 where an infinity is due",
            [&](double r) { return is_infinite(format.round(r)) ? 0 : format.round(r); });
    attempt(special_value, "infinity_negated", "has infinities of the other sign",
            [&](double r) { return is_infinite(format.round(r)) ? -format.round(r) : format.round(r); });
    if (!found_.empty()) return settled();
  }
  if (attempt(missing_work, "zeros", "is 0 throughout", [](double) { return 0.0; })) {
    if (!format.is_float()) found_.back().confidence = Confidence::possible;  // of indices, 0 is one like others
    return settled();
  }
  if (format.is_float()) {
    attempt(rounding, "truncated_output", "is rounded toward zero",
            [&](double r) { return format.round(r, Rounding::toward_zero); });
    attempt(rounding, "rounded_up", "is rounded toward plus infinity",
            [&](double r) { return format.round(r, Rounding::toward_positive); });
    attempt(rounding, "rounded_down", "is rounded toward minus infinity",
            [&](double r) { return format.round(r, Rounding::toward_negative); });
    attempt(rounding, "rounded_to_odd", "is rounded to odd", [&](double r) {
      const double cut = format.round(r, Rounding::toward_zero);
      return !is_finite(cut) || cut == r || cut == 0 ? format.round(r) : format.decode(format.encode(cut) | 1);
    });
    attempt(rounding, "ties_away", "has ties rounded away from zero",
            [&](double r) { return format.round(r, Rounding::nearest_away); });
    attempt(special_value, "saturated", "ends at the largest finite number where an infinity is due",
            [&](double r) { return is_nan(r) ? r : format.round(r, Rounding::nearest_even, Overflow::saturate); });
    attempt(special_value, "saturated", "ends at the largest finite number where an infinity is due", [&](double r) {
      return is_nan(r) ? r : std::clamp(format.round(r), -format.max_finite(), format.max_finite());
    });
    attempt(rounding, "rounded_away", "is rounded away from zero",
            [&](double r) { return format.round(r, r < 0 ? Rounding::toward_negative : Rounding::toward_positive); });
    for (const int bits : {1, 2, 3, 4}) {
      ElementFormat longer = format;
      longer.layout.fraction_bits += bits;
      attempt(rounding, "rounded_twice", "is rounded to " + std::to_string(bits) + " more bits first",
              [&](double r) { return format.round(longer.round(r)); });
    }
    const double nan = format.decode(format.layout.has_nan() ? format.layout.nan_bits() : 0);
    attempt(special_value, "nan_for_infinity", "is NaN where an infinity is due",
            [&](double r) { return is_infinite(format.round(r)) ? nan : format.round(r); });
    attempt(special_value, "nan_for_zero", "is NaN where zero is due",
            [&](double r) { return format.round(r) == 0 ? nan : format.round(r); });
  } else {
    attempt(rounding, "truncated_output", "is cut off to whole numbers",
            [&](double r) { return format.round(std::trunc(r)); });
    attempt(rounding, "rounded_down", "is rounded down to whole numbers",
            [&](double r) { return format.round(std::floor(r)); });
    attempt(rounding, "ties_away", "has ties rounded away from zero",
            [&](double r) { return format.round(std::round(r)); });
    const double range = std::ldexp(1, 8 * format.bytes), lowest = format.integers.is_signed ? -range / 2 : 0;
    attempt(special_value, "wrapped_around", "wraps around where it is to end at the largest number", [&](double r) {
      const double whole = std::nearbyint(r), within = std::fmod(whole - lowest, range);
      return is_finite(whole) ? (within < 0 ? within + range : within) + lowest : format.round(r);
    });
  }
  for (const ElementFormat& narrow :
       {element_format<bfloat16>(), element_format<float16>(), element_format<float32>()}) {
    if (format.is_float() && narrow.layout.precision() > format.layout.precision() + 13) continue;
    const bool narrower = format.is_float() && narrow.layout.precision() < format.layout.precision();
    if (narrow == format ||
        (format.is_float() && narrow.layout.precision() >= format.layout.precision() && narrow.bytes == format.bytes))
      continue;
    attempt(narrower ? precision : rounding,
            narrower ? std::string("narrowed_to_") + narrow.name : std::string("rounded_twice"),
            std::string(narrower ? "passes through " : "is rounded to ") + narrow.name + (narrower ? "" : " first"),
            [&](double r) { return format.round(narrow.round(r)); });
    if (narrower)
      attempt(precision, std::string("cut_off_to_") + narrow.name, std::string("is cut off to ") + narrow.name,
              [&](double r) { return format.round(narrow.round(r, Rounding::toward_zero)); });
  }
  if (found_.empty()) attempt_factors();
  return settled();
}

ASSAY_DETAIL_HEADER_INLINE std::vector<Diagnosis> OutputTransforms::settled() {
  bool unanimous = output_.size() >= 4;
  for (const Diagnosis& one : found_) unanimous = unanimous && one.fault_class == found_.front().fault_class;
  for (Diagnosis& one : found_)
    one.confidence = unanimous && one.confidence != Confidence::possible ? Confidence::certain : Confidence::likely;
  return std::move(found_);
}

ASSAY_DETAIL_HEADER_INLINE bool OutputTransforms::fits(std::size_t i,
                                                       const std::function<double(double)>& transform) const {
  const double actual = output_.actual[i], expected = output_.expected[i],
               error = static_cast<double>(output_.error[i]);
  const double middle = transform(expected);
  if (is_nan(actual)) return is_nan(middle);
  if (actual == middle) return true;
  if (!is_finite(expected)) return false;
  const double low = transform(expected - error), high = transform(expected + error);
  return std::min({low, middle, high}) <= actual && actual <= std::max({low, middle, high});
}

ASSAY_DETAIL_HEADER_INLINE bool OutputTransforms::attempt(FaultClass fault_class, const std::string& kind,
                                                          const std::string& effect,
                                                          const std::function<double(double)>& transform) {
  for (const Diagnosis& known : found_)
    if (known.kind == kind) return false;
  std::size_t refuted = 0;
  for (std::size_t i = 0; i < output_.size(); ++i)
    if (output_.violated[i] && !fits(i, transform)) return false;
  for (std::size_t i = 0; i < output_.size(); ++i) {
    if (!fits(i, transform)) return false;
    if (output_.violated[i] && !allowed_by_rounding(output_, i)) ++refuted;
  }
  if (refuted == 0) return false;
  Diagnosis diagnosis{fault_class, kind, refuted >= 4 ? Confidence::likely : Confidence::possible, {}, {}};
  diagnosis.evidence.push_back(output_.name + " " + effect + ": true of all " + std::to_string(output_.size()) +
                               " elements, " + std::to_string(refuted) + " of which are wrong for it");
  found_.push_back(std::move(diagnosis));
  return true;
}

ASSAY_DETAIL_HEADER_INLINE void OutputTransforms::attempt_factors() {
  using enum FaultClass;
  if (!output_.format.is_float()) return;
  const ElementFormat& format = output_.format;
  if (attempt(addressing, "negated", "has the other sign", [&](double r) { return format.round(-r); })) return;
  std::vector<double> factors, addends;
  for (std::size_t i = 0; i < output_.size() && factors.size() < 5000; ++i) {
    const double expected = output_.expected[i], actual = output_.actual[i];
    if (!is_finite(expected) || !is_finite(actual)) continue;
    addends.push_back(actual - expected);
    if (std::fabs(expected) > 16 * static_cast<double>(output_.error[i]) && expected != 0)
      factors.push_back(actual / expected);
  }
  const auto median = [](std::vector<double>& values) {
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
    return values[values.size() / 2];
  };
  if (factors.size() >= 4) {
    const double factor = median(factors), slack = 2 * format.unit_roundoff();
    if (factor != 0 && std::fabs(factor - 1) > 8 * slack && consistent(factor, 0, slack)) return add_factor(factor);
  }
  if (addends.size() >= 4) {
    const double addend = median(addends);
    if (addend != 0 && consistent(1, addend, 2 * format.unit_roundoff())) {
      Diagnosis diagnosis{missing_work,
                          "constant_missing",
                          Confidence::possible,
                          {output_.name + " is off by " + printed_number(addend) + " everywhere"},
                          {}};
      found_.push_back(std::move(diagnosis));
    }
  }
}

ASSAY_DETAIL_HEADER_INLINE bool OutputTransforms::consistent(double factor, double addend, double slack) const {
  double smallest = HUGE_VAL, largest = 0;
  std::size_t told = 0;
  for (std::size_t i = 0; i < output_.size(); ++i) {
    const double expected = output_.expected[i], actual = output_.actual[i];
    if (!is_finite(expected)) continue;
    const double due = factor * expected + addend,
                 allowed = 2 * (std::fabs(factor) * static_cast<double>(output_.error[i]) +
                                slack * (std::fabs(due) + std::fabs(addend)) + 2 * output_.format.min_subnormal());
    if (!(std::fabs(actual - due) <= allowed)) return false;
    told += std::fabs(due - expected) > 4 * allowed ? 1 : 0;
    smallest = std::min(smallest, std::fabs(expected));
    largest = std::max(largest, std::fabs(expected));
  }
  return 2 * told > output_.size() && (largest > 1.5 * smallest || factor != 1);
}

ASSAY_DETAIL_HEADER_INLINE Index OutputTransforms::padded_extent(double factor) const {
  for (const Index extent : extents_)
    for (const Index part : {4, 8, 16, 32, 64, 128}) {
      const Index padded = (extent + part - 1) / part * part;
      const double ratio = static_cast<double>(extent) / static_cast<double>(padded);
      for (const double candidate : {ratio, std::sqrt(ratio), 1 / std::sqrt(ratio)})
        if (padded > extent &&
            std::fabs(factor - candidate) < 1e-3 * std::fabs(1 - candidate) + 2 * output_.format.unit_roundoff())
          return padded;
    }
  return 0;
}

ASSAY_DETAIL_HEADER_INLINE void OutputTransforms::add_factor(double factor) {
  const double logarithm = std::log2(std::fabs(factor)), exponent = std::nearbyint(logarithm);
  const bool power = std::fabs(logarithm - exponent) < 4 * output_.format.unit_roundoff();
  if (const Index padded = power ? 0 : padded_extent(factor)) {
    found_.push_back({FaultClass::repeated_work,
                      "padded_divisor",
                      Confidence::possible,
                      {output_.name + " is " + printed_number(factor) +
                       " times what it should be, everywhere, as if it were divided by " + std::to_string(padded) +
                       " instead of the terms that there are"},
                      {}});
    return;
  }
  const double times = std::nearbyint(factor);
  const bool repeated =
      (times == 2 || times == 3) && std::fabs(factor - times) < 4 * times * output_.format.unit_roundoff();
  Diagnosis diagnosis{repeated ? FaultClass::repeated_work : FaultClass::missing_work,
                      power ? "factor_of_a_power_of_two" : "constant_factor",
                      Confidence::possible,
                      {},
                      {}};
  diagnosis.evidence.push_back(output_.name + " is " + printed_number(factor) + " times what it should be, everywhere" +
                               (power ? ": 2^" + std::to_string(static_cast<int>(exponent)) : ""));
  found_.push_back(std::move(diagnosis));
}

}  // namespace assay::inline v0::detail
