#include "assay/collectives/reduction_operator.hpp"

#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("reductions have names that read back") {
  for (const ReductionOperator reduction : all_reductions) CHECK(reduction_named(name_of(reduction)) == reduction);
  CHECK(name_of(ReductionOperator::premultiplied_sum) == "premultiplied_sum");
  CHECK(!reduction_named("max"));
}
