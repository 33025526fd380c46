#pragma once

#include <cmath>
#include <limits>

#include "assay/core/index.hpp"
#include "assay/formats/classify.hpp"

namespace assay::inline v0 {

/// How near quantized values are to those that were quantized: sums over pairs (value, quantized value), from which the
/// usual measures follow. Values that are NaN or infinite are counted and enter no sum, as do values that quantization
/// made so. O(1) a value, no memory.
struct QuantizationQuality {
  Index count = 0;       ///< pairs in the sums
  Index clipped = 0;     ///< of those, values beyond the range of the codes
  Index not_finite = 0;  ///< values that were NaN or infinite before
  Index lost = 0;        ///< finite values that became NaN or infinite: their block held one that was not finite
  double signal = 0;     ///< Σ value²
  double noise = 0;      ///< Σ (quantized − value)²
  double quantized = 0;  ///< Σ quantized²
  double product = 0;    ///< Σ value·quantized
  double error_sum = 0;  ///< Σ |quantized − value|
  double max_error = 0;  ///< the largest |quantized − value|

  /// Counts a pair; `beyond_range`: the value lay beyond the largest that the format has.
  void add(double value, double result, bool beyond_range = false);
  /// Takes the sums of other pairs.
  void join(const QuantizationQuality& other);

  /// Signal-to-quantization-noise ratio in dB, 10·log10(Σ value² / Σ error²): infinite where nothing was lost,
  /// −infinite where all values are 0 and became something else, NaN of no values.
  [[nodiscard]] double sqnr() const {
    if (count == 0) return std::numeric_limits<double>::quiet_NaN();
    if (noise == 0) return std::numeric_limits<double>::infinity();
    return 10 * std::log10(signal / noise);
  }
  /// Mean of quantized value − value, in the unit of the values.
  [[nodiscard]] double mean_error() const { return mean(error_sum); }
  /// √(mean of squared errors), in the unit of the values.
  [[nodiscard]] double root_mean_square_error() const { return std::sqrt(mean(noise)); }
  /// The part of the values that lie beyond the range of the codes.
  [[nodiscard]] double clipping_rate() const { return mean(static_cast<double>(clipped)); }
  /// The cosine of the angle between values and quantized values; 1 where both are all zeros, 0 where one of them is.
  [[nodiscard]] double cosine() const {
    if (count == 0) return std::numeric_limits<double>::quiet_NaN();
    if (signal == 0 || quantized == 0) return signal == quantized ? 1 : 0;
    const double cosine = product / (std::sqrt(signal) * std::sqrt(quantized));
    return cosine > 1 ? 1 : cosine < -1 ? -1 : cosine;  // rounding
  }

 private:
  [[nodiscard]] double mean(double sum) const {
    return count == 0 ? std::numeric_limits<double>::quiet_NaN() : sum / static_cast<double>(count);
  }
};

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/validators/quantization_quality.ipp"
#endif
