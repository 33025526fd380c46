#include "assay/kernels/sort/sort.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "assay/faults/sort_faults.hpp"
#include "testing/operation_conformance.hpp"

using namespace assay;

TEST_CASE("right sorts and top-k kernels are not accused") {
  testing::require_correct_kernels_pass<Sort>(0);
}

TEST_CASE("every fault of a sort or top-k is caught by its default suite") {
  testing::require_faults_are_caught<Sort>();
}

TEST_CASE("Assay's own sort passes") {
  const auto result = testing::run_suite(testing::suite_of(portable_operation_subject<Sort>(Host(1)),
                                                           {element_format<float32>(), element_format<bfloat16>()}),
                                         3);
  INFO(result.first_failure);
  CHECK(result.count(Verdict::fail) + result.count(Verdict::error) + result.count(Verdict::inconclusive) == 0);
  CHECK(result.count(Verdict::pass) > 150);
}

namespace {

template <class T>
Verdict judged(const SortProblem& problem, std::vector<T> x, std::vector<std::type_identity_t<T>> values,
               std::vector<std::int64_t> indices) {
  OperandArray operands;
  operands[Sort::input] = contiguous_operand(x.data(), {1, problem.length});
  operands[Sort::values] = contiguous_operand(values.data(), {1, problem.wanted()});
  operands[Sort::indices] = contiguous_operand(indices.data(), {1, problem.wanted()});
  Outcome first, second;
  REQUIRE(Sort::judge(problem, operands, operands, 0, Arithmetic{}, first));
  REQUIRE(Sort::judge(problem, operands, operands, 1, Arithmetic{}, second));
  return first.verdict == Verdict::pass ? second.verdict : first.verdict;
}

}  // namespace

TEST_CASE("orders are judged by the definition") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  SortProblem problem;
  problem.length = 5;
  problem.k = 3;
  const std::vector<float> x{1, 4, 2, 4, nan};
  CHECK(judged(problem, x, {nan, 4, 4}, {4, 1, 3}) == Verdict::pass);
  CHECK(judged(problem, x, {nan, 4, 4}, {4, 3, 1}) == Verdict::pass);  // ties
  CHECK(judged(problem, x, {nan, 4, 4}, {4, 1, 1}) == Verdict::fail);
  CHECK(judged(problem, x, {nan, 4, 4}, {4, 1, 2}) == Verdict::fail);
  CHECK(judged(problem, x, {nan, 4, 4}, {4, 1, 5}) == Verdict::fail);
  CHECK(judged(problem, x, {4, 4, 2}, {1, 3, 2}) == Verdict::fail);
  problem.ties = SortTies::stable;
  CHECK(judged(problem, x, {nan, 4, 4}, {4, 1, 3}) == Verdict::pass);
  CHECK(judged(problem, x, {nan, 4, 4}, {4, 3, 1}) == Verdict::fail);
  problem.ties = SortTies::any;
  problem.nan = NanOrder::last;
  CHECK(judged(problem, x, {4, 4, 2}, {1, 3, 2}) == Verdict::pass);
  problem.ordered = false;
  CHECK(judged(problem, x, {2, 4, 4}, {2, 3, 1}) == Verdict::pass);
  CHECK(judged(problem, x, {2, 4, 1}, {2, 3, 0}) == Verdict::fail);
  problem.descending = false;
  problem.nan = NanOrder::largest;
  CHECK(judged(problem, x, {4, 2, 1}, {1, 2, 0}) == Verdict::pass);
}

TEST_CASE("64-bit integers are sorted to their last digit") {
  const std::int64_t large = std::int64_t{1} << 53;  // above it a double rounds
  SortProblem problem;
  problem.length = 4;
  problem.format = element_format<std::int64_t>();
  std::vector<std::int64_t> x{large + 1, large, 5, large + 3}, values(4), indices(4);
  CHECK(judged(problem, x, {large + 3, large + 1, large, 5}, {3, 0, 1, 2}) == Verdict::pass);
  CHECK(judged(problem, x, {large + 4, large + 1, large, 5}, {3, 0, 1, 2}) == Verdict::fail);
  CHECK(judged(problem, x, {large + 3, large, large, 5}, {3, 0, 1, 2}) == Verdict::fail);
  CHECK(judged(problem, x, {large + 3, large + 1, large, 5}, {3, 1, 0, 2}) == Verdict::fail);
  Host host(1);
  auto stream = host.make_stream();
  for (const bool descending : {true, false}) {
    problem.descending = descending;
    OperandArray operands;
    operands[Sort::input] = contiguous_operand(x.data(), {1, 4});
    operands[Sort::values] = contiguous_operand(values.data(), {1, 4});
    operands[Sort::indices] = contiguous_operand(indices.data(), {1, 4});
    REQUIRE(Sort::portable(host, stream.value(), problem, operands));
    CHECK(judged(problem, x, values, indices) == Verdict::pass);
  }
  problem.k = 2;
  problem.ordered = false;
  CHECK(judged(problem, x, {large, 5}, {1, 2}) == Verdict::pass);
  CHECK(judged(problem, x, {large + 1, 5}, {0, 2}) == Verdict::fail);
}

TEST_CASE("sorts that cannot be are refused") {
  SortProblem problem;
  problem.length = 4;
  SECTION("more than there are") {
    problem.k = 5;
    testing::require_refused<Sort>(problem, "k is 5");
  }
  SECTION("unordered sort") {
    problem.ordered = false;
    testing::require_refused<Sort>(problem, "ordered");
  }
  SECTION("stable without order") {
    problem.k = 2;
    problem.ordered = false;
    problem.ties = SortTies::stable;
    testing::require_refused<Sort>(problem, "ties");
  }
  SECTION("extent") {
    problem.outer = -2;
    testing::require_refused<Sort>(problem, "outer");
  }
  SECTION("index format") {
    problem.index_format = element_format<std::int8_t>();
    testing::require_refused<Sort>(problem, "index_format");
  }
}
