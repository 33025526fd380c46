#pragma once

#include "assay/validators/quantization_quality.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE void QuantizationQuality::add(double value, double result, bool beyond_range) {
  if (!is_finite(value)) {
    ++not_finite;
    return;
  }
  if (!is_finite(result)) {
    ++lost;
    return;
  }
  const double error = std::fabs(result - value);
  ++count;
  clipped += beyond_range ? 1 : 0;
  signal += value * value;
  noise += error * error;
  quantized += result * result;
  product += value * result;
  error_sum += error;
  if (error > max_error) max_error = error;
}

ASSAY_DETAIL_HEADER_INLINE void QuantizationQuality::join(const QuantizationQuality& other) {
  count += other.count;
  clipped += other.clipped;
  not_finite += other.not_finite;
  lost += other.lost;
  signal += other.signal;
  noise += other.noise;
  quantized += other.quantized;
  product += other.product;
  error_sum += other.error_sum;
  if (other.max_error > max_error) max_error = other.max_error;
}

}  // namespace assay::inline v0
