#include "assay/kernels/gather/gather.hpp"

#include <catch2/catch.hpp>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "assay/faults/gather_faults.hpp"
#include "testing/operation_conformance.hpp"

using namespace assay;

TEST_CASE("right gathers and scattered sums are not accused") {
  testing::require_correct_kernels_pass<Gather>(0.6, 150);
}

TEST_CASE("every fault of a gather or a scattered sum is caught by its default suite") {
  testing::require_faults_are_caught<Gather>();
}

TEST_CASE("Assay's own gathers and scattered sums pass") {
  const auto result = testing::run_suite(testing::suite_of(portable_operation_subject<Gather>(Host(1)),
                                                           {element_format<float32>(), element_format<bfloat16>()}),
                                         3);
  INFO(result.first_failure);
  CHECK(result.count(Verdict::fail) + result.count(Verdict::error) == 0);
  CHECK(result.count(Verdict::pass) > 150);
}

namespace {

GatherProblem problem_of(GatherKind kind) {
  GatherProblem problem;
  problem.kind = kind;
  problem.rows = 3;
  problem.count = 4;
  problem.width = 2;
  return problem;
}

struct Launch {
  std::vector<float> table{1, 2, 3, 4, 5, 6}, source{10, 20, 30, 40, 50, 60, 70, 80}, output = std::vector<float>(8);
  std::vector<std::int64_t> indices{2, 0, 2, 2};
  OperandArray operands;

  explicit Launch(const GatherProblem& problem) {
    operands.count = 4;
    if (problem.kind != GatherKind::embedding_gradient)
      operands[Gather::table] = contiguous_operand(table.data(), {3, 2});
    operands[Gather::indices] = contiguous_operand(indices.data(), {4});
    if (problem.kind != GatherKind::gather) operands[Gather::source] = contiguous_operand(source.data(), {4, 2});
    if (problem.kind != GatherKind::scatter_add)
      operands[Gather::output] = contiguous_operand(output.data(), {problem.kind == GatherKind::gather ? 4 : 3, 2});
  }
  [[nodiscard]] std::vector<double> expected(const GatherProblem& problem) const {
    Host host(1);
    auto stream = host.make_stream();
    const auto reference =
        Gather::reference(host, stream.value(), problem, operands, RoundingModel::worst_case, Arithmetic{});
    std::vector<double> values;
    for (Index row = 0; row < (problem.kind == GatherKind::gather ? 4 : 3); ++row)
      for (Index column = 0; column < 2; ++column) values.push_back(reference.value().expected(row, column).value);
    return values;
  }
};

}  // namespace

TEST_CASE("the reference of gathers and scattered sums is the definition") {
  const auto expected = [](const GatherProblem& problem) { return Launch(problem).expected(problem); };
  CHECK(expected(problem_of(GatherKind::gather)) == std::vector<double>{5, 6, 1, 2, 5, 6, 5, 6});
  CHECK(expected(problem_of(GatherKind::scatter_add)) ==
        std::vector<double>{31, 42, 3, 4, 5 + 10 + 50 + 70, 6 + 20 + 60 + 80});
  GatherProblem gradient = problem_of(GatherKind::embedding_gradient);
  CHECK(expected(gradient) == std::vector<double>{30, 40, 0, 0, 130, 160});
  gradient.padding_row = 2;
  CHECK(expected(gradient) == std::vector<double>{30, 40, 0, 0, 0, 0});
}

TEST_CASE("a scattered sum with an infinity is not known where the other terms may overflow to the other infinity") {
  const float infinity = std::numeric_limits<float>::infinity();
  Host host(1);
  auto stream = host.make_stream();
  const GatherProblem problem = problem_of(GatherKind::scatter_add);
  Launch launch(problem);
  launch.source = {3e38F, 3e38F, infinity, 1, 3e38F, -1, -infinity, -infinity};
  const auto reference =
      Gather::reference(host, stream.value(), problem, launch.operands, RoundingModel::worst_case, Arithmetic{})
          .value();
  CHECK(std::isinf(reference.expected(2, 0).error));
  CHECK(reference.expected(2, 1).error == 0);
  CHECK(reference.expected(2, 1).value == -static_cast<double>(infinity));
  CHECK(reference.expected(0, 0).error == 0);
  CHECK(reference.expected(0, 0).value == static_cast<double>(infinity));
}

TEST_CASE("every term of a scattered sum may underflow as it is added") {
  Host host(1);
  auto stream = host.make_stream();
  const GatherProblem problem = problem_of(GatherKind::scatter_add);
  Arithmetic flushing;
  flushing.accumulation.min_subnormal = 0x1p-126;
  for (const auto& [arithmetic, term] :
       {std::pair(flushing, 0x1.8p-127F), std::pair(arithmetic_in<float16>(), 0x1p-25F)}) {
    Launch launch(problem);
    launch.source.assign(8, term);
    launch.table.assign(6, term);
    const auto reference =
        Gather::reference(host, stream.value(), problem, launch.operands, RoundingModel::worst_case, arithmetic)
            .value();
    const ExpectedElement sum = reference.expected(2, 0);
    CHECK(sum.value == 4 * static_cast<double>(term));
    CHECK(sum.error >= sum.value);
  }
}

TEST_CASE("indices mean rows by the policies") {
  GatherProblem problem = problem_of(GatherKind::gather);
  CHECK(problem.row_of(2) == 2);
  CHECK(problem.row_of(3) == -1);
  CHECK(problem.row_of(-1) == -1);
  problem.out_of_range = OutOfRange::clamped;
  CHECK(problem.row_of(7) == 2);
  CHECK(problem.row_of(-7) == 0);
  problem.negative = NegativeIndex::from_end;
  CHECK(problem.row_of(-1) == 2);
  CHECK(problem.row_of(-3) == 0);
  CHECK(problem.row_of(-4) == 0);
  problem.out_of_range = OutOfRange::zeros;
  CHECK(problem.row_of(-4) == -1);
}

TEST_CASE("Assay's own kernel refuses indices outside the table where the problem wants that") {
  Host host(1);
  auto stream = host.make_stream();
  for (const GatherKind kind : {GatherKind::gather, GatherKind::scatter_add, GatherKind::embedding_gradient}) {
    const GatherProblem problem = problem_of(kind);
    Launch launch(problem);
    launch.indices[1] = 3;
    const auto run = Gather::portable(host, stream.value(), problem, launch.operands);
    REQUIRE_FALSE(run);
    CHECK(run.error().kind == ErrorKind::invalid);
    CHECK(run.error().message.find("1 of 4 indices") != std::string::npos);
  }
}

TEST_CASE("problems of gathers that cannot be are refused") {
  GatherProblem problem = problem_of(GatherKind::gather);
  SECTION("extents") {
    problem.rows = -1;
    testing::require_refused<Gather>(problem, "rows");
    problem = problem_of(GatherKind::gather);
    problem.count = Index{1} << 62;
    testing::require_refused<Gather>(problem, "width");
  }
  SECTION("an empty table") {
    problem.rows = 0;
    testing::require_refused<Gather>(problem, "rows");
  }
  SECTION("padding row") {
    problem.padding_row = 1;
    testing::require_refused<Gather>(problem, "padding_row");
    problem.padding_row = 3;
    testing::require_refused<Gather>(problem, "padding_row");
  }
  SECTION("formats") {
    problem.index_format = element_format<float32>();
    testing::require_refused<Gather>(problem, "index_format");
    problem = problem_of(GatherKind::scatter_add);
    problem.format = element_format<std::int8_t>();
    testing::require_refused<Gather>(problem, "format");
  }
}
