#include "assay/plugin/plugin_quantizer.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>

#include "assay/plugin/loaded_plugin.hpp"
#include "assay/validators/quantize_suite.hpp"
#include "plugin/kernels.hpp"
#include "testing/catch.hpp"

using namespace assay;
using assay::testing::element;
using assay::testing::OneKernelPlugin;

namespace {

PluginBackend backend_of(const OneKernelPlugin& given) {
  return PluginBackend(describe_plugin(&given.plugin, "plugin libmine.so").value());
}

float number(const assay_plugin_tensor& tensor, std::int64_t row, std::int64_t column) {
  return element<float>(tensor, row * tensor.array.shape[1] + column);
}

enum class Fault { none, halves_away, wraps };

/// Codes of int8 with a scale of float32 for each row, amax/127.
std::int32_t quantize_rows(const assay_plugin_problem& problem, Fault fault) {
  const auto text = [&](const char* name) { return std::string(assay_plugin_find_attribute(&problem, name)->text); };
  const auto whole = [&](const char* name) { return assay_plugin_find_attribute(&problem, name)->integer; };
  if (text("element") != "int8" || text("scale_format") != "f32" || whole("block_rows") != 1 ||
      whole("block_columns") != 0 || whole("block_zero_points") != 0 || text("packing") != "bytes" ||
      text("scale_order") != "strided" || text("scale_rule") != "maximum")
    return ASSAY_PLUGIN_UNSUPPORTED;
  const assay_plugin_tensor &input = *assay_plugin_find_tensor(&problem, "input"),
                            &codes = *assay_plugin_find_tensor(&problem, "codes"),
                            &scales = *assay_plugin_find_tensor(&problem, "scales");
  if (std::strcmp(input.format, "f32") != 0) return ASSAY_PLUGIN_UNSUPPORTED;
  if (whole("columns") == 0) return ASSAY_PLUGIN_OK;
  for (std::int64_t row = 0; row < whole("rows"); ++row) {
    float largest = 0;
    for (std::int64_t c = 0; c < whole("columns"); ++c)
      if (std::isfinite(number(input, row, c))) largest = std::max(largest, std::fabs(number(input, row, c)));
    float scale = largest / (fault == Fault::wraps ? 127.6F : 127);
    if (scale == 0) scale = 1e-12F;
    element<float>(scales, row * scales.array.shape[1]) = scale;
    for (std::int64_t c = 0; c < whole("columns"); ++c) {
      const float quotient = number(input, row, c) / scale;
      const float rounded = fault == Fault::halves_away ? std::round(quotient) : std::nearbyint(quotient);
      const float most = fault == Fault::wraps ? 128.F : 127.F;
      const float code = std::isnan(rounded) ? 0 : std::fmin(most, std::fmax(-127.F, rounded));
      element<std::uint8_t>(codes, row * codes.array.shape[1] + c) = static_cast<std::uint8_t>(static_cast<int>(code));
    }
  }
  return ASSAY_PLUGIN_OK;
}

std::size_t failures(Fault fault, std::size_t& passed) {
  const OneKernelPlugin given("quantize", [fault](const assay_plugin_problem& problem, const assay_plugin_launch&) {
    return quantize_rows(problem, fault);
  });
  QuantizeSuiteOptions options;
  options.schemes = {int8_channel(), mxfp4()};
  Suite suite;
  add_quantize_cases<float32>(suite, Host(1), quantize_subject<Quantize<float32>>(backend_of(given)), options);
  std::size_t failed = 0;
  for (const Case& entry : suite) {
    if (!entry.tags.empty()) continue;  // large
    const Outcome outcome = entry.run({7, 1});
    INFO(entry.id << ": " << outcome.reason);
    CHECK((outcome.verdict == Verdict::unsupported) == (entry.id.find("mxfp4") != std::string::npos));
    failed += outcome.verdict == Verdict::fail ? 1 : 0;
    passed += outcome.verdict == Verdict::pass ? 1 : 0;
  }
  return failed;
}

}  // namespace

TEST_CASE("a plugin's quantizer is judged as any other: right ones pass, wrong ones fail, others are unsupported") {
  std::size_t passed = 0, some = 0;
  CHECK(failures(Fault::none, passed) == 0);
  CHECK(passed > 5);
  CHECK(failures(Fault::halves_away, some) > 0);
  CHECK(failures(Fault::wraps, some) > 0);
}

TEST_CASE("a dequantizer gets codes, scales and what tells how they are stored") {
  const OneKernelPlugin given("dequantize", [](const assay_plugin_problem& problem, const assay_plugin_launch&) {
    const auto text = [&](const char* name) { return std::string(assay_plugin_find_attribute(&problem, name)->text); };
    CHECK(text("scheme") == "mxfp4");
    CHECK(text("element_bits") == "4");
    CHECK(text("block_columns") == "32");
    CHECK(text("scale_format") == "e8m0fnu");
    CHECK((text("packing") == "low_first" || text("packing") == "high_first"));
    CHECK(assay_plugin_find_tensor(&problem, "zero_points") == nullptr);
    CHECK(assay_plugin_find_tensor(&problem, "codes")->role == ASSAY_PLUGIN_INPUT);
    CHECK(assay_plugin_find_tensor(&problem, "output")->role == ASSAY_PLUGIN_OUTPUT);
    CHECK(assay_plugin_find_tensor(&problem, "scales")->array.dtype.bits == 8);
    return std::int32_t{ASSAY_PLUGIN_UNSUPPORTED};
  });
  QuantizeSuiteOptions options;
  options.schemes = {mxfp4()};
  Suite suite;
  add_dequantize_cases<float32>(suite, Host(1), quantize_subject<Dequantize<float32>>(backend_of(given)), options);
  REQUIRE(suite.size() > 3);
  CHECK(suite[0].run({7, 1}).verdict == Verdict::unsupported);
}
