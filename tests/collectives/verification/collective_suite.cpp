#include "assay/collectives/verification/collective_suite.hpp"

#include <set>

#include "assay/collectives/measurement/bandwidth.hpp"
#include "collectives/verification/verified_world.hpp"
#include "testing/catch.hpp"

using namespace assay;

TEST_CASE(
    "the problems of a suite have every count, place and root with every operation, and ids of their own with their "
    "seeds") {
  const auto problems = collective_problems(4);
  std::set<std::tuple<CollectiveOperation, Index>> counts;
  std::set<std::tuple<CollectiveOperation, bool>> places;
  std::set<std::tuple<CollectiveOperation, int>> roots;
  std::set<std::tuple<ElementType, ReductionOperator, CollectiveDataKind>> data;
  for (const CollectiveProblem& problem : problems) {
    counts.insert({problem.operation, problem.count});
    places.insert({problem.operation, problem.in_place});
    roots.insert({problem.operation, problem.root});
    if (reduces(problem.operation)) data.insert({problem.type, problem.reduction, problem.data});
  }
  CHECK(counts.size() == 10 * 7 + 1);
  CHECK(places.size() == 9 * 2 + 2);
  CHECK(roots.size() == 4 * 4 + 7);
  CHECK(data.size() == 8 * 7 + 6 * 21);
  CHECK(problems.size() < 4000);
}

TEST_CASE("sizes that are asked for are those of all problems, with the root and the placement that are asked for") {
  CollectiveSuiteOptions options;
  options.sizes = {4096, 16 * 1048576.0};
  options.root = 2;
  options.in_place = false;
  std::set<double> sizes;
  for (const CollectiveProblem& problem : collective_problems(4, options)) {
    if (has_root(problem.operation)) CHECK(problem.root == 2);
    CHECK_FALSE(problem.in_place);
    if (problem.operation == CollectiveOperation::barrier || problem.operation == CollectiveOperation::all_to_all_v)
      continue;
    sizes.insert(size_bytes(problem.operation, problem.count, static_cast<double>(bytes_of(problem.type)), 4));
  }
  CHECK(sizes == std::set<double>{4096, 16 * 1048576.0});
}

TEST_CASE("a suite checks a world case by case, or all ranks in lockstep until the runtime fails") {
  CollectiveSuiteOptions options;
  options.operations = {CollectiveOperation::all_reduce, CollectiveOperation::all_to_all_v};
  options.types = {ElementType::bfloat16, ElementType::uint8};
  options.large_count = 5003;
  std::size_t observed = 0;
  const Outcome last = testing::outcome_of_world(3, [&](AnyCollective& collective, Coordinator& coordinator) {
    const auto problems = collective_problems(3, options);
    const auto outcomes = check_collectives(collective, coordinator, problems, options.check, [&](const Outcome&) {
      if (collective.rank() == 0) ++observed;
    });
    for (const Outcome& outcome : outcomes)
      if (outcome.verdict != Verdict::pass) return outcome;
    return outcomes.size() == problems.size() ? outcomes.back() : Outcome{};
  });
  CHECK(last.verdict == Verdict::pass);
  CHECK(observed == collective_problems(3, options).size());

  options.types = {ElementType::bfloat16};
  options.reductions = {ReductionOperator::maximum};
  const Suite suite = collective_suite(
      "in_process.ring", 3,
      [](const auto& body) {
        (void)testing::outcome_of_world(3, [&](AnyCollective& collective, Coordinator& coordinator) {
          body(collective, coordinator);
          return Outcome{};
        });
      },
      options);
  REQUIRE(suite.size() > 10);
  CHECK(suite[0].labels.at("operation") == "all_reduce");
  CHECK(suite[0].run({}).id == suite[0].id);
  CHECK(suite[0].run({}).verdict == Verdict::pass);

  std::size_t made = 0;
  options.check.timeout = std::chrono::seconds(2);
  (void)testing::outcome_of_world(2, [&](AnyCollective& collective, Coordinator& coordinator) {
    if (collective.rank() == 0) collective.abort("by the test");
    const auto outcomes = check_collectives(collective, coordinator, collective_problems(2, options), options.check);
    if (collective.rank() == 0) made = outcomes.size();
    return outcomes.back();
  });
  CHECK(made == 1);
}
