#include "assay/validators/gemm_suite.hpp"

#include <set>

#include "testing/catch.hpp"
#include "validators/gemm_checks.hpp"

using namespace assay;
using namespace assay::testing;

TEST_CASE("a suite has a case for each shape and fill, with ids of its own and labels to select by") {
  Suite suite;
  add_gemm_cases<Bf16Gemm>(suite, shared_host(), correct<Bf16Gemm>());
  std::size_t expected = 0, large = 0;
  for (const GemmShape& shape : default_gemm_shapes())
    expected += shape.fills.size(), large += shape.large ? shape.fills.size() : 0;
  CHECK(suite.size() == expected);
  std::set<std::string> ids;
  std::size_t tagged = 0;
  for (const Case& entry : suite) {
    CHECK(ids.insert(entry.id).second);
    CHECK(entry.id ==
          "gemm/emulated-sequential/bf16.f32.bf16/" + entry.labels.at("shape") + "/" + entry.labels.at("data"));
    CHECK(entry.labels.at("formats") == "bf16.f32.bf16");
    tagged += entry.tags == std::vector<std::string>{"large"} ? 1 : 0;
  }
  CHECK(tagged == large);
}

TEST_CASE("cases check what they are made of") {
  GemmSuiteOptions options;
  options.shapes = {{gemm_of(20, 8, 30), {FillKind::uniform, FillKind::exact_integer}, false},
                    {gemm_of(4, 4, 4), {FillKind::normal}, true}};
  Suite suite;
  add_gemm_cases<F32Gemm>(suite, shared_host(), correct<F32Gemm>(), options);
  add_gemm_cases<F32Gemm>(suite, shared_host(), faulty<F32Gemm>("dropped_term"), options);
  add_gemm_cases<F32Gemm>(suite, shared_host(), options);
  REQUIRE(suite.size() == 9);
  for (std::size_t i = 0; i < 9; ++i) {
    INFO(suite[i].id);
    CHECK(suite[i].run(CaseContext{3, 1}).verdict == (i < 3   ? Verdict::pass
                                                      : i < 6 ? Verdict::fail
                                                              : Verdict::unsupported));
  }
  options.check = with_tolerance("atol=1000,rtol=0");
  Suite lenient;
  add_gemm_cases<F32Gemm>(lenient, shared_host(), faulty<F32Gemm>("dropped_term"), options);
  CHECK(lenient.front().run(CaseContext{3, 1}).verdict == Verdict::pass);
}
