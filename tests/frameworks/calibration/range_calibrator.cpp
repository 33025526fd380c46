#include "assay/frameworks/calibration/range_calibrator.hpp"

#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "testing/calibration_batches.hpp"
#include "testing/catch.hpp"

using namespace assay;
using assay::testing::calibration_batch;

namespace {

const std::map<std::string, std::vector<std::vector<float>>>& data() {
  static const std::map<std::string, std::vector<std::vector<float>>> all = [] {
    std::map<std::string, std::vector<std::vector<float>>> own;
    own["one"] = {calibration_batch(1, 5000, 4)};
    own["growing"] = {calibration_batch(1, 3000, 1), calibration_batch(2, 3000, 2.5), calibration_batch(3, 3000, 2)};
    own["relu"] = {calibration_batch(5, 4000, 3, true), calibration_batch(6, 4000, 5, true)};
    own["outlier"] = {calibration_batch(7, 8000, 1)};
    own["outlier"][0].push_back(40);
    own["zeros"] = {std::vector<float>(100, 0), calibration_batch(8, 2000, 1)};
    return own;
  }();
  return all;
}

struct Golden {
  const char* data;
  CalibrationMethod method;
  bool symmetric;
  int bins, levels;
  double percentile;
  float low, high;
  std::size_t bins_at_last;
};

/// What onnxruntime.quantization 1.32.0 gives for these data (HistogramCollector); of mse a program in NumPy.
const std::vector<Golden> golden{
    {"one", CalibrationMethod::percentile, false, 2048, 128, 99.999, -0x1.fff568p+1F, 0x1.ff7c88p+1F, 2048},
    {"one", CalibrationMethod::percentile, false, 2048, 128, 99.0, -0x1.f5fc9ap+1F, 0x1.f17ca0p+1F, 2048},
    {"one", CalibrationMethod::percentile, true, 2048, 128, 99.0, -0x1.f3bc9ep+1F, 0x1.f3bc9ep+1F, 2048},
    {"one", CalibrationMethod::percentile, true, 512, 128, 99.9, -0x1.fdfc8cp+1F, 0x1.fdfc8cp+1F, 512},
    {"one", CalibrationMethod::entropy, false, 128, 128, 99.0, -0x1.fff568p+1F, 0x1.fffc88p+1F, 128},
    {"one", CalibrationMethod::entropy, false, 1024, 128, 99.0, -0x1.fff568p+1F, 0x1.fffc88p+1F, 1024},
    {"one", CalibrationMethod::entropy, false, 513, 64, 99.0, -0x1.fff568p+1F, 0x1.fffc88p+1F, 513},
    {"growing", CalibrationMethod::percentile, false, 2048, 128, 99.999, -0x1.3e69fap+1F, 0x1.3fd870p+1F, 5120},
    {"growing", CalibrationMethod::percentile, false, 2048, 128, 99.0, -0x1.2c58e6p+1F, 0x1.243918p+1F, 5120},
    {"growing", CalibrationMethod::percentile, true, 2048, 128, 99.0, -0x1.284cfap+1F, 0x1.284cfap+1F, 5119},
    {"growing", CalibrationMethod::percentile, true, 512, 128, 99.9, -0x1.3d770ep+1F, 0x1.3d770ep+1F, 1280},
    {"growing", CalibrationMethod::entropy, false, 128, 128, 99.0, -0x1.01f9e8p+1F, 0x1.03f9dcp+1F, 320},
    {"growing", CalibrationMethod::entropy, false, 1024, 128, 99.0, -0x1.31b8c6p+1F, 0x1.31f8c4p+1F, 2560},
    {"growing", CalibrationMethod::entropy, false, 513, 64, 99.0, -0x1.339ee8p+1F, 0x1.339ee8p+1F, 1283},
    {"relu", CalibrationMethod::percentile, false, 2048, 128, 99.999, 0.0F, 0x1.3fbfe8p+2F, 3414},
    {"relu", CalibrationMethod::percentile, false, 2048, 128, 99.0, 0.0F, 0x1.2bb1ecp+2F, 3414},
    {"relu", CalibrationMethod::percentile, true, 2048, 128, 99.0, 0.0F, 0x1.1bc514p+2F, 3414},
    {"relu", CalibrationMethod::percentile, true, 512, 128, 99.9, 0.0F, 0x1.3b9fd8p+2F, 854},
    {"relu", CalibrationMethod::entropy, false, 128, 128, 99.0, 0.0F, 0x1.85d8e0p+1F, 214},
    {"relu", CalibrationMethod::entropy, false, 1024, 128, 99.0, 0.0F, 0x1.3840a8p+2F, 1708},
    {"relu", CalibrationMethod::entropy, false, 513, 64, 99.0, 0.0F, 0x1.37a4dap+2F, 855},
    {"outlier", CalibrationMethod::percentile, false, 2048, 128, 99.999, -0x1.ff1892p-1F, 0x1.3fb000p+5F, 2048},
    {"outlier", CalibrationMethod::percentile, false, 2048, 128, 99.0, -0x1.f40000p-1F, 0x1.e00000p-1F, 2048},
    {"outlier", CalibrationMethod::percentile, true, 2048, 128, 99.0, -0x1.ea0000p-1F, 0x1.ea0000p-1F, 2048},
    {"outlier", CalibrationMethod::percentile, true, 512, 128, 99.9, -0x1.e00000p-1F, 0x1.e00000p-1F, 512},
    {"outlier", CalibrationMethod::entropy, false, 128, 128, 99.0, -0x1.ff1892p-1F, 0x1.400000p+5F, 128},
    {"zeros", CalibrationMethod::percentile, false, 2048, 128, 99.999, -0x1.fff958p-1F, 0x1.ff7958p-1F, 2048},
    {"zeros", CalibrationMethod::percentile, false, 2048, 128, 99.0, -0x1.f37982p-1F, 0x1.f37980p-1F, 2048},
    {"zeros", CalibrationMethod::percentile, true, 2048, 128, 99.0, -0x1.f30000p-1F, 0x1.f30000p-1F, 3072},
    {"zeros", CalibrationMethod::percentile, true, 512, 128, 99.9, -0x1.ff0000p-1F, 0x1.ff0000p-1F, 768},
    {"zeros", CalibrationMethod::entropy, false, 128, 128, 99.0, -0x1.fff958p-1F, 0x1.ffc92ap-1F, 128},
    {"zeros", CalibrationMethod::entropy, false, 1024, 128, 99.0, -0x1.fff958p-1F, 0x1.ffc92ap-1F, 1024},
    {"zeros", CalibrationMethod::entropy, false, 513, 64, 99.0, -0x1.fff958p-1F, 0x1.ffc92ap-1F, 513},
    {"one", CalibrationMethod::mean_squared_error, false, 2048, 128, 99.0, -0x1.fdfc8cp+1F, 0x1.fdfc8cp+1F, 2048},
    {"one", CalibrationMethod::mean_squared_error, true, 2048, 128, 99.0, -0x1.fbfc90p+1F, 0x1.fbfc90p+1F, 2048},
    {"outlier", CalibrationMethod::mean_squared_error, false, 2048, 128, 99.0, -0x1.ff1892p-1F, 0x1.3a6000p+5F, 2048},
    {"outlier", CalibrationMethod::mean_squared_error, true, 2048, 128, 99.0, -0x1.39c000p+5F, 0x1.39c000p+5F, 2048},
};

RangeCalibrator calibrated(const std::string& name, const CalibrationOptions& options) {
  RangeCalibrator calibrator(options);
  for (const auto& batch : data().at(name)) REQUIRE(calibrator.add(batch));
  return calibrator;
}

}  // namespace

