#include "assay/collectives/measurement/bandwidth.hpp"

#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("sizes and bandwidths are those of nccl-tests, operation by operation") {
  using enum CollectiveOperation;
  // c = 1000 elements of 4 bytes on 4 ranks in 2 s.
  const auto of = [](CollectiveOperation operation) {
    return bandwidth_of(operation, size_bytes(operation, 1000, 4, 4), 4, 2);
  };
  CHECK(of(all_reduce).algorithm == 2000);
  CHECK(of(all_reduce).bus == 2000 * 2 * 3 / 4.0);
  for (const CollectiveOperation operation : {reduce_scatter, all_gather, all_to_all, gather, scatter}) {
    CHECK(of(operation).algorithm == 8000);
    CHECK(of(operation).bus == 8000 * 3 / 4.0);
  }
  for (const CollectiveOperation operation : {broadcast, reduce, send_receive}) {
    CHECK(of(operation).algorithm == 2000);
    CHECK(of(operation).bus == 2000);
  }
  CHECK(of(all_to_all_v).algorithm == 2000);  // the larger of what is sent and received
  CHECK(of(all_to_all_v).bus == 1500);
  CHECK(of(barrier).algorithm == 0);
  CHECK(of(barrier).bus == 0);
}

TEST_CASE("one rank has no bus, and no time no bandwidth") {
  CHECK(bandwidth_of(CollectiveOperation::all_reduce, 1000, 1, 1).bus == 0);
  CHECK(bandwidth_of(CollectiveOperation::all_reduce, 1000, 2, 0).algorithm == 0);
}
