#include "assay/adapters/onednn/gemm.hpp"

#include <tuple>

#include "adapters/gemm_exactness.hpp"

using namespace assay::testing;
using assay::bfloat16;
using assay::float16;
using assay::GemmProblem;
using assay::OneDnn;

using Single = assay::Gemm<float, float, float, float>;
using Narrow =
    std::tuple<assay::Gemm<bfloat16, bfloat16, float, float>, assay::Gemm<bfloat16, bfloat16, float, bfloat16>,
               assay::Gemm<float16, float16, float, float>, assay::Gemm<float16, float16, float, float16>>;

TEST_CASE("oneDNN multiplies every layout, leaves padding alone and does not read C where beta is 0") {
  OneDnn backend(1);
  const ExactnessTally tally = check_exact_everywhere<OneDnn, Single>(backend);
  CHECK(tally.first_fault == "");
  CHECK(tally.unsupported == 0);
  CHECK(tally.right == 640);
}

TEMPLATE_LIST_TEST_CASE("oneDNN's 16-bit products are right, or refused with the reason", "", Narrow) {
  OneDnn backend(1);
  const ExactnessTally tally = check_exact_everywhere<OneDnn, TestType>(backend);
  CHECK(tally.first_fault == "");
  CHECK(tally.right + tally.unsupported == 640);
  if (tally.unsupported > 0) {
    CHECK_THAT(tally.reason, contains(OneDnn::version()) && contains("not implemented"));
  }
}

TEST_CASE("oneDNN is not asked for an empty C, nor for k = 0, where it would leave C unwritten") {
  OneDnn backend(1);
  ExactnessTally tally;
  for (const double beta : {0.0, 2.0})
    for (const GemmProblem& problem :
         {GemmProblem{.m = 0, .n = 3, .k = 2, .beta = beta}, GemmProblem{.m = 3, .n = 0, .k = 2, .beta = beta},
          GemmProblem{.m = 0, .n = 0, .k = 0, .beta = beta},
          GemmProblem{.m = 3, .n = 4, .k = 2, .batch = 0, .beta = beta}})
      check_exact<OneDnn, Single>(backend, problem, tally);
  CHECK(tally.first_fault == "");
  CHECK(tally.right == 0);
  CHECK(tally.unsupported == 8);
  CHECK_THAT(tally.reason, contains("empty C"));
  ExactnessTally no_terms;
  for (const double beta : {0.0, 2.0})
    check_exact<OneDnn, Single>(backend, {.m = 3, .n = 4, .k = 0, .beta = beta}, no_terms);
  CHECK(no_terms.unsupported == 2);
  CHECK_THAT(no_terms.reason, contains("k = 0"));
}

TEST_CASE("oneDNN's adapter refuses scalars that overflow f32 and problems that contradict themselves") {
  OneDnn backend(1);
  auto stream = backend.make_stream().value();
  const auto overflow =
      assay::kernel<OneDnn, Single>::run(backend, stream, {.m = 1, .n = 1, .k = 1, .alpha = -1e300}, {});
  REQUIRE_FALSE(overflow);
  CHECK(overflow.error().kind == assay::ErrorKind::unsupported);
  CHECK_THAT(overflow.error().message, contains("alpha") && contains("f32"));
  const auto invalid = assay::kernel<OneDnn, Single>::run(backend, stream, {.m = 1, .n = 1, .k = -1}, {});
  REQUIRE_FALSE(invalid);
  CHECK(invalid.error().kind == assay::ErrorKind::invalid);
}
