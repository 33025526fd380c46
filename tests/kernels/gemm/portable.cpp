#include "assay/kernels/gemm/portable.hpp"

#include <limits>

#include "kernels/gemm_operands.hpp"
#include "testing/catch.hpp"

using namespace assay;
using namespace assay::testing;

TEST_CASE("an addition rounds product and sum in the accumulator") {
  CHECK(accumulate<float32>(1, 0x1p-12, 0x1p-12) == 1);  // half an ulp, to even
  CHECK(accumulate<float32>(1, 0x1.8p-12, 0x1p-12) == 1 + 0x1p-23);
  CHECK(accumulate<float16>(2048, 1, 1) == 2048);
  CHECK(accumulate<bfloat16>(256, 3, 1) == 260);  // a tie between 258 and 260, to even
  CHECK(accumulate<float64>(1, 0x1p-26, 0x1p-26) == 1 + 0x1p-52);
}

TEST_CASE("the portable kernel is the triple loop, in every layout") {
  using Op = Gemm<float32, float32, float32, float32>;
  for (StorageOrder order : {StorageOrder::row_major, StorageOrder::column_major})
    for (int transposes = 0; transposes < 4; ++transposes) {
      GemmProblem problem = gemm_of(3, 4, 5, 2);
      problem.order = order;
      problem.transpose_a = (transposes & 1) != 0;
      problem.transpose_b = (transposes & 2) != 0;
      problem.leading_dimension_c = 9;
      problem.alpha = 2;
      problem.beta = -1;
      GemmVectors<Op> operands(problem);
      const auto a = [](Index s, Index i, Index k) { return static_cast<double>(s * 7 + i * 3 - k); };
      const auto b = [](Index s, Index k, Index j) { return static_cast<double>(k * 2 - j + s); };
      const auto c = [](Index s, Index i, Index j) { return static_cast<double>(i - j * 5 + s); };
      operands.set(a, b, c);
      Host host(2);
      auto stream = host.make_stream();
      REQUIRE(portable_gemm<Op>(host, stream.value(), problem, operands.arguments()).has_value());
      const auto result = operands.arguments().c;
      for (Index s = 0; s < 2; ++s)
        for (Index i = 0; i < 3; ++i)
          for (Index j = 0; j < 4; ++j) {
            double sum = 0;
            for (Index k = 0; k < 5; ++k) sum += a(s, i, k) * b(s, k, j);
            REQUIRE(static_cast<double>(result(s, i, j)) == 2 * sum - c(s, i, j));
          }
    }
}

TEST_CASE("beta = 0 does not read C, alpha = 0 does not read A and B") {
  using Op = Gemm<float32, float32, float32, float32>;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  GemmProblem problem = gemm_of(2, 2, 2);
  GemmVectors<Op> operands(problem);
  Host host(1);
  auto stream = host.make_stream();
  operands.set([](Index, Index, Index) { return 1.0; }, [](Index, Index, Index) { return 1.0; },
               [&](Index, Index, Index) { return nan; });
  REQUIRE(portable_gemm<Op>(host, stream.value(), problem, operands.arguments()).has_value());
  for (float32 value : operands.c) CHECK(value == 2.0F);
  operands.set([&](Index, Index, Index) { return nan; }, [&](Index, Index, Index) { return nan; },
               [](Index, Index, Index) { return 3.0; });
  problem.alpha = 0;
  problem.beta = 1;
  REQUIRE(portable_gemm<Op>(host, stream.value(), problem, operands.arguments()).has_value());
  for (float32 value : operands.c) CHECK(value == 3.0F);
}
