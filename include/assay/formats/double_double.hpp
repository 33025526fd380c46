#pragma once

#include "assay/core/config.hpp"

namespace assay::inline v0 {

/// An unevaluated sum high + low with |low| ≤ ulp(high)/2: about 106 significand bits. Compensation is exact only in
/// round to nearest. Products beyond the range of double give high = ±infinity and low = 0.
struct DoubleDouble {
  double high = 0;
  double low = 0;
};

/// a + b without error (Knuth; Møller). Six operations, none a product: safe under contraction, unless an argument is
/// an inlined product that its compiler may fuse.
[[nodiscard]] ASSAY_FUNCTION constexpr DoubleDouble two_sum(double a, double b) {
  const double sum = a + b;
  const double b_part = sum - a;
  const double a_part = sum - b_part;
  return {sum, (a - a_part) + (b - b_part)};
}

/// a·b without error, but for underflow: by fused multiply-add where the target has one, so that the compiler cannot
/// contract what must not be contracted; else by Dekker's and Veltkamp's splitting. The product stays rounded, whatever
/// is done with it: fused into a sum that follows, its error would count twice.
[[nodiscard]] ASSAY_FUNCTION inline DoubleDouble two_product(double a, double b) {
#if defined(__CUDA_ARCH__)
  const double product = __dmul_rn(a, b);
#elif defined(__clang__)
#pragma clang fp contract(off)
  const double product = a * b;
#else
  const double product = a * b;  // which GCC leaves alone, since the error below needs it, too
#endif
#if defined(__FMA__) || defined(__FP_FAST_FMA) || defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  const double error = __builtin_fma(a, b, -product);
#else
  constexpr double splitter = 134217729;  // 2^27 + 1
  constexpr double safe = 0x1p990, down = 0x1p-60, up = 0x1p60;
  const bool large_a = a > safe || a<-safe, large_b = b> safe || b < -safe;  // splitting them would overflow
  const double x = large_a ? a * down : a, y = large_b ? b * down : b;
  const double scaled = large_a || large_b ? x * y : product;
  const double tx = splitter * x, ty = splitter * y;
  const double x_high = tx - (tx - x), y_high = ty - (ty - y);
  const double x_low = x - x_high, y_low = y - y_high;
  double error = ((x_high * y_high - scaled) + x_high * y_low + x_low * y_high) + x_low * y_low;
  if (large_a) error *= up;
  if (large_b) error *= up;
#endif
  const bool finite = product - product == 0;
  return {product, finite && error - error == 0 ? error : 0};
}

}  // namespace assay::inline v0
