#pragma once

#include "assay/diagnosis/detail/misread_values.hpp"

#include <cmath>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE std::vector<MisreadValues> narrowed_values(
    const std::string& name, const ElementFormat& format, const std::function<bool(const FloatLayout&)>& rounds_twice) {
  std::vector<MisreadValues> all;
  const auto narrowed = [&](const FloatLayout& narrow, const std::string& what, const std::string& effect) {
    all.push_back({rounds_twice(narrow) ? FaultClass::rounding : FaultClass::precision, name + "_narrowed_to_" + what,
                   "rounds " + name + " to " + effect,
                   [narrow](double value) { return assay::decode(narrow, assay::encode(narrow, value)); }});
  };
  for (const ElementFormat& narrow : {element_format<bfloat16>(), element_format<float16>()})
    if (narrow.layout.precision() < format.layout.precision() ||
        narrow.layout.exponent_bits < format.layout.exponent_bits)
      narrowed(narrow.layout, narrow.name, narrow.name);
  if (format.layout.precision() > 11)
    narrowed({8, 10, 127, SpecialValues::ieee}, "tf32", "11 significand bits, as TF32 does");
  return all;
}

ASSAY_DETAIL_HEADER_INLINE std::vector<MisreadValues> values_without_nan(const std::string& name) {
  std::vector<MisreadValues> all;
  for (const auto& [read_as, number] : {std::pair("0", 0.0), std::pair("minus infinity", -HUGE_VAL)})
    all.push_back({FaultClass::special_value, name + "_nan_skipped", "takes NaN in " + name + " for " + read_as,
                   [other = number](double value) { return is_nan(value) ? other : value; }});
  return all;
}

ASSAY_DETAIL_HEADER_INLINE std::vector<MisreadValues> misread_values(const std::string& name, const Operand& operand) {
  using enum FaultClass;
  const ElementFormat& format = operand.format;
  std::vector<MisreadValues> all;
  const auto each = [&](FaultClass fault_class, const char* kind, const std::string& effect,
                        std::function<double(double)> change) {
    all.push_back({fault_class, name + kind, effect, std::move(change)});
  };
  if (!format.is_float()) {
    const double range = std::ldexp(1, 8 * format.bytes);
    each(special_value, "_sign_misread", "reads " + name + " with the other signedness", [range](double value) {
      return value >= range / 2 ? value - range : value < 0 ? value + range : value;
    });
    each(addressing, "_off_by_one", "takes " + name + " to be greater by one", [](double value) { return value + 1; });
    each(addressing, "_off_by_one", "takes " + name + " to be less by one", [](double value) { return value - 1; });
    each(addressing, "_from_end_misread", "takes negative " + name + " for 0",
         [](double value) { return value < 0 ? 0 : value; });
    if (format.bytes > 2)
      each(addressing, "_cut_off", "keeps 16 bits of " + name, [](double value) { return std::fmod(value, 65536.0); });
    if (format.bytes == 1)
      each(addressing, "_halves_exchanged", "exchanges the halves of the bytes of " + name, [](double value) {
        const int code = static_cast<int>(value) & 255;
        return static_cast<double>((code >> 4) | (code & 15) << 4);
      });
    return all;
  }
  each(addressing, "_negated", "takes the negative of " + name, [](double value) { return -value; });
  if (name.find("scale") != std::string::npos) {
    each(special_value, "_exponent_off_by_one", "takes " + name + " to be twice as large",
         [](double value) { return 2 * value; });
    each(special_value, "_exponent_off_by_one", "takes " + name + " to be half as large",
         [](double value) { return value / 2; });
  }
  if (operand.size() <= 64)
    each(addressing, "_inverted", "divides by " + name + " where it is to multiply, or the reverse",
         [](double value) { return 1 / value; });
  return all;
}

}  // namespace assay::inline v0::detail