TEST_CASE("ranges are those of onnxruntime.quantization, to the bit") {
  for (const Golden& row : golden) {
    CAPTURE(row.data, name_of(row.method), row.symmetric, row.bins, row.percentile);
    const RangeCalibrator own = calibrated(row.data, {row.method, row.symmetric, row.percentile, row.bins, row.levels});
    const auto range = own.range();
    REQUIRE(range);
    CHECK(own.histogram().counts.size() == row.bins_at_last);
    CHECK(range.value().low == row.low);
    CHECK(range.value().high == row.high);
  }
}

TEST_CASE("where float32 decides between candidates, float64 takes the least, and what float32 takes is as good") {
  const CalibrationOptions options{CalibrationMethod::entropy, false, 99, 1024, 128};
  const RangeCalibrator own = calibrated("outlier", options);
  const CalibratedRange taken = own.range().value();
  CHECK(taken.high == 9.0625F);
  const CalibratedRange other{taken.low, 0x1.1a8000p+3F};  // onnxruntime.quantization's: 1.0253248e-3, not 1.0252993e-3
  const RangeCandidate best = own.candidate_near(taken), near = own.candidate_near(other);
  CHECK(best.range.high == taken.high);
  CHECK(near.range.high == other.high);
  CHECK(std::fabs(best.loss - 1.0252992421364924e-3) < 1e-12);
  CHECK(std::fabs(near.loss - 1.0253248211487046e-3) < 1e-12);
}

