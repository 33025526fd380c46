#include "assay/frameworks/calibration/check_calibration.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "assay/frameworks/onnx/read_onnx.hpp"
#include "assay/frameworks/onnx/write_onnx.hpp"
#include "testing/calibration_batches.hpp"
#include "testing/catch.hpp"

using namespace assay;
using assay::testing::calibration_batch;

namespace {

using Batches = std::vector<std::vector<float>>;

Batches batches() {
  return {calibration_batch(1, 3000, 1), calibration_batch(2, 3000, 2.5), calibration_batch(3, 3000, 2)};
}

/// A model that quantizes `x` so.
GraphModel model_of(const QuantizationParameters& own, TensorType type = TensorType::int8) {
  GraphModel model;
  model.graph.nodes.push_back({"QuantizeLinear", {"x", "scale", "zero"}, {"q"}});
  model.graph.nodes.push_back({"DequantizeLinear", {"q", "scale", "zero"}, {"y"}});
  model.graph.inputs.push_back({"x", TensorType::float32, {3000}});
  model.graph.outputs.push_back({"y", TensorType::float32, {3000}});
  model.graph.constants.push_back(tensor_of_values("scale", TensorType::float32, {}, {static_cast<double>(own.scale)}));
  model.graph.constants.push_back(tensor_of_values("zero", type, {}, {static_cast<double>(own.zero_point)}));
  return read_onnx_model(write_onnx_model(model)).value();  // as it comes from a file
}

CalibratedRange range_of(const Batches& all, const CalibrationOptions& options) {
  RangeCalibrator calibrator(options);
  for (const auto& batch : all) REQUIRE(calibrator.add(batch));
  return calibrator.range().value();
}

QuantizationParameters right(const CalibrationOptions& options) {
  return quantization_of(range_of(batches(), options), options.symmetric_codes ? -127 : -128, 127,
                         options.symmetric_codes);
}

Outcome checked(const QuantizationParameters& own, const CalibrationOptions& options) {
  auto outcomes = check_calibration(model_of(own), {{"x", batches()}}, options);
  REQUIRE(outcomes.size() == 1);
  return outcomes[0];
}

const std::vector<CalibrationOptions> all_options{{CalibrationMethod::min_max, false, 99, 2048, 128, false},
                                                  {CalibrationMethod::min_max, true, 99, 2048, 128, true},
                                                  {CalibrationMethod::percentile, false, 99, 2048, 128, false},
                                                  {CalibrationMethod::percentile, true, 99, 2048, 128, true},
                                                  {CalibrationMethod::entropy, false, 99, 1024, 128, false},
                                                  {CalibrationMethod::entropy, true, 99, 1024, 128, true},
                                                  {CalibrationMethod::mean_squared_error, false, 99, 2048, 128, false},
                                                  {CalibrationMethod::mean_squared_error, true, 99, 2048, 128, true},
                                                  {CalibrationMethod::percentile, true, 99, 2048, 128, false}};

}  // namespace

TEST_CASE("what was calibrated rightly passes, by every method") {
  for (const CalibrationOptions& options : all_options) {
    CAPTURE(name_of(options.method), options.symmetric);
    const Outcome outcome = checked(right(options), options);
    CAPTURE(outcome.reason);
    CHECK(outcome.verdict == Verdict::pass);
    CHECK(outcome.measurement("mean_squared_error") == outcome.measurement("recalibrated_mean_squared_error"));
  }
  CHECK(checked(right(all_options[0]), all_options[0]).id == "calibration/onnx/int8/x/min-max");
}

TEST_CASE("another percentile, and symmetric in place of asymmetric, are caught and named") {
  CalibrationOptions other = all_options[2];
  other.percentile = 99.9;
  const Outcome percentile = checked(right(other), all_options[2]);
  CHECK(percentile.verdict == Verdict::fail);
  REQUIRE(!percentile.diagnosis.empty());
  CHECK(percentile.diagnosis[0].find("percentile 99.9, asymmetric") != std::string::npos);
  for (const std::size_t method : {0U, 2U, 4U, 6U}) {
    CAPTURE(method);
    // Symmetric parameters need data that are not: those of a ReLU.
    Batches relu{calibration_batch(5, 4000, 3, true)};
    const QuantizationParameters symmetric = quantization_of(range_of(relu, all_options[method + 1]), -127, 127, true);
    const auto outcomes = check_calibration(model_of(symmetric), {{"x", relu}}, all_options[method]);
    CHECK(outcomes[0].verdict == Verdict::fail);
    REQUIRE(!outcomes[0].diagnosis.empty());
    CHECK(outcomes[0].diagnosis[0].find(", symmetric") != std::string::npos);
  }
}

TEST_CASE("a histogram whose later batches were cut to the first one's range is caught") {
  Batches cut = batches();
  const auto [least, most] = std::minmax_element(cut[0].begin(), cut[0].end());
  const float low = *least, high = *most;
  for (auto& batch : cut)
    for (float& value : batch) value = std::clamp(value, low, high);
  for (const std::size_t method : {2U, 6U}) {
    const CalibrationOptions& options = all_options[method];
    const QuantizationParameters wrong = quantization_of(range_of(cut, options), -128, 127, false);
    const Outcome outcome = checked(wrong, options);
    CHECK(outcome.verdict == Verdict::fail);
    CHECK(outcome.measurement("clipped_share").value_or(0) > 0.01);
  }
}

