#include "assay/kernels/rotary_embedding/rotary_embedding.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "assay/faults/rotary_embedding_faults.hpp"
#include "testing/operation_conformance.hpp"

using namespace assay;

// Largest error / allowed: 0.93 in bfloat16, 0.38 in float32, where an angle's error dominates.
TEST_CASE("right rotary embeddings are not accused") {
  testing::require_correct_kernels_pass<RotaryEmbedding>(0.3, 200);
}

TEST_CASE("every fault of a rotary embedding is caught by its default suite") {
  testing::require_faults_are_caught<RotaryEmbedding>();
}

namespace {
RotaryEmbeddingExpected expected_of(const RotaryEmbeddingProblem& problem, float* x) {
  RotaryEmbeddingExpected expected;
  expected.problem = problem;
  expected.arithmetic = BoundedArithmetic(Arithmetic{});
  expected.input = contiguous_operand(x, {problem.batch, problem.sequence, problem.heads, problem.dimension});
  return expected;
}
}  // namespace

TEST_CASE("rotary embeddings rotate pairs by position times frequency") {
  float x[] = {1, 2, 3, 4, 5, 6};
  RotaryEmbeddingProblem problem;
  problem.dimension = 6;
  problem.rotary_dimension = 4;
  problem.offset = 3;
  const double slow = 3 * 0.01;
  auto expected = expected_of(problem, x);
  CHECK(expected(0, 0).value == Approx(1 * std::cos(3.0) - 3 * std::sin(3.0)));
  CHECK(expected(0, 2).value == Approx(1 * std::sin(3.0) + 3 * std::cos(3.0)));
  CHECK(expected(0, 1).value == Approx(2 * std::cos(slow) - 4 * std::sin(slow)));
  CHECK(expected(0, 4).value == 5);
  CHECK(expected(0, 4).error == 0);
  problem.layout = RotaryLayout::interleaved;
  expected = expected_of(problem, x);
  CHECK(expected(0, 0).value == Approx(1 * std::cos(3.0) - 2 * std::sin(3.0)));
  CHECK(expected(0, 3).value == Approx(3 * std::sin(slow) + 4 * std::cos(slow)));
}

TEST_CASE("the inverse of a rotary embedding is its gradient: the transposed rotation") {
  float x[] = {0.5F, -1, 2, 0.25F}, g[] = {1, 3, -2, 0.5F};
  for (const RotaryLayout layout : {RotaryLayout::interleaved, RotaryLayout::half_split}) {
    RotaryEmbeddingProblem problem;
    problem.dimension = problem.rotary_dimension = 4;
    problem.offset = 1000003;
    problem.layout = layout;
    const auto forward = expected_of(problem, x);
    problem.inverse = true;
    const auto backward = expected_of(problem, g);
    double left = 0, right = 0;
    for (Index i = 0; i < 4; ++i) {
      left += static_cast<double>(g[i]) * forward(0, i).value;
      right += static_cast<double>(x[i]) * backward(0, i).value;
    }
    CHECK(left == Approx(right).epsilon(1e-12));
  }
}

TEST_CASE("at long positions the bound knows what float32 angles lose, and what exact ones do not") {
  float x[] = {1, 1};
  RotaryEmbeddingProblem problem;
  problem.dimension = problem.rotary_dimension = 2;
  problem.offset = 1 << 20;
  CHECK(expected_of(problem, x)(0, 0).error > 0.05);
  problem.angles = AngleArithmetic::exact;
  CHECK(expected_of(problem, x)(0, 0).error < 1e-5);
}

TEST_CASE("rotary embeddings that cannot be are refused") {
  RotaryEmbeddingProblem problem;
  SECTION("odd rotary dimension") {
    problem.rotary_dimension = 7;
    testing::require_refused<RotaryEmbedding>(problem, "rotary_dimension");
  }
  SECTION("rotary dimension above the head's") {
    problem.rotary_dimension = 66;
    testing::require_refused<RotaryEmbedding>(problem, "rotary_dimension");
  }
  SECTION("base") {
    problem.base = 0;
    testing::require_refused<RotaryEmbedding>(problem, "base");
  }
  SECTION("scale") {
    problem.position_scale = -1;
    testing::require_refused<RotaryEmbedding>(problem, "position_scale");
  }
  SECTION("offset") {
    problem.offset = -5;
    testing::require_refused<RotaryEmbedding>(problem, "offset");
  }
  SECTION("extent") {
    problem.heads = -1;
    testing::require_refused<RotaryEmbedding>(problem, "heads");
  }
}
