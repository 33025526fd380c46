#pragma once

#include "assay/kernels/quantize/bound.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE std::vector<std::string> explain_dequantize_bound(const BlockScaling& scheme,
                                                                             const QuantizeArithmetic& arithmetic) {
  return {"element = (code - zero point) * scale" +
              std::string(scheme.tensor_scale != TensorScale::none ? " * scale of the tensor" : "") +
              ", exact in double",
          "E = " + detail::number(arithmetic.relative_error(arithmetic.value_roundings)) +
              " of the element where the scale is no power of two, of " + std::to_string(arithmetic.value_roundings) +
              " roundings in f32; else 0"};
}

ASSAY_DETAIL_HEADER_INLINE std::vector<std::string> explain_quantize_bound(const BlockScaling& scheme,
                                                                           const QuantizeArithmetic& arithmetic) {
  const QuantizeBound bound = QuantizeBound::of(arithmetic);
  using detail::number;
  std::vector<std::string> lines;
  std::string rules = name_of(scheme.rule);
  for (int other = 0; other < static_cast<int>(ScaleRule::given); ++other)
    if (static_cast<ScaleRule>(other) != scheme.rule && scheme.admits(static_cast<ScaleRule>(other)))
      rules += std::string(" or ") + name_of(static_cast<ScaleRule>(other));
  if (scheme.tensor_scale == TensorScale::computed)
    lines.push_back("scale of the tensor: amax/(max*max) rounded to f32, at most " + number(bound.tensor_scale) +
                    " of itself off before that (" + std::to_string(arithmetic.tensor_scale_roundings) + " roundings)");
  const bool exact_rules = is_exponent_rule(scheme.rule) && !scheme.admits(ScaleRule::exponent_covering);
  lines.push_back("scales: by the rule " + rules + ", in " + scheme.scale.name +
                  (scheme.rule == ScaleRule::given ? ""
                   : exact_rules
                       ? ", bit for bit"
                       : ", rounded to nearest, at most " + number(bound.scale) + " of themselves off before that (" +
                             std::to_string(arithmetic.scale_roundings) + " roundings)"));
  if (scheme.zero_points)
    lines.push_back("zero points: lowest - smallest/scale with the kernel's own scale, rounded to nearest" +
                    (scheme.element.lowest == 0
                         ? std::string()
                         : "; the difference may be " + number(bound.element) + " of itself off"));
  lines.push_back("codes: value/scale with the kernel's own scale, rounded once to " +
                  std::string(scheme.element.name) +
                  ", ties to even, saturating; bit for bit where the scale is a power of two");
  lines.push_back("else a neighbor is as right where value/scale is within " + number(bound.element) +
                  " of itself of a tie: " + std::to_string(arithmetic.element_roundings) +
                  " roundings of f32 may come before the last, since kernels multiply by rounded reciprocals");
  return lines;
}

}  // namespace assay::inline v0
