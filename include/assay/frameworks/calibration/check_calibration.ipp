#pragma once

#include "assay/frameworks/calibration/check_calibration.hpp"

#include <algorithm>
#include <cmath>

#include "assay/core/config.hpp"
#include "assay/core/printed_number.hpp"
#include "assay/formats/classify.hpp"

namespace assay::inline v0 {

namespace detail {

[[nodiscard]] inline std::string range_text(const CalibratedRange& range) {
  return "[" + printed_number(static_cast<double>(range.low), 6) + ", " +
         printed_number(static_cast<double>(range.high), 6) + "]";
}

/// The constant of that name: an initializer, or the value of a node Constant.
[[nodiscard]] inline const GraphTensor* constant_named(const OperatorGraph& graph, const std::string& name) {
  for (const GraphTensor& tensor : graph.constants)
    if (tensor.name == name) return &tensor;
  for (const GraphNode& node : graph.nodes) {
    if (node.operation != "Constant" || node.outputs.empty() || node.outputs[0] != name) continue;
    for (const GraphAttribute& attribute : node.attributes)
      if (attribute.name == "value" && !attribute.tensors.empty()) return &attribute.tensors[0];
  }
  return nullptr;
}

inline void read_codes(QuantizedTensor& tensor) {
  const auto format = element_format_of(tensor.type);
  const bool unsigned_type = tensor.type == TensorType::uint8 || tensor.type == TensorType::uint16 ||
                             tensor.type == TensorType::uint4 || tensor.type == TensorType::uint2;
  const int bits = bits_of(tensor.type);
  if (!format || format->is_float() || bits > 16) {
    tensor.not_checked = "codes of type " + std::string(name_of(tensor.type)) + " have no range of integers";
    return;
  }
  tensor.lowest_code = unsigned_type ? 0 : -(std::int64_t{1} << (bits - 1));
  tensor.highest_code = tensor.lowest_code + (std::int64_t{1} << bits) - 1;
}

[[nodiscard]] inline QuantizedTensor quantized_tensor(const OperatorGraph& graph, const GraphNode& node) {
  QuantizedTensor tensor;
  tensor.name = node.inputs[0];
  const GraphTensor* const scale = constant_named(graph, node.inputs[1]);
  const bool has_zero = node.inputs.size() > 2 && !node.inputs[2].empty();
  const GraphTensor* const zero = has_zero ? constant_named(graph, node.inputs[2]) : nullptr;
  for (const GraphAttribute& attribute : node.attributes)
    if (attribute.name == "output_dtype" && attribute.integer != 0)
      tensor.type = static_cast<TensorType>(attribute.integer);
  if (zero != nullptr) tensor.type = zero->type;
  read_codes(tensor);
  if (scale == nullptr || (has_zero && zero == nullptr)) {
    tensor.not_checked = "its scale or its zero point is computed, and no constant";
  } else if (scale->size() != 1 || !element_format_of(scale->type)) {
    tensor.not_checked = "it has " + std::to_string(scale->size()) + " scales, one a channel or block";
  } else if (tensor.not_checked.empty()) {
    tensor.parameters.scale = static_cast<float>(value_at(*scale, 0));
    tensor.parameters.zero_point = zero != nullptr ? static_cast<std::int64_t>(value_at(*zero, 0)) : 0;
  }
  return tensor;
}

[[nodiscard]] inline CalibratedRange range_of_codes(const QuantizationParameters& own, std::int64_t lowest,
                                                    std::int64_t highest) {
  const double scale = static_cast<double>(own.scale);
  return {static_cast<float>(scale * static_cast<double>(lowest - own.zero_point)),
          static_cast<float>(scale * static_cast<double>(highest - own.zero_point))};
}

/// A calibration of all batches, as the parameters and range that the model should have.
struct Recalibration {
  QuantizationParameters parameters;
  CalibratedRange range;
  double bin = 0;  ///< width of the histogram's bins
  /// Where the method takes the best of many: the candidate nearest to the model's range, if it is as good.
  std::optional<QuantizationParameters> as_good;
};
[[nodiscard]] inline Result<Recalibration> recalibrated(const std::vector<std::vector<float>>& batches,
                                                        const QuantizedTensor& tensor,
                                                        const CalibrationOptions& options) {
  RangeCalibrator calibrator(options);
  for (const auto& batch : batches)
    if (auto added = calibrator.add(batch); !added) return added.propagate();
  const auto range = calibrator.range();
  if (!range) return range.propagate();
  const bool narrow = options.symmetric_codes && tensor.lowest_code < 0;
  const std::int64_t lowest = tensor.lowest_code + (narrow ? 1 : 0);
  Recalibration own;
  own.parameters = quantization_of(range.value(), lowest, tensor.highest_code, options.symmetric_codes);
  own.range = range_of_codes(own.parameters, tensor.lowest_code, tensor.highest_code);
  const auto& edges = calibrator.histogram().edges;
  own.bin = edges.size() > 1 ? static_cast<double>(edges[1]) - static_cast<double>(edges[0]) : 0;
  if (options.method != CalibrationMethod::entropy && options.method != CalibrationMethod::mean_squared_error)
    return own;
  const RangeCandidate best = calibrator.candidate_near(range.value()),
                       given = calibrator.candidate_near(tensor.range());
  if (given.loss <= best.loss * (1 + 0x1p-10))
    own.as_good = quantization_of(given.range, lowest, tensor.highest_code, options.symmetric_codes);
  return own;
}

/// Whether the model's range is that of these parameters: to two bins, and to the rounding of a zero point where bins
/// move it.
[[nodiscard]] inline bool agrees_with(const QuantizedTensor& tensor, const QuantizationParameters& own, double bin) {
  const CalibratedRange model = tensor.range(), due = range_of_codes(own, tensor.lowest_code, tensor.highest_code);
  const double width = static_cast<double>(due.high) - static_cast<double>(due.low);
  const double allowed = bin > 0 ? 2 * bin + static_cast<double>(own.scale) : width * 0x1p-20;
  if (bin == 0 && tensor.parameters.zero_point != own.zero_point) return false;
  return std::fabs(static_cast<double>(model.low) - static_cast<double>(due.low)) <= allowed &&
         std::fabs(static_cast<double>(model.high) - static_cast<double>(due.high)) <= allowed;
}
[[nodiscard]] inline bool agrees(const QuantizedTensor& tensor, const Recalibration& own) {
  return agrees_with(tensor, own.parameters, own.bin) ||
         (own.bin > 0 && own.as_good && agrees_with(tensor, *own.as_good, own.bin));
}

[[nodiscard]] inline std::string options_text(const CalibrationOptions& options) {
  std::string text(name_of(options.method));
  if (options.method == CalibrationMethod::percentile) text += " " + printed_number(options.percentile, 8);
  text += options.symmetric ? ", symmetric" : ", asymmetric";
  return options.symmetric == options.symmetric_codes
             ? text
             : text + (options.symmetric_codes ? " in symmetric codes" : " in asymmetric codes");
}

/// The other known methods whose range the model has.
[[nodiscard]] inline std::string other_methods(const std::vector<std::vector<float>>& batches,
                                               const QuantizedTensor& tensor, const CalibrationOptions& asked) {
  std::string found;
  const auto try_one = [&](CalibrationOptions options) {
    if (options_text(options) == options_text(asked)) return;
    const auto own = recalibrated(batches, tensor, options);
    if (own && agrees(tensor, own.value())) found += (found.empty() ? "" : "; ") + options_text(options);
  };
  for (const int symmetries : {0, 3, 2, 1})  // both as asked, both otherwise, and then one of them
    for (const CalibrationMethod method : calibration_methods) {
      CalibrationOptions options = asked;
      options.symmetric = asked.symmetric != ((symmetries & 1) != 0);
      options.symmetric_codes = asked.symmetric_codes != ((symmetries & 2) != 0);
      options.method = method;
      try_one(options);
      for (const double percentile : {99.0, 99.9, 99.99, 99.999, 99.9999}) {
        if (method != CalibrationMethod::percentile || percentile == asked.percentile) continue;
        options.percentile = percentile;
        try_one(options);
      }
    }
  return found;
}

/// Whether what is quantized is read by Relu alone, through its codes or beside them: what Relu drops may be clipped.
[[nodiscard]] inline bool feeds_relu_alone(const OperatorGraph& graph, const std::string& name) {
  bool found = false;
  for (const GraphNode& node : graph.nodes) {
    if (std::find(node.inputs.begin(), node.inputs.end(), name) == node.inputs.end()) continue;
    const bool passes_on = node.operation == "QuantizeLinear" || node.operation == "DequantizeLinear";
    if (node.operation != "Relu" && !(passes_on && feeds_relu_alone(graph, node.outputs.at(0)))) return false;
    found = true;
  }
  return found;
}

[[nodiscard]] inline std::vector<std::vector<float>> without_negative(std::vector<std::vector<float>> batches) {
  for (auto& batch : batches)
    for (float& value : batch)
      if (value < 0) value = 0;
  return batches;
}

[[nodiscard]] inline std::string loss_text(const QuantizationLoss& loss) {
  return "mean squared error " + printed_number(loss.mean_squared_error, 4) + ", " +
         printed_number(loss.clipped * 100, 4) + " % clipped";
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE CalibratedRange QuantizedTensor::range() const {
  return detail::range_of_codes(parameters, lowest_code, highest_code);
}

ASSAY_DETAIL_HEADER_INLINE std::vector<QuantizedTensor> quantized_tensors(const GraphModel& model) {
  std::vector<QuantizedTensor> tensors;
  for (const GraphNode& node : model.graph.nodes) {
    if (node.operation != "QuantizeLinear" || node.inputs.size() < 2) continue;
    if (detail::constant_named(model.graph, node.inputs[0]) != nullptr) continue;
    const bool known = std::any_of(tensors.begin(), tensors.end(),
                                   [&](const QuantizedTensor& own) { return own.name == node.inputs[0]; });
    if (!known) tensors.push_back(detail::quantized_tensor(model.graph, node));
  }
  return tensors;
}

ASSAY_DETAIL_HEADER_INLINE QuantizationLoss quantization_loss(const std::vector<std::vector<float>>& batches,
                                                              const QuantizedTensor& tensor) {
  QuantizationLoss loss;
  double elements = 0, clipped = 0;
  const double scale = static_cast<double>(tensor.parameters.scale),
               zero = static_cast<double>(tensor.parameters.zero_point);
  for (const auto& batch : batches)
    for (const float value : batch) {
      if (is_nan(value)) continue;
      const double x = static_cast<double>(value), code = std::nearbyint(x / scale) + zero;
      const double kept =
          std::clamp(code, static_cast<double>(tensor.lowest_code), static_cast<double>(tensor.highest_code));
      const double error = x - (kept - zero) * scale;
      loss.mean_squared_error += error * error;
      clipped += kept != code ? 1 : 0;
      elements += 1;
    }
  if (elements == 0) return {};
  return {loss.mean_squared_error / elements, clipped / elements};
}

ASSAY_DETAIL_HEADER_INLINE std::vector<Outcome> check_calibration(const GraphModel& model,
                                                                  const RecordedActivations& recorded,
                                                                  const CalibrationOptions& options) {
  std::vector<Outcome> outcomes;
  for (const QuantizedTensor& tensor : quantized_tensors(model)) {
    Outcome outcome;
    const std::string type(name_of(tensor.type)), method(name_of(options.method));
    outcome.id = "calibration/onnx/" + type + "/" + tensor.name + "/" + method;
    outcome.labels = {
        {"operation", "calibration"}, {"backend", "onnx"}, {"formats", type}, {"shape", tensor.name}, {"data", method}};
    const auto end = [&](Verdict verdict, std::string reason) {
      outcome.verdict = verdict;
      outcome.reason = std::move(reason);
      outcomes.push_back(outcome);
    };
    const auto found = recorded.find(tensor.name);
    if (!tensor.not_checked.empty()) {
      end(Verdict::unsupported, tensor.not_checked);
      continue;
    }
    if (found == recorded.end()) {
      end(Verdict::inconclusive,
          "nothing was recorded of it: record the tensor of this name in the model in floating "
          "point, on the data of the calibration");
      continue;
    }
    const auto own = detail::recalibrated(found->second, tensor, options);
    if (!own) {
      end(Verdict::error, own.error().message);
      continue;
    }
    QuantizedTensor due = tensor;
    due.parameters = own.value().parameters;
    const QuantizationLoss given = quantization_loss(found->second, tensor),
                           recomputed = quantization_loss(found->second, due);
    outcome.measure("mean_squared_error", given.mean_squared_error);
    outcome.measure("recalibrated_mean_squared_error", recomputed.mean_squared_error);
    outcome.measure("clipped_share", given.clipped);
    const std::string asked = detail::options_text(options);
    outcome.derivation.push_back(asked + " of " + std::to_string(found->second.size()) +
                                 " batches: " + detail::range_text(own.value().range) + ", scale " +
                                 detail::printed_number(static_cast<double>(due.parameters.scale), 8) +
                                 ", zero point " + std::to_string(due.parameters.zero_point));
    if (detail::agrees(tensor, own.value())) {
      end(Verdict::pass, "");
      continue;
    }
    if (detail::feeds_relu_alone(model.graph, tensor.name)) {
      const auto left = detail::recalibrated(detail::without_negative(found->second), tensor, options);
      if (left && detail::agrees(tensor, left.value())) {
        outcome.diagnosis.push_back("the range is that of what the Relu behind it leaves, " +
                                    detail::range_text(left.value().range));
        end(Verdict::pass, "");
        continue;
      }
    }
    const std::string others = detail::other_methods(found->second, tensor, options);
    if (!others.empty()) outcome.diagnosis.push_back("the model's range is that of " + others);
    outcome.diagnosis.push_back("the model's: " + detail::loss_text(given) +
                                "; recalibrated: " + detail::loss_text(recomputed));
    end(Verdict::fail, "the model quantizes " + detail::range_text(tensor.range()) + " with zero point " +
                           std::to_string(tensor.parameters.zero_point) + "; " + asked + " of what was recorded is " +
                           detail::range_text(own.value().range) + " with zero point " +
                           std::to_string(due.parameters.zero_point));
  }
  return outcomes;
}

}  // namespace assay::inline v0
