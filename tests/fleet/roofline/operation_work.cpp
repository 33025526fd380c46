#include "assay/fleet/roofline/operation_work.hpp"

#include <cmath>
#include <set>
#include <string>

#include "testing/catch.hpp"

using namespace assay;
using namespace assay::testing;

TEST_CASE("work by formula") {
  const OperationWork gemm = parse_problem("gemm m=4096 n=4096 k=4096").value().work(2);
  CHECK(gemm.flop == 2.0 * 4096 * 4096 * 4096);
  CHECK(gemm.bytes == 3.0 * 4096 * 4096 * 2);
  CHECK(gemm.intensity() == Approx(4096 / 3.0));
  CHECK(parse_problem("triad elements=1000").value().work(8).bytes == 24'000);
  CHECK(parse_problem("gather rows=10 columns=64").value().work(2).flop == 0);
  // Decoding: one query a head reads all keys and values.
  const OperationWork decode =
      parse_problem("attention batch=1 heads=64 kv_heads=8 queries=1 keys=8192 head_size=128").value().work(2);
  CHECK(decode.bytes == 2.0 * (2 * 64 * 128 + 2.0 * 8 * 8192 * 128));
  CHECK(decode.intensity() < 9);
  const OperationWork convolution =
      parse_problem("convolution batch=1 channels=64 filters=64 height=56 width=56 kernel=3 stride=1").value().work(2);
  CHECK(convolution.flop == 2.0 * 64 * 64 * 9 * 56 * 56);
  CHECK(std::isinf(OperationWork{1, 0}.intensity()));
}

TEST_CASE("every formula takes its extents, and works for the smallest") {
  std::set<std::string> seen;
  for (const OperationFormula& formula : operation_formulas()) {
    std::string text(formula.operation);
    CHECK(seen.insert(text).second);
    for (const char* extent : formula.extents) text += " " + std::string(extent) + "=1";
    INFO(text);
    const auto problem = parse_problem(text);
    REQUIRE(problem.has_value());
    CHECK(problem.value().name == text);
    CHECK(problem.value().work(1).bytes > 0);
    CHECK(problem.value().work(1).flop >= 0);
  }
}

TEST_CASE("problems that cannot be meant") {
  const auto refusal = [](const char* text) { return parse_problem(text).error().message; };
  CHECK_THAT(refusal("gem m=1 n=1 k=1"), contains("nearest: gemm"));
  CHECK_THAT(refusal(""), contains("unknown operation"));
  CHECK_THAT(refusal("gemm m=1 n=1"), contains("'k' is missing"));
  CHECK_THAT(refusal("gemm m=1 n=1 q=1"), contains("unknown extent of gemm 'q'"));
  CHECK_THAT(refusal("gemm m=1 n=1 k=0"), contains("whole number"));
  CHECK_THAT(refusal("gemm m=1 n=1 k=nan"), contains("whole number"));
  CHECK_THAT(refusal("gemm m=1 n=1 k=1.5"), contains("whole number"));
  CHECK_THAT(refusal("gemm m=1 m=1 k=1"), contains("twice"));
  CHECK_THAT(refusal("gemm m n=1 k=1"), contains("whole number"));
}
