#include "assay/collectives/verification/collective_problem.hpp"

#include "assay/collectives/verification/collective_check_options.hpp"
#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("the id of a problem of a collective tells operation, runtime, type, shape and data") {
  CollectiveProblem problem;
  problem.count = 1023;
  CHECK(problem.id("in_process.ring", 4) == "all_reduce.sum/in_process.ring/f32/n4.count1023/decode");
  problem.operation = CollectiveOperation::scatter;
  problem.root = 2;
  problem.in_place = true;
  problem.offset = 1;
  problem.type = ElementType::int8;
  CHECK(problem.id("mpi", 8) == "scatter/mpi/int8/n8.count1023.root2.in_place.offset1/tags");
}