TEST_CASE("bins that are counted again after each batch, and batches that are forgotten, are caught") {
  const CalibrationOptions& options = all_options[2];
  // Counts of the first bins, kept where the range had grown: as if the old batches had been stretched to the new
  // range.
  Batches stretched = batches();
  for (float& value : stretched[0]) value *= 2.5F;
  CHECK(
      checked(quantization_of(range_of({stretched[0], stretched[0], stretched[1]}, options), -128, 127, false), options)
          .verdict == Verdict::fail);
  CHECK(checked(quantization_of(range_of({batches()[0]}, options), -128, 127, false), options).verdict ==
        Verdict::fail);
}

TEST_CASE("a divergence that leaves empty bins out takes the narrowest range, and is caught") {
  const CalibrationOptions& options = all_options[4];
  RangeCalibrator calibrator(options);
  for (const auto& batch : batches()) REQUIRE(calibrator.add(batch));
  const ActivationHistogram& own = calibrator.histogram();
  // Without the 10⁻⁴ of empty bins, terms with q = 0 are skipped rather than infinite, so that clipping costs nothing.
  double least = 1e300;
  std::size_t best = 0;
  const std::size_t zero = own.counts.size() / 2;
  for (std::size_t i = 64; i < zero; ++i) {
    double inside = 0, sum = 0;
    const std::size_t merged = (2 * i + 1) / 128;
    for (std::size_t j = zero - i; j <= zero + i; ++j) inside += static_cast<double>(own.counts[j]);
    for (std::size_t j = zero - i; j + merged <= zero + i; j += merged) {
      double level = 0;
      for (std::size_t k = j; k < j + merged; ++k) level += static_cast<double>(own.counts[k]);
      for (std::size_t k = j; k < j + merged; ++k) {
        const double p = static_cast<double>(own.counts[k]) / inside, q = level / static_cast<double>(merged) / inside;
        if (p > 0 && q > 0) sum += p * std::log(p / q);
      }
    }
    if (sum < least) {
      least = sum;
      best = i;
    }
  }
  const QuantizationParameters wrong =
      quantization_of({own.edges[zero - best], own.edges[zero + best + 1]}, -128, 127, false);
  CHECK(checked(wrong, options).verdict == Verdict::fail);
}

TEST_CASE("what Relu drops may be clipped, and only there") {
  Batches relu = batches();
  for (auto& batch : relu)
    for (float& value : batch) value = std::max(value, 0.0F);
  GraphModel model = model_of(quantization_of(range_of(relu, all_options[0]), -128, 127, false));
  CHECK(check_calibration(model, {{"x", batches()}}, all_options[0]).at(0).verdict == Verdict::fail);
  model.graph.nodes.push_back({"Relu", {"y"}, {"z"}});
  const Outcome outcome = check_calibration(model, {{"x", batches()}}, all_options[0]).at(0);
  CHECK(outcome.verdict == Verdict::pass);
  CHECK(outcome.diagnosis.at(0).find("what the Relu behind it leaves") != std::string::npos);
  model.graph.nodes.push_back({"Neg", {"y"}, {"w"}});
  CHECK(check_calibration(model, {{"x", batches()}}, all_options[0]).at(0).verdict == Verdict::fail);
}

TEST_CASE("zero points and scales that are a little off are caught where all elements are kept") {
  QuantizationParameters own = right(all_options[0]);
  ++own.zero_point;
  CHECK(checked(own, all_options[0]).verdict == Verdict::fail);
  own = right(all_options[0]);
  own.scale *= 1.0001F;
  CHECK(checked(own, all_options[0]).verdict == Verdict::fail);
}

TEST_CASE("what cannot be checked says why, and is no pass") {
  GraphModel model = model_of(right(all_options[0]));
  CHECK(check_calibration(model, {}, all_options[0]).at(0).verdict == Verdict::inconclusive);
  model.graph.constants[0] = tensor_of_values("scale", TensorType::float32, {2}, {1, 2});
  const Outcome channels = check_calibration(model, {{"x", batches()}}, all_options[0]).at(0);
  CHECK(channels.verdict == Verdict::unsupported);
  CHECK(channels.reason.find("2 scales") != std::string::npos);
  model.graph.constants.erase(model.graph.constants.begin());
  CHECK(check_calibration(model, {{"x", batches()}}, all_options[0]).at(0).reason.find("computed") !=
        std::string::npos);
  model = model_of(right(all_options[0]));
  model.graph.nodes[0].inputs[0] = "scale";  // a constant: of weights nothing is recorded
  CHECK(quantized_tensors(model).empty());
  CHECK(
      check_calibration(model_of({1, 0}, TensorType::float8e4m3fn), {{"x", batches()}}, all_options[0]).at(0).verdict ==
      Verdict::unsupported);
  CHECK(check_calibration(model_of({1, 0}), {{"x", {{}}}}, all_options[0]).at(0).verdict == Verdict::error);
}

TEST_CASE("losses are those of quantizing and back") {
  QuantizedTensor tensor;
  tensor.parameters = {0.5F, 10};
  tensor.lowest_code = 0;
  tensor.highest_code = 20;
  CHECK(tensor.range().low == -5);
  CHECK(tensor.range().high == 5);
  const QuantizationLoss loss = quantization_loss({{0.1F, -5}, {7}}, tensor);
  CHECK(std::fabs(loss.clipped - 1.0 / 3) < 1e-12);
  CHECK(std::fabs(loss.mean_squared_error - (0.1 * 0.1 + 4) / 3) < 1e-6);
  CHECK(quantization_loss({}, tensor).mean_squared_error == 0);
}
