#include "assay/adapters/cudnn/attention.hpp"

#include "adapters/cudnn/told.hpp"

using namespace assay;
using assay::testing::contains;

namespace {

double value(std::size_t operand, Index element) {
  return static_cast<double>((element * 29 + static_cast<Index>(operand) * 7 + element / 13) % 31) / 16 - 1;
}

double told_otherwise(AttentionProblem problem, Index gap) {
  problem.query = problem.key_value = problem.output = problem.weights = element_format<float16>();
  INFO(name_of(problem) << ", gap " << gap);
  REQUIRE(detail::cudnn_attention_refusal(problem) == "");
  return testing::told_otherwise<Attention>(problem, gap, value, [&](const OperandArray& operands) {
    return detail::CudnnAttention(problem, operands).graph();
  });
}

AttentionProblem plain() {
  AttentionProblem problem;
  problem.batch = 2;
  problem.heads = 4;
  problem.key_heads = 2;
  problem.queries = 5;
  problem.keys = 9;
  problem.depth = 8;
  problem.value_depth = 16;
  return problem;
}

}  // namespace

TEST_CASE("cuDNN is told attentions as they are: grouped heads, masks, windows, both alignments, gaps") {
  const double half_ulp = 0x1p-10;  // an output and a weight rounded otherwise
  for (const Index gap : {0, 8}) CHECK(told_otherwise(plain(), gap) <= half_ulp);
  for (const auto alignment : {AttentionAlignment::top_left, AttentionAlignment::bottom_right})
    for (const bool causal : {false, true})
      for (const Index left : {-1, 0, 2})
        for (const Index right : {-1, 3}) {
          AttentionProblem problem = plain();
          problem.alignment = alignment;
          problem.causal = causal;
          problem.window_left = left;
          problem.window_right = right;
          if (left >= 0 && !causal && right < 0) continue;
          CHECK(told_otherwise(problem, 0) <= half_ulp);
        }
  for (const auto mask : {AdditiveMask::shared, AdditiveMask::per_head}) {
    AttentionProblem problem = plain();
    problem.additive_mask = mask;
    problem.scale = 0.75;
    CHECK(told_otherwise(problem, 0) <= half_ulp);
    CHECK(told_otherwise(problem, 3) <= half_ulp);
  }
}

TEST_CASE("A graph that masks by another diagonal is not the problem's") {
  AttentionProblem problem = plain();
  problem.query = problem.key_value = problem.output = problem.weights = element_format<float16>();
  problem.causal = true;
  const double off = testing::told_otherwise<Attention>(problem, 0, value, [&](const OperandArray& operands) {
    AttentionProblem other = problem;
    other.alignment = AttentionAlignment::top_left;
    return detail::CudnnAttention(other, operands).graph();
  });
  CHECK(off > 0.01);
}

TEST_CASE("What cuDNN's attention has not is refused in words") {
  const auto refusal = [](auto change) {
    AttentionProblem problem = plain();
    problem.query = problem.key_value = problem.output = problem.weights = element_format<bfloat16>();
    change(problem);
    return detail::cudnn_attention_refusal(problem);
  };
  CHECK(refusal([](AttentionProblem&) {}) == "");
  CHECK_THAT(refusal([](AttentionProblem& problem) { problem.storage = AttentionStorage::paged; }), contains("dense"));
  CHECK_THAT(refusal([](AttentionProblem& problem) { problem.key_lengths = {3, 4}; }), contains("one length"));
  CHECK_THAT(refusal([](AttentionProblem& problem) { problem.query = element_format<float32>(); }),
             contains("f16 and bf16"));
  CHECK_THAT(refusal([](AttentionProblem& problem) { problem.output = element_format<float32>(); }),
             contains("one format"));
  CHECK_THAT(refusal([](AttentionProblem& problem) { problem.weights = element_format<float32>(); }),
             contains("rounds its weights"));
  CHECK_THAT(refusal([](AttentionProblem& problem) { problem.soft_cap = 30; }), contains("oft caps"));
  CHECK_THAT(refusal([](AttentionProblem& problem) { problem.causal = true, problem.queries = 10; }),
             contains("see no key"));
  CHECK_THAT(refusal([](AttentionProblem& problem) { problem.window_left = 2; }), contains("window to the left"));
  CHECK_THAT(refusal([](AttentionProblem& problem) {
               problem.causal = true, problem.alignment = AttentionAlignment::top_left, problem.window_left = 1,
               problem.queries = 12;
             }),
             contains("see no key"));
  CHECK_THAT(refusal([](AttentionProblem& problem) { problem.keys = 0; }), contains("without elements"));
}
