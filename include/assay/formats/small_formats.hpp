#pragma once

#include "assay/formats/small_float.hpp"

namespace assay {

/// Formats of 8 bits: OCP 8-bit Floating Point Specification (OFP8) 1.0 for e4m3fn and e5m2; "fnuz" as in Noune et al.,
/// "8-bit numerical formats for deep neural networks", 2022; e4m3 and e3m4 are IEEE-like, with infinities.
using float8_e4m3fn = SmallFloat<FloatLayout{4, 3, 7, SpecialValues::finite_nan}>;
using float8_e5m2 = SmallFloat<FloatLayout{5, 2, 15, SpecialValues::ieee}>;
using float8_e4m3fnuz = SmallFloat<FloatLayout{4, 3, 8, SpecialValues::fnuz}>;
using float8_e5m2fnuz = SmallFloat<FloatLayout{5, 2, 16, SpecialValues::fnuz}>;
using float8_e4m3b11fnuz = SmallFloat<FloatLayout{4, 3, 11, SpecialValues::fnuz}>;
using float8_e4m3 = SmallFloat<FloatLayout{4, 3, 7, SpecialValues::ieee}>;
using float8_e3m4 = SmallFloat<FloatLayout{3, 4, 3, SpecialValues::ieee}>;

/// Formats of 6 and 4 bits, every code a number: OCP Microscaling Formats (MX) Specification 1.0, section 5.3. A value
/// stands in the lowest bits of a byte.
using float6_e2m3fn = SmallFloat<FloatLayout{2, 3, 1, SpecialValues::none}>;
using float6_e3m2fn = SmallFloat<FloatLayout{3, 2, 3, SpecialValues::none}>;
using float4_e2m1fn = SmallFloat<FloatLayout{2, 1, 1, SpecialValues::none}>;

}  // namespace assay