TEST_CASE("min-max is what lies outermost") {
  const auto range = calibrated("growing", {}).range();
  float least = 0, most = 0;
  for (const auto& batch : data().at("growing"))
    for (const float value : batch) {
      least = std::min(least, value);
      most = std::max(most, value);
    }
  CHECK(range.value().low == least);
  CHECK(range.value().high == most);
  CalibrationOptions options;
  options.symmetric = true;
  const auto symmetric = calibrated("growing", options).range();
  CHECK(symmetric.value().high == std::max(-least, most));
  CHECK(symmetric.value().low == -symmetric.value().high);
}

TEST_CASE("scales and zero points are those of onnxruntime.quantization") {
  struct Row {
    float low, high;
    std::int64_t lowest, highest;
    bool symmetric;
    float scale;
    std::int64_t zero_point;
  };
  for (const Row& row : std::vector<Row>{
           {-1.5F, 3.25F, 0, 255, false, 0x1.313132p-6F, 81},
           {-1.5F, 3.25F, -128, 127, false, 0x1.313132p-6F, -47},
           {-1.5F, 3.25F, -127, 127, true, 0x1.a3468ep-6F, 0},
           {0.5F, 3.25F, 0, 255, false, 0x1.a1a1a2p-7F, 0},
           {-2.0F, -1.0F, -128, 127, false, 0x1.010102p-7F, 127},
           {-1.5F, 3.25F, 0, 255, true, 0x1.a1a1a2p-6F, 128},
           {0.0F, 0.0F, 0, 255, false, 0x1.000000p+0F, 0},
           {-0.001F, 6.0F, -8, 7, false, 0x1.99ab14p-2F, -8},
           {0.0F, 1e-39F, 0, 255, false, 0x1.000000p+0F, 0},
       }) {
    CAPTURE(row.low, row.high, row.lowest, row.highest, row.symmetric);
    const QuantizationParameters own = quantization_of({row.low, row.high}, row.lowest, row.highest, row.symmetric);
    CHECK(own.scale == row.scale);
    CHECK(own.zero_point == row.zero_point);
  }
}

TEST_CASE("every element is counted in one bin, whatever came before") {
  for (const char* name : {"one", "growing", "relu", "outlier", "zeros"}) {
    const RangeCalibrator own = calibrated(name, {CalibrationMethod::entropy, false, 99, 512, 128});
    std::int64_t sum = 0;
    for (const std::int64_t count : own.histogram().counts) sum += count;
    CHECK(sum == own.histogram().elements);
    CHECK(own.histogram().edges.size() == own.histogram().counts.size() + 1);
  }
}

TEST_CASE("NaN are left out; infinities and nothing at all are told of; methods have names") {
  RangeCalibrator own({});
  CHECK(own.range().error().kind == ErrorKind::invalid);
  const float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
  REQUIRE(own.add(std::vector<float>{nan, nan}));
  CHECK(!own.range());
  REQUIRE(own.add(std::vector<float>{nan, 2, 1}));
  CHECK(own.range().value().low == 1);
  CHECK(own.add(std::vector<float>{1, infinity}).error().kind == ErrorKind::invalid);
  CHECK(own.range().value().high == 2);
  for (const char* name : {"min-max", "percentile", "entropy", "mse"})
    CHECK(name_of(calibration_method_named(name).value()) == name);
  CHECK(calibration_method_named("kl").error().message.find("entropy") != std::string::npos);
}
