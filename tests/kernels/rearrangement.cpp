#include "assay/kernels/rearrangement/rearrangement.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <vector>

#include "assay/faults/rearrangement_faults.hpp"
#include "testing/operation_conformance.hpp"

using namespace assay;

TEST_CASE("right rearrangements are not accused") {
  testing::require_correct_kernels_pass<Rearrangement>(0, 150);
}

TEST_CASE("every fault of a rearrangement is caught by its default suite") {
  testing::require_faults_are_caught<Rearrangement>();
}

TEST_CASE("Assay's own rearrangements pass in every format") {
  const auto result = testing::run_suite(testing::suite_of(portable_operation_subject<Rearrangement>(Host(1)),
                                                           {element_format<float32>(), element_format<float16>()}),
                                         3);
  INFO(result.first_failure);
  CHECK(result.count(Verdict::fail) + result.count(Verdict::error) + result.count(Verdict::inconclusive) == 0);
  CHECK(result.count(Verdict::pass) > 400);
}

namespace {

std::vector<int> rearranged(RearrangementProblem problem, const std::vector<std::vector<int>>& inputs) {
  problem.format = element_format<std::int32_t>();
  OperandArray operands;
  std::vector<std::vector<std::int32_t>> storage;
  for (const auto& input : inputs) storage.emplace_back(input.begin(), input.end());
  for (std::size_t i = 0; i < storage.size(); ++i)
    operands[static_cast<int>(i)] = contiguous_operand(storage[i].data(), {static_cast<Index>(storage[i].size())});
  const RearrangementExpected expected = Rearrangement::expected_of(problem, operands);
  Index size = 1;
  for (int d = 0; d < problem.output_rank(); ++d) size *= problem.output_extent(d);
  std::vector<int> values;
  for (Index element = 0; element < size; ++element)
    values.push_back(static_cast<int>(expected(element / expected.columns, element % expected.columns).value));
  return values;
}

RearrangementProblem problem_of(RearrangementKind kind, std::vector<Index> extents) {
  RearrangementProblem problem;
  problem.kind = kind;
  problem.rank = static_cast<int>(extents.size());
  for (std::size_t d = 0; d < extents.size(); ++d) problem.extents[d] = extents[d];
  return problem;
}

}  // namespace

TEST_CASE("the reference of a rearrangement is the definition") {
  RearrangementProblem transpose = problem_of(RearrangementKind::permute, {2, 3});
  transpose.order[0] = 1;
  transpose.order[1] = 0;
  CHECK(rearranged(transpose, {{1, 2, 3, 4, 5, 6}}) == std::vector<int>{1, 4, 2, 5, 3, 6});
  RearrangementProblem slice = problem_of(RearrangementKind::slice, {5});
  slice.start[0] = 4;
  slice.step[0] = -2;
  slice.count[0] = 3;
  CHECK(rearranged(slice, {{1, 2, 3, 4, 5}}) == std::vector<int>{5, 3, 1});
  RearrangementProblem pad = problem_of(RearrangementKind::pad, {3});
  pad.before[0] = 2;
  pad.after[0] = 1;
  pad.value = 9;
  CHECK(rearranged(pad, {{1, 2, 3}}) == std::vector<int>{9, 9, 1, 2, 3, 9});
  pad.mode = PadMode::reflect;
  CHECK(rearranged(pad, {{1, 2, 3}}) == std::vector<int>{3, 2, 1, 2, 3, 2});
  pad.mode = PadMode::replicate;
  CHECK(rearranged(pad, {{1, 2, 3}}) == std::vector<int>{1, 1, 1, 2, 3, 3});
  RearrangementProblem concat = problem_of(RearrangementKind::concat, {2, 0});
  concat.axis = 1;
  concat.parts = 2;
  concat.part_extents[0] = 1;
  concat.part_extents[1] = 2;
  CHECK(rearranged(concat, {{1, 2}, {3, 4, 5, 6}}) == std::vector<int>{1, 3, 4, 2, 5, 6});
  RearrangementProblem columns = problem_of(RearrangementKind::im2col, {1, 1, 2, 2});
  columns.window[0] = columns.window[1] = 2;
  columns.before[2] = 1;
  CHECK(rearranged(columns, {{1, 2, 3, 4}}) == std::vector<int>{0, 1, 0, 2, 1, 3, 2, 4});
}

TEST_CASE("rearrangements that cannot be are refused") {
  RearrangementProblem problem = problem_of(RearrangementKind::permute, {2, 3});
  SECTION("rank") {
    problem.rank = 7;
    testing::require_refused<Rearrangement>(problem, "rank");
  }
  SECTION("extent") {
    problem.extents[1] = -1;
    testing::require_refused<Rearrangement>(problem, "extents[1]");
  }
  SECTION("order twice the same") {
    problem.order[1] = 0;
    testing::require_refused<Rearrangement>(problem, "order[1]");
  }
  SECTION("order out of range") {
    problem.order[0] = 2;
    testing::require_refused<Rearrangement>(problem, "order[0]");
  }
  SECTION("slice") {
    problem.kind = RearrangementKind::slice;
    problem.count[0] = 3;
    testing::require_refused<Rearrangement>(problem, "start[0]");
    problem.step[0] = 0;
    testing::require_refused<Rearrangement>(problem, "step[0]");
    problem.count[0] = -1;
    testing::require_refused<Rearrangement>(problem, "count[0]");
  }
  SECTION("pad") {
    problem.kind = RearrangementKind::pad;
    problem.mode = PadMode::reflect;
    problem.after[1] = 3;
    testing::require_refused<Rearrangement>(problem, "after[1]");
    problem.before[0] = -1;
    testing::require_refused<Rearrangement>(problem, "before[0]");
  }
  SECTION("concat") {
    problem.kind = RearrangementKind::concat;
    problem.part_extents[0] = -2;
    testing::require_refused<Rearrangement>(problem, "part_extents[0]");
    problem.axis = 2;
    testing::require_refused<Rearrangement>(problem, "axis");
    problem.axis = 0;
    problem.parts = 9;
    testing::require_refused<Rearrangement>(problem, "parts");
  }
  SECTION("im2col") {
    problem.kind = RearrangementKind::im2col;
    testing::require_refused<Rearrangement>(problem, "rank");
    problem.rank = 4;
    problem.window[0] = 2;
    testing::require_refused<Rearrangement>(problem, "window[0]");
    problem.stride[0] = 0;
    testing::require_refused<Rearrangement>(problem, "stride");
  }
}
