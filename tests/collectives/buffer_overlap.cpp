#include "assay/collectives/buffer_overlap.hpp"

#include "testing/catch.hpp"

using namespace assay;

namespace {

struct Lying {
  CollectiveOperation operation;
  Index send, receive;  ///< elements from the memory's begin
  bool allowed;
};

}  // namespace

TEST_CASE("buffers overlap as the operation is done in place, or not at all") {
  // rank 1 of 3, root 1, blocks of 4
  const std::vector<Lying> cases{
      {CollectiveOperation::all_reduce, 0, 0, true},      {CollectiveOperation::all_reduce, 0, 1, false},
      {CollectiveOperation::all_reduce, 4, 1, false},     {CollectiveOperation::all_reduce, 0, 4, true},
      {CollectiveOperation::reduce_scatter, 0, 4, true},  {CollectiveOperation::reduce_scatter, 0, 0, false},
      {CollectiveOperation::reduce_scatter, 0, 12, true}, {CollectiveOperation::all_gather, 4, 0, true},
      {CollectiveOperation::all_gather, 0, 0, false},     {CollectiveOperation::all_gather, 12, 0, true},
      {CollectiveOperation::broadcast, 3, 3, true},       {CollectiveOperation::broadcast, 3, 5, false},
      {CollectiveOperation::reduce, 2, 2, true},          {CollectiveOperation::reduce, 2, 3, false},
      {CollectiveOperation::all_to_all, 0, 0, true},      {CollectiveOperation::all_to_all, 0, 8, false},
      {CollectiveOperation::gather, 4, 0, true},          {CollectiveOperation::gather, 8, 0, false},
      {CollectiveOperation::scatter, 0, 4, true},         {CollectiveOperation::scatter, 0, 8, false},
      {CollectiveOperation::barrier, 0, 0, true}};
  std::vector<double> memory(64);
  for (const Lying& lying : cases) {
    CollectiveCall call;
    call.operation = lying.operation;
    call.type = ElementType::float64;
    call.count = 4;
    call.root = 1;
    call.send = memory.data() + lying.send;
    call.receive = memory.data() + lying.receive;
    INFO(name_of(lying.operation) << " send at " << lying.send << " receive at " << lying.receive);
    CHECK(check_overlap(call, 1, 3).has_value() == lying.allowed);
  }
}

TEST_CASE("a refusal says where the buffer would be in place; a rank that does not use a buffer may overlap it") {
  std::vector<double> memory(64);
  CollectiveCall call;
  call.operation = CollectiveOperation::gather;
  call.type = ElementType::float64;
  call.count = 4;
  call.root = 2;
  call.send = memory.data() + 1;
  call.receive = memory.data();
  CHECK(check_overlap(call, 2, 3).error().message ==
        "rank 2 of 3, gather: send and receive overlap, and not as in place, where send is receive + 8 elements; give "
        "that, or memory of "
        "its own");
  CHECK(check_overlap(call, 2, 3).error().kind == ErrorKind::invalid);
  CHECK(check_overlap(call, 1, 3));  // not the root: nothing is received
  call.operation = CollectiveOperation::reduce;
  CHECK(check_overlap(call, 1, 3));
  call.count = 0;
  CHECK(check_overlap(call, 2, 3));
}

TEST_CASE("blocks that an all_to_all_v writes lie apart; those that it reads may overlap") {
  std::vector<std::int32_t> send(8), receive(8);
  CollectiveCall call;
  call.operation = CollectiveOperation::all_to_all_v;
  call.type = ElementType::int32;
  call.sent = {{3, 3, 3}, {0, 0, 1}};
  call.received = {{2, 3, 0}, {3, 0, 1}};
  call.send = send.data();
  call.receive = receive.data();
  CHECK(check_overlap(call, 0, 3));
  call.received.displacements = {2, 0, 1};
  CHECK(check_overlap(call, 0, 3).error().message ==
        "rank 0 of 3, all_to_all_v: received: the blocks of ranks 0 and 1 overlap; give each memory of its own");
  call.received.displacements = {3, 0, 1};
  call.receive = send.data();
  CHECK(check_overlap(call, 0, 3).error().message ==
        "rank 0 of 3, all_to_all_v: send and receive overlap; this operation is not done in place: give memory of its "
        "own");
}
