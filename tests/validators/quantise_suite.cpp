#include "assay/validators/quantise_suite.hpp"

#include <set>
#include <string>

#include "testing/catch.hpp"
#include "validators/quantise_checks.hpp"

using namespace assay;
using namespace assay::testing;

TEST_CASE("a suite of quantisers has ids of its own, labels to select by, and passes for Assay's own kernels") {
  Suite suite;
  QuantiseSuiteOptions options;
  add_quantise_cases<bfloat16>(suite, quantise_worker(), portable_quantise_subject<bfloat16>(quantise_worker()), options);
  const std::size_t quantisers = suite.size();
  add_dequantise_cases<float32>(suite, quantise_worker(), portable_dequantise_subject<float32>(quantise_worker()), options);
  CHECK(quantisers > 200);
  CHECK(suite.size() > quantisers + 100);
  std::set<std::string> ids, verdicts;
  for (const Case& entry : suite) {
    CHECK(ids.insert(entry.id).second);
    CHECK(entry.id == entry.labels.at("operation") + "/host/" + entry.labels.at("formats") + "/" + entry.labels.at("shape") + "/" +
                          entry.labels.at("data"));
    if (!entry.tags.empty()) continue;
    const Outcome outcome = entry.run(CaseContext{7, 1});
    INFO(entry.id << ": " << all_said(outcome));
    CHECK(outcome.verdict == Verdict::pass);
  }
  CHECK(ids.count("quantise/host/bf16.mxfp4/r33-c200/ties") == 1);
  CHECK(ids.count("quantise/host/bf16.nvfp4/r130-c140-tiles/small") == 1);
  CHECK(ids.count("dequantise/host/nvfp4.f32/r33-c200/special") == 1);
  CHECK(ids.count("quantise/host/bf16.mxfp4/r4096-c4096/normal") == 1);
}

TEST_CASE("cases check what they are made of, and explain it") {
  QuantiseSuiteOptions options;
  options.schemes = {mxfp4()};
  options.shapes = [](const BlockScaling& scheme) {
    return std::vector<QuantiseShape>{{quantise_problem(scheme, 5, 70), {QuantiseFillKind::normal, QuantiseFillKind::ties}}};
  };
  Suite suite;
  add_quantise_cases<float32>(suite, quantise_worker(), emulated_quantise_subject<float32>(QuantiseVariant::divide), options);
  add_quantise_cases<float32>(suite, quantise_worker(), emulated_quantise_subject<float32>(QuantiseVariant::divide, "nibble_order"),
                              options);
  add_quantise_cases<float32>(suite, Host(1), options);
  REQUIRE(suite.size() == 6);
  for (std::size_t i = 0; i < 6; ++i)
    CHECK(suite[i].run(CaseContext{3, 1}).verdict == (i < 2 ? Verdict::pass : i < 4 ? Verdict::fail : Verdict::unsupported));
  CHECK(suite[0].explain(CaseContext{}).size() >= 3);
  Suite values;
  add_dequantise_cases<float32>(values, quantise_worker(), emulated_dequantise_subject<float32>(QuantiseVariant::divide, "scale_stride"),
                                options);
  REQUIRE(values.size() == 1);
  CHECK(values[0].run(CaseContext{3, 1}).verdict == Verdict::fail);
  CHECK(values[0].explain(CaseContext{}).size() >= 2);
}
