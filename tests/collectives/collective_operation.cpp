#include "assay/collectives/collective_operation.hpp"

#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("operations have names that read back, and say whether they reduce and have a root") {
  int reducing = 0, rooted = 0;
  for (const CollectiveOperation operation : all_collective_operations) {
    CHECK(collective_operation_named(name_of(operation)) == operation);
    reducing += reduces(operation) ? 1 : 0;
    rooted += has_root(operation) ? 1 : 0;
  }
  CHECK(reducing == 3);
  CHECK(rooted == 4);
  CHECK(reduces(CollectiveOperation::reduce_scatter));
  CHECK(!reduces(CollectiveOperation::all_gather));
  CHECK(has_root(CollectiveOperation::scatter));
  CHECK(!has_root(CollectiveOperation::all_to_all));
  CHECK(name_of(CollectiveOperation::all_to_all_v) == "all_to_all_v");
  CHECK(!collective_operation_named("allreduce"));
}
