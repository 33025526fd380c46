#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "assay/core/outcome.hpp"
#include "assay/frameworks/calibration/range_calibrator.hpp"
#include "assay/frameworks/graph/operator_graph.hpp"

namespace assay::inline v0 {

/// What was recorded of tensors of a model that is not quantized yet, by their names, batch after batch.
using RecordedActivations = std::map<std::string, std::vector<std::vector<float>>>;

/// A tensor that a model quantizes with one constant scale and zero point.
struct QuantizedTensor {
  std::string name;                                  ///< of what is quantized
  TensorType type = TensorType::uint8;               ///< of the codes
  QuantizationParameters parameters;                 ///< as they stand in the model
  std::int64_t lowest_code = 0, highest_code = 255;  ///< of the type
  std::string not_checked;  ///< why its range is not one of all elements (a scale per channel, one that is computed)

  /// What the codes stand for.
  [[nodiscard]] CalibratedRange range() const;
};

/// What QuantizeLinear nodes of a model quantize, constants left out: weights are not calibrated.
[[nodiscard]] std::vector<QuantizedTensor> quantized_tensors(const GraphModel& model);

/// Calibrates each quantized tensor again from what was recorded of it, and compares the model's scale and zero point
/// with what that gives: one outcome a tensor, calibration/onnx/TYPE/TENSOR/METHOD. A range of `min_max` must be the
/// same to 2⁻²⁰ of its width; one of a histogram to two of its bins, since those who collect it may cut bins otherwise;
/// of `entropy` and `mean_squared_error` a candidate that loses no more than 2⁻¹⁰ more than the best is as good.
/// With `options.symmetric_codes` int8 and int16 have no lowest code, as is usual. Of a tensor that Relu alone reads
/// the range may be that of what Relu leaves.
///
/// Fail: another range, with the method of those known whose range it is, and with what that costs: the mean squared
/// error of quantizing, and the share of elements that are clipped. Inconclusive: nothing was recorded of the tensor.
/// Unsupported: see `QuantizedTensor::not_checked`. Misuse: as of `RangeCalibrator`.
[[nodiscard]] std::vector<Outcome> check_calibration(const GraphModel& model, const RecordedActivations& recorded,
                                                     const CalibrationOptions& options);

/// What quantizing to codes and back costs.
struct QuantizationLoss {
  double mean_squared_error = 0;  ///< in the square of the values' unit
  double clipped = 0;             ///< share of elements beyond the range of codes
};

/// That of x → scale·(clamp(round(x/scale) + zero point) − zero point). NaN are left out; 0 of none. O(elements).
[[nodiscard]] QuantizationLoss quantization_loss(const std::vector<std::vector<float>>& batches,
                                                 const QuantizedTensor& tensor);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/frameworks/calibration/check_calibration.ipp"
#endif
