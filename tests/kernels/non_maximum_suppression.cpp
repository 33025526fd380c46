#include "assay/kernels/non_maximum_suppression/non_maximum_suppression.hpp"

#include <catch2/catch.hpp>
#include <cstdint>
#include <vector>

#include "assay/faults/non_maximum_suppression_faults.hpp"
#include "testing/operation_conformance.hpp"

using namespace assay;

TEST_CASE("right suppressions are not accused") {
  testing::require_correct_kernels_pass<NonMaximumSuppression>(0);
}

TEST_CASE("every fault of a suppression is caught by its default suite") {
  testing::require_faults_are_caught<NonMaximumSuppression>({"row_edge_of_4", "row_edge_of_16", "tiles_transposed"});
}

TEST_CASE("Assay's own suppression passes") {
  const auto result = testing::run_suite(testing::suite_of(portable_operation_subject<NonMaximumSuppression>(Host(1)),
                                                           {element_format<float32>(), element_format<bfloat16>()}),
                                         3);
  INFO(result.first_failure);
  CHECK(result.count(Verdict::fail) + result.count(Verdict::error) + result.count(Verdict::inconclusive) == 0);
  CHECK(result.count(Verdict::pass) > 150);
}

namespace {

/// Of one image.
template <class Real>
OperandArray operands_of(const SuppressionProblem& problem, std::vector<Real>& boxes, std::vector<Real>& scores,
                         std::vector<std::int64_t>& kept) {
  OperandArray operands;
  operands[NonMaximumSuppression::boxes] = contiguous_operand(boxes.data(), {1, problem.boxes, 4});
  operands[NonMaximumSuppression::scores] = contiguous_operand(scores.data(), {1, problem.boxes});
  operands[NonMaximumSuppression::kept] = contiguous_operand(kept.data(), {1, problem.most});
  return operands;
}

Verdict judged(const SuppressionProblem& problem, const OperandArray& operands) {
  Outcome outcome;
  REQUIRE(NonMaximumSuppression::judge(problem, operands, operands, 0, Arithmetic{}, outcome));
  return outcome.verdict;
}
Verdict judged(const SuppressionProblem& problem, std::vector<float> boxes, std::vector<float> scores,
               std::vector<std::int64_t> kept) {
  return judged(problem, operands_of(problem, boxes, scores, kept));
}

}  // namespace

TEST_CASE("kept boxes are judged by the definition") {
  SuppressionProblem problem;
  problem.boxes = problem.most = 3;
  const std::vector<float> row{0, 0, 4, 4, 1, 0, 5, 4, 2, 0, 6, 4};  // neighbors overlap by 3/5, the outer two by 1/3
  const std::vector<float> scores{0.9f, 0.8f, 0.7f};
  CHECK(judged(problem, row, scores, {0, 2, -1}) == Verdict::pass);
  CHECK(judged(problem, row, scores, {0, -1, -1}) == Verdict::fail);  // the second must not suppress the third
  CHECK(judged(problem, row, scores, {2, 0, -1}) == Verdict::fail);
  CHECK(judged(problem, row, scores, {0, 1, 2}) == Verdict::fail);
  CHECK(judged(problem, row, scores, {0, 0, -1}) == Verdict::fail);
  CHECK(judged(problem, row, scores, {0, 3, -1}) == Verdict::fail);
  CHECK(judged(problem, row, scores, {0, -1, 2}) == Verdict::fail);
  problem.iou_threshold = 0.6;  // within rounding of the overlap: the second may stay or go, and the third with it
  CHECK(judged(problem, row, scores, {0, 2, -1}) == Verdict::pass);
  CHECK(judged(problem, row, scores, {0, 1, -1}) == Verdict::pass);
  CHECK(judged(problem, row, scores, {0, 1, 2}) == Verdict::pass);
  CHECK(judged(problem, row, scores, {0, -1, -1}) == Verdict::fail);
  problem.iou_threshold = 0.5;
  problem.score_threshold = 0.75;
  CHECK(judged(problem, row, scores, {0, -1, -1}) == Verdict::pass);
  problem.score_threshold = 0;
  const std::vector<float> equal{0.5f, 0.5f, 0.5f};
  CHECK(judged(problem, row, equal, {1, -1, -1}) == Verdict::pass);
  CHECK(judged(problem, row, equal, {2, 0, -1}) == Verdict::pass);
  problem.ties = ScoreTies::first_index;
  CHECK(judged(problem, row, equal, {0, 2, -1}) == Verdict::pass);
  CHECK(judged(problem, row, equal, {1, -1, -1}) == Verdict::fail);
}

namespace {

/// Of two boxes by Assay's own kernel, and what becomes of it.
Verdict judged_portable(SuppressionProblem problem, std::vector<double> boxes, std::vector<double> scores,
                        const std::vector<std::int64_t>& due) {
  problem.boxes = problem.most = 2;
  problem.format = element_format<double>();
  std::vector<std::int64_t> kept(2), count(1);
  OperandArray operands = operands_of(problem, boxes, scores, kept);
  operands[NonMaximumSuppression::count] = contiguous_operand(count.data(), {1});
  Host host(1);
  auto stream = host.make_stream();
  REQUIRE(NonMaximumSuppression::portable(host, stream.value(), problem, operands).has_value());
  REQUIRE(host.synchronize(stream.value()).has_value());
  CHECK(kept == due);
  return judged(problem, operands);
}

}  // namespace

TEST_CASE("Assay's own suppression takes double scores and boxes as they are stored") {
  SuppressionProblem problem;
  problem.score_threshold = 0.5;
  CHECK(judged_portable(problem, {0, 0, 1, 1, 3, 3, 4, 4}, {0.5 + 1e-12, 0.9}, {1, 0}) == Verdict::pass);
  const double x = 1001 - 1e-5;  // in float32 it is 1001, where the overlap is but a half
  CHECK(judged_portable(problem, {1000, 0, 1003, 3, x, 0, x + 3, 3}, {0.9, 0.8}, {0, -1}) == Verdict::pass);
}

TEST_CASE("suppressions that cannot be are refused") {
  SuppressionProblem problem;
  SECTION("thresholds") {
    problem.iou_threshold = 1.5;
    testing::require_refused<NonMaximumSuppression>(problem, "iou_threshold");
    problem.iou_threshold = 0.5;
    problem.score_threshold = detail::double_of(binary64_layout.nan_bits());
    testing::require_refused<NonMaximumSuppression>(problem, "score_threshold");
  }
  SECTION("extents") {
    problem.boxes = -1;
    testing::require_refused<NonMaximumSuppression>(problem, "boxes");
    problem.boxes = 1;
    problem.most = -1;
    testing::require_refused<NonMaximumSuppression>(problem, "most");
  }
  SECTION("formats") {
    problem.format = element_format<std::int8_t>();
    testing::require_refused<NonMaximumSuppression>(problem, "format");
    problem.index_format = element_format<float32>();
    testing::require_refused<NonMaximumSuppression>(problem, "index_format");
  }
}
