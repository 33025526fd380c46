#pragma once

#include "assay/formats/small_float.hpp"

namespace assay::inline v0 {

/// Formats of 8 bits: OCP 8-bit Floating Point Specification (OFP8) 1.0 for e4m3fn and e5m2; "fnuz" as in Noune et al.,
/// "8-bit numerical formats for deep neural networks", 2022; e4m3 and e3m4 are IEEE-like, with infinities.
using float8_e4m3fn = SmallFloat<FloatLayout{4, 3, 7, SpecialValues::finite_nan}>;
using float8_e5m2 =
    SmallFloat<FloatLayout{5, 2, 15, SpecialValues::ieee}>;  ///< OCP FP8 E5M2: infinities and NaNs as in IEEE 754.
/// AMD's and Graphcore's E4M3 with bias 8: no infinity, no negative zero, one NaN.
using float8_e4m3fnuz = SmallFloat<FloatLayout{4, 3, 8, SpecialValues::fnuz}>;
/// AMD's and Graphcore's E5M2 with bias 16: no infinity, no negative zero, one NaN.
using float8_e5m2fnuz = SmallFloat<FloatLayout{5, 2, 16, SpecialValues::fnuz}>;
/// E4M3 with bias 11: no infinity, no negative zero, one NaN.
using float8_e4m3b11fnuz = SmallFloat<FloatLayout{4, 3, 11, SpecialValues::fnuz}>;
/// E4M3 with infinities and NaNs as in IEEE 754.
using float8_e4m3 = SmallFloat<FloatLayout{4, 3, 7, SpecialValues::ieee}>;
/// E3M4 with infinities and NaNs as in IEEE 754.
using float8_e3m4 = SmallFloat<FloatLayout{3, 4, 3, SpecialValues::ieee}>;

/// The scale of OCP MX 1.0, section 5.4.1: 2^(code − 127), with a NaN and neither sign, zero nor infinities. The
/// specification leaves conversion to the implementation. Ties go to the larger power of two; zero and negative values
/// become NaN, or 2^−127 under `Overflow::saturate`; positive values below 2^−127 become it. ml_dtypes 0.6 does the
/// same but for float32's subnormal numbers, which it rounds too far up, and for positive doubles that float32 cannot
/// hold, which pass through its zero to NaN. CUDA's conversion drops the sign and makes 2^−127 of zero.
using float8_e8m0fnu = SmallFloat<FloatLayout{8, 0, 127, SpecialValues::finite_nan, Domain::positive}>;

/// Formats of 6 and 4 bits, every code a number: OCP Microscaling Formats (MX) Specification 1.0, section 5.3. A value
/// stands in the lowest bits of a byte.
using float6_e2m3fn = SmallFloat<FloatLayout{2, 3, 1, SpecialValues::none}>;
using float6_e3m2fn = SmallFloat<FloatLayout{3, 2, 3, SpecialValues::none}>;  ///< OCP MX FP6 E3M2: finite numbers only.
using float4_e2m1fn = SmallFloat<FloatLayout{2, 1, 1, SpecialValues::none}>;  ///< OCP MX FP4 E2M1: finite numbers only.

}  // namespace assay::inline v0
