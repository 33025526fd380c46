#include "assay/adapters/openblas/gemm.hpp"

#include "adapters/gemm_exactness.hpp"

using namespace assay::testing;
using assay::GemmProblem;
using assay::OpenBlas;

using Single = assay::Gemm<float, float, float, float>;
using Double = assay::Gemm<double, double, double, double>;
using Brain = assay::Gemm<assay::bfloat16, assay::bfloat16, float, float>;

TEMPLATE_TEST_CASE("OpenBLAS multiplies every layout, leaves padding alone and does not read C where beta is 0", "",
                   Single, Double) {
  OpenBlas backend(1);
  const ExactnessTally tally = check_exact_everywhere<OpenBlas, TestType>(backend);
  CHECK(tally.first_fault == "");
  CHECK(tally.unsupported == 0);
  CHECK(tally.right == 640);
}

TEST_CASE("OpenBLAS's bf16 product is right, or refused with the reason") {
  OpenBlas backend(1);
  const ExactnessTally tally = check_exact_everywhere<OpenBlas, Brain>(backend);
  CHECK(tally.first_fault == "");
  if (&cblas_sbgemm != nullptr) {
    CHECK(tally.right == 640);
  } else {
    CHECK(tally.unsupported == 640);
    CHECK_THAT(tally.reason, contains("BUILD_BFLOAT16"));
  }
}

TEMPLATE_TEST_CASE("OpenBLAS treats empty extents as BLAS does", "", Single, Double) {
  OpenBlas backend(1);
  ExactnessTally tally;
  int count = 0;
  for (const GemmProblem& problem :
       {GemmProblem{.m = 0, .n = 3, .k = 2}, GemmProblem{.m = 3, .n = 0, .k = 2}, GemmProblem{.m = 3, .n = 4, .k = 0},
        GemmProblem{.m = 0, .n = 0, .k = 0}, GemmProblem{.m = 3, .n = 4, .k = 2, .batch = 0},
        GemmProblem{.m = 3, .n = 4, .k = 0, .batch = 2}})
    for (const double beta : {0.0, 1.0, 2.0}) {
      GemmProblem scaled = problem;
      scaled.beta = beta;
      check_exact<OpenBlas, TestType>(backend, scaled, tally);
      ++count;
    }
  CHECK(tally.first_fault == "");
  CHECK(tally.right == count);
}

TEST_CASE("OpenBLAS refuses what its integers cannot count, and scalars that overflow, before it touches memory") {
  OpenBlas backend(1);
  auto stream = backend.make_stream().value();
  if constexpr (sizeof(blasint) == 4) {
    const auto result = assay::kernel<OpenBlas, Single>::run(
        backend, stream, {.m = 1, .n = 1, .k = 1, .leading_dimension_b = assay::Index{1} << 31}, {});
    REQUIRE_FALSE(result);
    CHECK(result.error().kind == assay::ErrorKind::unsupported);
    CHECK_THAT(result.error().message, contains("2147483648") && contains("at most 2147483647"));
  }
  const auto overflow =
      assay::kernel<OpenBlas, Single>::run(backend, stream, {.m = 1, .n = 1, .k = 1, .beta = 1e300}, {});
  REQUIRE_FALSE(overflow);
  CHECK(overflow.error().kind == assay::ErrorKind::unsupported);
  CHECK_THAT(overflow.error().message, contains("beta") && contains("f32"));
  const auto invalid = assay::kernel<OpenBlas, Double>::run(backend, stream, {.m = -1, .n = 1, .k = 1}, {});
  REQUIRE_FALSE(invalid);
  CHECK(invalid.error().kind == assay::ErrorKind::invalid);
}
