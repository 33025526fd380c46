#include "assay/kernels/attention_merge/attention_merge.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "assay/faults/attention_merge_faults.hpp"
#include "testing/operation_conformance.hpp"

using namespace assay;

TEST_CASE("right merges of attentions are not accused") {
  testing::require_correct_kernels_pass<AttentionMerge>(0.03);
}

TEST_CASE("every fault of a merge of attentions is caught by its default suite") {
  testing::require_faults_are_caught<AttentionMerge>();
}

TEST_CASE("the reference of a merge is the attention over all keys") {
  Host host(1);
  auto stream = host.make_stream();
  AttentionMergeProblem problem;
  problem.parts = 3;
  problem.rows = 2;
  problem.value_depth = 1;
  const float infinity = INFINITY;
  float outputs[3][2][1] = {{{2}, {-1}}, {{5}, {NAN}}, {{-3}, {4}}},
        logarithms[3][2] = {{1, -2}, {0.5f, -infinity}, {-1, 3}};
  OperandArray operands;
  operands[AttentionMergeOperand::partial_output] = contiguous_operand(&outputs[0][0][0], {3, 2, 1});
  operands[AttentionMergeOperand::partial_log_sum_exp] = contiguous_operand(&logarithms[0][0], {3, 2});
  const auto reference =
      AttentionMerge::reference(host, stream.value(), problem, operands, RoundingModel::statistical, Arithmetic{});
  REQUIRE(reference);
  auto expected = reference.value().expected;
  const double first = std::exp(1.0) + std::exp(0.5) + std::exp(-1.0), second = std::exp(-2.0) + std::exp(3.0);
  CHECK(expected(0, 0).value ==
        Approx((2 * std::exp(1.0) + 5 * std::exp(0.5) - 3 * std::exp(-1.0)) / first).epsilon(1e-14));
  CHECK(expected(1, 0).value == Approx((-std::exp(-2.0) + 4 * std::exp(3.0)) / second).epsilon(1e-14));
  CHECK(expected(0, 0).error > 0);
  CHECK(expected(0, 0).error < 1e-4);
  expected.output = 1;
  CHECK(expected(0, 0).value == Approx(std::log(first)).epsilon(1e-14));
  CHECK(expected(0, 1).value == Approx(std::log(second)).epsilon(1e-14));
}

TEST_CASE("merges that cannot be are refused") {
  AttentionMergeProblem problem;
  SECTION("no parts") {
    problem.parts = 0;
    testing::require_refused<AttentionMerge>(problem, "parts");
  }
  SECTION("negative rows") {
    problem.rows = -1;
    testing::require_refused<AttentionMerge>(problem, "rows");
  }
  SECTION("format") {
    problem.partial = element_format<std::int8_t>();
    testing::require_refused<AttentionMerge>(problem, "partial");
  }
}
