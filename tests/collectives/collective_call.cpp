#include "assay/collectives/collective_call.hpp"

#include "testing/catch.hpp"

using namespace assay;

namespace {

char memory[64];

CollectiveCall call_of(CollectiveOperation operation) {
  CollectiveCall call;
  call.operation = operation;
  call.count = 3;
  call.root = 1;
  call.destination = 2;
  call.source = 0;
  call.send = memory;
  call.receive = memory;
  return call;
}

std::string refusal(const CollectiveCall& call, int rank = 0, int size = 4) {
  const auto checked = check_call(call, rank, size);
  return checked ? "" : checked.error().message;
}

}  // namespace

TEST_CASE("extents are what an operation reads and writes on a rank") {
  using enum CollectiveOperation;
  struct Extents {
    CollectiveOperation operation;
    Index send_at_root, send_elsewhere, receive_at_root, receive_elsewhere;
  };
  for (const Extents& expected :
       {Extents{all_reduce, 3, 3, 3, 3}, Extents{reduce_scatter, 12, 12, 3, 3}, Extents{all_gather, 3, 3, 12, 12},
        Extents{broadcast, 3, 0, 3, 3}, Extents{reduce, 3, 3, 3, 0}, Extents{all_to_all, 12, 12, 12, 12},
        Extents{gather, 3, 3, 12, 0}, Extents{scatter, 12, 0, 3, 3}, Extents{send_receive, 3, 3, 3, 3},
        Extents{barrier, 0, 0, 0, 0}}) {
    INFO(name_of(expected.operation));
    const CollectiveCall call = call_of(expected.operation);
    CHECK(send_extent(call, 1, 4) == expected.send_at_root);
    CHECK(send_extent(call, 0, 4) == expected.send_elsewhere);
    CHECK(receive_extent(call, 1, 4) == expected.receive_at_root);
    CHECK(receive_extent(call, 0, 4) == expected.receive_elsewhere);
    CHECK(refusal(call).empty());
  }
  CollectiveCall call = call_of(all_to_all_v);
  call.sent = {{1, 0, 2, 1}, {0, 90, 5, 2}};
  call.received = {{0, 0, 0, 0}, {7, 7, 7, 7}};
  CHECK(send_extent(call, 0, 4) == 7);  // an empty block has no place
  CHECK(receive_extent(call, 0, 4) == 0);
  call.receive = nullptr;
  CHECK(refusal(call).empty());
  CollectiveCall end = call_of(send_receive);
  end.source = -1;
  CHECK(receive_extent(end, 0, 4) == 0);
}

TEST_CASE("a call that contradicts itself is refused by rank and field") {
  using enum CollectiveOperation;
  CollectiveCall call = call_of(broadcast);
  call.root = 4;
  CHECK(refusal(call) == "rank 0 of 4, broadcast: root is 4; it must be a rank, 0 to 3");
  call = call_of(send_receive);
  call.destination = 4;
  CHECK_THAT(refusal(call), testing::contains("destination is 4"));
  call = call_of(all_to_all_v);
  call.sent = {{1, 1, 1}, {0, 1, 2}};
  CHECK_THAT(refusal(call), testing::contains("sent has 3 counts"));
  call.sent = call.received = {{1, 1, 1, -1}, {0, 1, 2, 3}};
  CHECK_THAT(refusal(call), testing::contains("sent of rank 3 has a negative count"));
  call = call_of(reduce);
  call.receive = nullptr;
  CHECK(refusal(call, 0).empty());
  CHECK_THAT(refusal(call, 1), testing::contains("receive is null"));
  CHECK_THAT(refusal(call_of(all_reduce), 4, 4), testing::contains("ranks count from 0"));
  CHECK_THAT(refusal(call_of(all_reduce), 0, 0), testing::contains("ranks count from 0"));
}
