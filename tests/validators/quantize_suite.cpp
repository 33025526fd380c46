#include "assay/validators/quantize_suite.hpp"

#include <set>
#include <string>

#include "testing/catch.hpp"
#include "validators/quantize_checks.hpp"

using namespace assay;
using namespace assay::testing;

TEST_CASE("a suite of quantizers has ids of its own, labels to select by, and passes for Assay's own kernels") {
  Suite suite;
  QuantizeSuiteOptions options;
  add_quantize_cases<bfloat16>(suite, quantize_worker(), portable_quantize_subject<bfloat16>(quantize_worker()),
                               options);
  const std::size_t quantizers = suite.size();
  add_dequantize_cases<float32>(suite, quantize_worker(), portable_dequantize_subject<float32>(quantize_worker()),
                                options);
  CHECK(quantizers > 200);
  CHECK(suite.size() > quantizers + 100);
  std::set<std::string> ids, verdicts;
  for (const Case& entry : suite) {
    CHECK(ids.insert(entry.id).second);
    CHECK(entry.id == entry.labels.at("operation") + "/host/" + entry.labels.at("formats") + "/" +
                          entry.labels.at("shape") + "/" + entry.labels.at("data"));
    if (!entry.tags.empty()) continue;
    const Outcome outcome = entry.run(CaseContext{7, 1});
    INFO(entry.id << ": " << all_said(outcome));
    CHECK(outcome.verdict == Verdict::pass);
  }
  CHECK(ids.count("quantize/host/bf16.mxfp4/r33-c200/ties") == 1);
  CHECK(ids.count("quantize/host/bf16.nvfp4/r130-c140-tiles/small") == 1);
  CHECK(ids.count("dequantize/host/nvfp4.f32/r33-c200/special") == 1);
  CHECK(ids.count("quantize/host/bf16.mxfp4/r4096-c4096/normal") == 1);
}

TEST_CASE("cases check what they are made of, and explain it") {
  QuantizeSuiteOptions options;
  options.schemes = {mxfp4()};
  options.shapes = [](const BlockScaling& scheme) {
    return std::vector<QuantizeShape>{
        {quantize_problem(scheme, 5, 70), {QuantizeFillKind::normal, QuantizeFillKind::ties}}};
  };
  Suite suite;
  add_quantize_cases<float32>(suite, quantize_worker(), emulated_quantize_subject<float32>(QuantizeVariant::divide),
                              options);
  add_quantize_cases<float32>(suite, quantize_worker(),
                              emulated_quantize_subject<float32>(QuantizeVariant::divide, "nibble_order"), options);
  add_quantize_cases<float32>(suite, Host(1), options);
  REQUIRE(suite.size() == 6);
  for (std::size_t i = 0; i < 6; ++i)
    CHECK(suite[i].run(CaseContext{3, 1}).verdict == (i < 2   ? Verdict::pass
                                                      : i < 4 ? Verdict::fail
                                                              : Verdict::unsupported));
  CHECK(suite[0].explain(CaseContext{}).size() >= 3);
  Suite values;
  add_dequantize_cases<float32>(values, quantize_worker(),
                                emulated_dequantize_subject<float32>(QuantizeVariant::divide, "scale_stride"), options);
  REQUIRE(values.size() == 1);
  CHECK(values[0].run(CaseContext{3, 1}).verdict == Verdict::fail);
  CHECK(values[0].explain(CaseContext{}).size() >= 2);
}
