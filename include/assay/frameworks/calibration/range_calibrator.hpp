#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "assay/core/result.hpp"

namespace assay::inline v0 {

/// How the range of a tensor that is quantized is chosen from what was recorded of it.
enum class CalibrationMethod {
  min_max,            ///< all of it
  percentile,         ///< all but the tails
  entropy,            ///< by which quantizing loses least information: the least Kullback–Leibler divergence
  mean_squared_error  ///< by which quantizing errs least
};

/// All of them.
inline constexpr CalibrationMethod calibration_methods[] = {CalibrationMethod::min_max, CalibrationMethod::percentile,
                                                            CalibrationMethod::entropy,
                                                            CalibrationMethod::mean_squared_error};

/// "min-max", "percentile", "entropy", "mse".
[[nodiscard]] std::string_view name_of(CalibrationMethod method) noexcept;
/// The method of such a name. `invalid`, with all names, where there is none.
[[nodiscard]] Result<CalibrationMethod> calibration_method_named(std::string_view name);

/// What is asked of a calibration.
struct CalibrationOptions {
  CalibrationMethod method = CalibrationMethod::min_max;
  bool symmetric = false;      ///< the range is [−a, a]
  double percentile = 99.999;  ///< of what is kept, in (0, 100]
  int bins = 2048;             ///< of the histogram of the first batch; the other methods than `min_max` have one
  int levels = 128;            ///< of `entropy`: bins are merged to so many
  /// Of `check_calibration`: the zero point is the middle code. Not the same: onnxruntime.quantization's percentiles
  /// are symmetric by default, and their codes are not.
  bool symmetric_codes = false;
};

/// What a tensor's elements are taken to lie in.
struct CalibratedRange {
  float low = 0;   ///< included
  float high = 0;  ///< likewise
};

/// A range among those of which a method takes the best.
struct RangeCandidate {
  CalibratedRange range;
  double loss = 0;  ///< Kullback–Leibler divergence; sum of squared errors
};

/// Counts of elements in bins between neighboring edges, of which the last bin has both.
struct ActivationHistogram {
  std::vector<float> edges;          ///< one more than counts, ascending
  std::vector<std::int64_t> counts;  ///< elements
  float lowest = 0, highest = 0;     ///< element, of all batches
  std::int64_t elements = 0;         ///< of all batches; NaN are none
};

/// The range of a quantized tensor from batches of recorded values. Definitions are those of onnxruntime.quantization
/// (1.32) for `min_max`, `percentile` and `entropy`, down to float32's roundings of edges:
///
/// - Histograms have bins of one width in [−t, t], t the first batch's largest |x|. A later batch with a larger one
///   adds bins of that width at both ends. Of a symmetric percentile the histogram is that of |x| from the first
///   batch's least on: smaller ones of later batches are left out, as there.
/// - `percentile`: the lower edges of the bins in which the cumulative share reaches (100 − p)/200 and its complement;
///   symmetric p/100.
/// - `entropy`: for each i the middle 2i + 1 bins, with what is outside added to the outermost, are p; their counts,
///   merged to `levels` and spread over the bins of p that are not empty in whole counts, are q; both with 10⁻⁴ in
///   empty bins, taken from the others. Least Σ p·ln(p/q), in float64: where
///   candidates differ in the eighth digit, sums in float32 take another. With as many bins as levels there is one
///   candidate, the whole range.
/// - `mean_squared_error`: of all upper edges a, the least Σ counts·(c − Q(c))², c the middle of a bin, Q the
///   quantization to 8 bits in [−a, a]. The first of equals.
///
/// Ranges of histograms end at the lowest and the highest element. Where `symmetric` holds, [−a, a] is made of the
/// larger |end| of `entropy` and `mean_squared_error`.
class RangeCalibrator {
 public:
  /// Misuse: bins or levels below 2, a percentile outside (0, 100].
  explicit RangeCalibrator(const CalibrationOptions& options);

  /// Adds a batch. NaN are left out. Errors: `invalid` where an element is infinite. O(elements·log bins).
  [[nodiscard]] Result<void> add(std::span<const float> batch);
  /// The range. Errors: `invalid` where no element was added. O(bins²) of `entropy` and `mean_squared_error`.
  [[nodiscard]] Result<CalibratedRange> range() const;
  /// The candidate of `entropy` and `mean_squared_error` whose edge is nearest to the larger |end| of a range, and what
  /// it loses by the method: two ranges that lose the same are as good. Of the other methods the range and 0.
  /// Precondition: an element was added. O(bins).
  [[nodiscard]] RangeCandidate candidate_near(CalibratedRange range) const;
  /// What was added. Of `min_max` without bins.
  [[nodiscard]] const ActivationHistogram& histogram() const noexcept { return histogram_; }

 private:
  void count(std::span<const float> batch, const std::vector<float>& edges, std::vector<std::int64_t>& counts) const;
  void add_to_bins(std::span<const float> batch, float least, float most);
  [[nodiscard]] CalibratedRange finished(CalibratedRange range) const;
  void widen(float threshold);
  void widen_absolute(float most);
  [[nodiscard]] bool absolute() const { return options_.method == CalibrationMethod::percentile && options_.symmetric; }

  CalibrationOptions options_;
  ActivationHistogram histogram_;
  float threshold_ = 0;
};

/// Scale and zero point of x ≈ scale·(code − zero point).
struct QuantizationParameters {
  float scale = 1;
  std::int64_t zero_point = 0;  ///< the code of 0
};

/// Those that map a range, widened to hold 0, on all codes: scale = (high − low)/(highest − lowest code), zero point =
/// round(lowest code − low/scale); symmetric: of [−a, a], zero point the middle code, to even. Scale 1 and zero point 0
/// for a range that is 0, or of which the scale is no normal float32. As onnxruntime.quantization computes them.
/// Precondition: lowest code ≤ 0 ≤ highest code, and they differ.
[[nodiscard]] QuantizationParameters quantization_of(CalibratedRange range, std::int64_t lowest_code,
                                                     std::int64_t highest_code, bool symmetric);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/frameworks/calibration/range_calibrator.ipp"
#endif
