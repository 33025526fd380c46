#include "assay/adapters/eigen/gemm.hpp"

#include <tuple>

#include "adapters/gemm_exactness.hpp"

using namespace assay::testing;
using assay::bfloat16;
using assay::EigenLibrary;
using assay::float16;
using assay::GemmProblem;

using Formats = std::tuple<float, double, float16, bfloat16>;

template <class T>
using Uniform = assay::Gemm<T, T, T, T>;

TEMPLATE_LIST_TEST_CASE("Eigen multiplies every layout, leaves padding alone and does not read C where beta is 0", "",
                        Formats) {
  EigenLibrary backend(1);
  const ExactnessTally tally = check_exact_everywhere<EigenLibrary, Uniform<TestType>>(backend);
  CHECK(tally.first_fault == "");
  CHECK(tally.unsupported == 0);
  CHECK(tally.right == 640);
}

TEMPLATE_LIST_TEST_CASE("Eigen gives beta C where there is nothing to add", "", Formats) {
  EigenLibrary backend(1);
  ExactnessTally tally;
  int count = 0;
  for (const GemmProblem& problem :
       {GemmProblem{.m = 0, .n = 3, .k = 2}, GemmProblem{.m = 3, .n = 0, .k = 2}, GemmProblem{.m = 3, .n = 4, .k = 0},
        GemmProblem{.m = 30, .n = 40, .k = 0}, GemmProblem{.m = 3, .n = 4, .k = 2, .batch = 0},
        GemmProblem{.m = 3, .n = 4, .k = 0, .batch = 2}})
    for (const double beta : {0.0, 1.0, 2.0}) {
      GemmProblem scaled = problem;
      scaled.beta = beta;
      check_exact<EigenLibrary, Uniform<TestType>>(backend, scaled, tally);
      ++count;
    }
  CHECK(tally.first_fault == "");
  CHECK(tally.right == count);
}

// The format triple under which the kernels are offered is what the library does: 4096 and 4096 ones make 8192 in an
// f32 accumulator.
TEMPLATE_TEST_CASE("Eigen's 16-bit products keep their sums in 16 bits", "", float16, bfloat16) {
  EigenLibrary backend(1);
  auto stream = backend.make_stream().value();
  constexpr assay::Index k = 4097;
  std::vector<TestType> a(k, assay::encode<TestType>(1)), b(k, assay::encode<TestType>(1)), c(1);
  a[0] = assay::encode<TestType>(4096);
  const auto result = assay::kernel<EigenLibrary, Uniform<TestType>>::run(
      backend, stream, {.m = 1, .n = 1, .k = k},
      {{a.data(), {1, 1, k}, {k, k, 1}}, {b.data(), {1, k, 1}, {k, 1, 1}}, {c.data(), {1, 1, 1}, {1, 1, 1}}});
  REQUIRE(result);
  CHECK(assay::decode(c[0]) < 8192);
}

TEST_CASE(
    "Eigen's adapter refuses scalars that overflow the operands' format and problems that contradict themselves") {
  EigenLibrary backend(1);
  auto stream = backend.make_stream().value();
  const auto overflow =
      assay::kernel<EigenLibrary, Uniform<float16>>::run(backend, stream, {.m = 1, .n = 1, .k = 1, .alpha = 70000}, {});
  REQUIRE_FALSE(overflow);
  CHECK(overflow.error().kind == assay::ErrorKind::unsupported);
  CHECK_THAT(overflow.error().message, contains("alpha") && contains("f16"));
  const auto invalid =
      assay::kernel<EigenLibrary, Uniform<double>>::run(backend, stream, {.m = 1, .n = 1, .k = 1, .batch = -1}, {});
  REQUIRE_FALSE(invalid);
  CHECK(invalid.error().kind == assay::ErrorKind::invalid);
}
