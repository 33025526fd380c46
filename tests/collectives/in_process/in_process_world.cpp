#include "assay/collectives/in_process/in_process_world.hpp"

#include <algorithm>
#include <atomic>
#include <functional>
#include <mutex>
#include <thread>

#include "assay/collectives/collective.hpp"
#include "assay/collectives/in_process/run_ranks.hpp"
#include "testing/catch.hpp"

using namespace assay;
using assay::testing::contains;
using Integer = std::int32_t;

namespace {

Deadline soon() {
  return deadline_after(std::chrono::seconds(60));
}
Deadline at_once() {
  return deadline_after(std::chrono::milliseconds(400));
}

CollectiveCall sum_of(const std::vector<Integer>& send, std::vector<Integer>& receive) {
  CollectiveCall call;
  call.type = ElementType::int32;
  call.count = static_cast<Index>(send.size());
  call.send = send.data();
  call.receive = receive.data();
  return call;
}

/// Each rank's errors, in the order in which `body` returned them; a success is an error without a message.
std::vector<Error> errors_of(const InProcessWorld& world,
                             const std::function<Result<void>(InProcessCollective&)>& body) {
  std::vector<Error> errors(static_cast<std::size_t>(world.size()));
  run_ranks(world, [&](InProcessCollective& collective) {
    if (auto done = body(collective); !done) errors[static_cast<std::size_t>(collective.rank())] = done.error();
  });
  return errors;
}

struct Mismatch {
  std::string said;
  std::function<void(CollectiveCall&, int rank)> make;
};

}  // namespace

TEST_CASE("calls that do not match are invalid on every rank, which then go on") {
  const std::vector<Mismatch> mismatches{
      {"count: rank 2 gives 3, ranks 0, 1, 3 give 4",
       [](CollectiveCall& call, int rank) { call.count = rank == 2 ? 3 : 4; }},
      {"type: rank 1 gives uint32, ranks 0, 2, 3 give int32",
       [](CollectiveCall& call, int rank) {
         if (rank == 1) call.type = ElementType::uint32;
       }},
      {"reduction: rank 0 gives maximum, ranks 1 to 3 give sum",
       [](CollectiveCall& call, int rank) {
         if (rank == 0) call.reduction = ReductionOperator::maximum;
       }},
      {"operation: rank 3 gives all_gather, ranks 0 to 2 give all_reduce",
       [](CollectiveCall& call, int rank) {
         if (rank == 3) call.operation = CollectiveOperation::all_gather;
       }},
      {"root: rank 3 gives 2, ranks 0 to 2 give 1",
       [](CollectiveCall& call, int rank) {
         call.operation = CollectiveOperation::broadcast;
         call.root = rank == 3 ? 2 : 1;
       }},
      {"rank 2 of 4, broadcast: root is 4; it must be a rank, 0 to 3",
       [](CollectiveCall& call, int rank) {
         call.operation = CollectiveOperation::broadcast;
         call.root = rank == 2 ? 4 : 1;
       }},
      {"rank 1 of 4, all_reduce: send and receive overlap, and not as in place",
       [](CollectiveCall& call, int rank) {
         if (rank == 1)
           call.receive = const_cast<void*>(static_cast<const void*>(static_cast<const Integer*>(call.send) + 1));
       }},
      {"sent: rank 1 sends 2 elements to rank 3, which expects 1",
       [](CollectiveCall& call, int rank) {
         call.operation = CollectiveOperation::all_to_all_v;
         call.sent = call.received = {{1, 1, 1, 1}, {0, 1, 2, 3}};
         if (rank == 1) call.sent.counts[3] = 2;
       }},
  };
  for (const CollectiveAlgorithm algorithm : {CollectiveAlgorithm::ring, CollectiveAlgorithm::tree}) {
    InProcessOptions options;
    options.algorithm = algorithm;
    const InProcessWorld world(4, options);
    for (const Mismatch& mismatch : mismatches) {
      std::mutex mutex;
      int right = 0;
      const auto errors = errors_of(world, [&](InProcessCollective& collective) {
        std::vector<Integer> send(16, 1), receive(16, -1);
        CollectiveCall call = sum_of(send, receive);
        call.count = 4;
        CollectiveCall good = call;
        mismatch.make(call, collective.rank());
        Result<void> done = launch(collective, call, soon());
        if (launch(collective, good, soon()) && receive[0] == 4) {
          const std::lock_guard lock(mutex);
          ++right;
        }
        return done;
      });
      for (const Error& error : errors) {
        CHECK(error.kind == ErrorKind::invalid);
        CHECK_THAT(error.message, contains(mismatch.said));
      }
      CHECK(right == 4);
    }
  }
}

TEST_CASE("the inverted order of two calls, and groups of other lengths, are mismatches as well") {
  const InProcessWorld world(3);
  std::vector<Error> errors = errors_of(world, [](InProcessCollective& collective) {
    std::vector<Integer> send(3, 1), receive(3);
    CollectiveCall first = sum_of(send, receive), second = first;
    second.operation = CollectiveOperation::broadcast;
    if (collective.rank() == 1) std::swap(first, second);
    return launch(collective, first, soon());
  });
  CHECK(errors[1].message ==
        "call 0 (all_reduce) does not match: operation: rank 1 gives broadcast, ranks 0, 2 give all_reduce");
  CHECK(errors[2].message == errors[1].message);
  errors = errors_of(world, [](InProcessCollective& collective) {
    std::vector<Integer> send(3, 1), receive(3);
    const std::vector<CollectiveCall> calls(collective.rank() == 2 ? 2 : 3, sum_of(send, receive));
    return collective.run_group(calls, soon());
  });
  for (const Error& error : errors)
    CHECK_THAT(error.message, contains("operations in the group: rank 0 gives 3, rank 2 gives 2"));
}

TEST_CASE("without checks a mismatch is what it is in a library without: wrong data, or a wait until the deadline") {
  InProcessOptions options;
  options.check_calls = false;
  std::vector<Integer> first(4);
  const auto run = [&](const std::function<void(CollectiveCall&, int rank)>& make) {
    return errors_of(InProcessWorld(3, options), [&](InProcessCollective& collective) {
      std::vector<Integer> send(16, 1), receive(16, -1);
      CollectiveCall call = sum_of(send, receive);
      call.count = 4;
      make(call, collective.rank());
      auto done = launch(collective, call, at_once());
      if (collective.rank() == 0) first.assign(receive.begin(), receive.begin() + 4);
      return done;
    });
  };
  for (const Error& error : run([](CollectiveCall&call, int rank) {
         call.reduction = rank == 1 ? ReductionOperator::product : ReductionOperator::sum;
       }))
    CHECK(error.message == "");
  CHECK(first != std::vector<Integer>(4, 3));
  for (const Error& error : run([](CollectiveCall&call, int rank) {
         if (rank == 2) call.count = 2;
       }))
    CHECK((error.message.empty() || error.kind != ErrorKind::invalid));
  CHECK(first != std::vector<Integer>(4, 3));
  const auto inverted = run([](CollectiveCall& call, int rank) {
    if (rank == 2) call.operation = CollectiveOperation::all_to_all;
  });
  CHECK(std::any_of(inverted.begin(), inverted.end(), [](const Error& error) {
    return error.kind == ErrorKind::timed_out || error.kind == ErrorKind::aborted;
  }));
  for (const Error& error : run([](CollectiveCall&call, int rank) {
         call.operation = CollectiveOperation::all_to_all_v;
         call.sent = call.received = {{1, 1, 1}, {0, 1, 2}};
         if (rank == 0) call.sent.counts[0] = 12;
       }))
    CHECK(error.message == "");
}

TEST_CASE("a message of another length or type than expected names both ranks") {
  const auto errors = errors_of(InProcessWorld(3), [](InProcessCollective& collective) -> Result<void> {
    std::vector<Integer> send(3, 1), receive(3);
    CollectiveCall call = sum_of(send, receive);
    call.operation = CollectiveOperation::send_receive;
    if (collective.rank() == 0)
      call.destination = 2;
    else if (collective.rank() == 2)
      call.source = 0;
    else
      return {};
    if (collective.rank() == 2) call.count = 2;
    return launch(collective, call, soon());
  });
  CHECK(errors[0].message == "");
  CHECK(errors[2].kind == ErrorKind::invalid);
  CHECK(errors[2].message ==
        "send_receive 0 does not match: count: rank 0 sends 3 elements, which rank 2 receives as 2");
}

TEST_CASE("ranks that do not come are named at the deadline on all that did, and the communicator is of no more use") {
  const InProcessWorld world(5);
  std::mutex mutex;
  std::vector<std::string> later;
  std::atomic<int> given_up = 0;
  const auto errors = errors_of(world, [&](InProcessCollective& collective) -> Result<void> {
    const int rank = collective.rank();
    std::vector<Integer> send(3, 1), receive(3);
    while ((rank == 1 || rank == 4) && given_up < 3) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    auto done = launch(collective, sum_of(send, receive), at_once());
    ++given_up;
    const auto again = launch(collective, sum_of(send, receive), soon());
    const std::lock_guard lock(mutex);
    later.push_back(again ? "none"
                          : std::string(again.error().kind == ErrorKind::aborted ? "aborted: " : "other: ") +
                                again.error().message);
    return done;
  });
  for (const int rank : {0, 2, 3}) {
    CHECK(errors[static_cast<std::size_t>(rank)].kind == ErrorKind::timed_out);
    CHECK(errors[static_cast<std::size_t>(rank)].message ==
          "the deadline of call 0 (all_reduce) passed: ranks 1, 4 have not come, ranks 0, 2, 3 wait");
  }
  for (const int rank : {1, 4}) CHECK(errors[static_cast<std::size_t>(rank)].kind == ErrorKind::aborted);
  for (const std::string& message : later) CHECK_THAT(message, contains("aborted: the communicator is of no more use"));
}

TEST_CASE("a message that never arrives is named at the deadline by the one that waits for it first") {
  for (const CollectiveAlgorithm algorithm : all_collective_algorithms) {
    InProcessOptions options;
    options.algorithm = algorithm;
    options.ranks_per_node = 2;
    std::mutex mutex;
    std::string withheld;
    options.hooks.on_message = [&](const InProcessMessage& message) {
      if (message.from != 3) return MessageFate::deliver;
      const std::lock_guard lock(mutex);
      if (!withheld.empty()) return MessageFate::deliver;
      withheld = "rank " + std::to_string(message.to) + " waits for call 0 of rank 3, " +
                 std::string(name_of(message.place.phase)) + " step " + std::to_string(message.place.step) +
                 ", chunk 0; rank 3 has not sent it";
      return MessageFate::withhold;
    };
    const auto errors = errors_of(InProcessWorld(6, options), [](InProcessCollective& collective) {
      std::vector<Integer> send(12, 1), receive(12);
      return launch(collective, sum_of(send, receive), at_once());
    });
    INFO(name_of(algorithm));
    const auto failed =
        std::find_if(errors.begin(), errors.end(), [](const Error& error) { return !error.message.empty(); });
    REQUIRE(failed != errors.end());
    CHECK(failed->kind == ErrorKind::timed_out);
    CHECK_THAT(failed->message, contains(withheld));
  }
}

TEST_CASE("a rank whose thread has ended is named to those that wait for it") {
  const InProcessWorld world(4);
  auto errors = errors_of(world, [](InProcessCollective& collective) -> Result<void> {
    if (collective.rank() == 2) return {};
    std::vector<Integer> send(3, 1), receive(3);
    return launch(collective, sum_of(send, receive), soon());
  });
  for (const int rank : {0, 1, 3}) {
    CHECK(errors[static_cast<std::size_t>(rank)].kind == ErrorKind::aborted);
    CHECK_THAT(errors[static_cast<std::size_t>(rank)].message,
               contains("rank 2 has ended; call 0 (all_reduce) waits for it"));
  }
  const InProcessWorld other(3);
  errors = errors_of(other, [](InProcessCollective& collective) -> Result<void> {
    std::vector<Integer> receive(1);
    CollectiveCall call = sum_of(receive, receive);
    call.operation = CollectiveOperation::send_receive;
    call.source = 1;
    if (collective.rank() != 0) return {};
    return launch(collective, call, soon());
  });
  CHECK(errors[0].kind == ErrorKind::aborted);
  CHECK(errors[0].message == "rank 1 has ended");
}

TEST_CASE("abort reaches all ranks at once, in the call and after it; of the world, its parts as well") {
  for (const bool whole_world : {false, true}) {
    const InProcessWorld world(4);
    const auto errors = errors_of(world, [&](InProcessCollective& collective) -> Result<void> {
      InProcessCollective part = collective.split(0).value();
      if (collective.rank() == 3) {
        if (whole_world)
          world.abort("a test");
        else
          part.abort("a test");
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
      }
      std::vector<Integer> send(3, 1), receive(3);
      auto done = launch(part, sum_of(send, receive), soon());
      if (whole_world == launch(collective, sum_of(send, receive), soon()).has_value())
        return failure(ErrorKind::invalid, "the whole is not as it should be");
      return done;
    });
    for (const Error& error : errors) {
      CHECK(error.kind == ErrorKind::aborted);
      CHECK_THAT(error.message, contains(whole_world ? "the world was aborted: a test" : "rank 3 aborted: a test"));
    }
  }
}

TEST_CASE("fates of a rank's call: a hang and a crash are found, and who leaves a barrier early is not waited for") {
  const auto run = [](CallFate fate, CollectiveOperation operation) {
    InProcessOptions options;
    options.hooks.on_call = [=](const InProcessArrival& arrival) {
      return arrival.rank == 1 ? fate : CallFate::proceed;
    };
    std::atomic<bool> has_left = false;
    return errors_of(InProcessWorld(4, options), [&, operation](InProcessCollective& collective) {
      while (fate == CallFate::leave_early && collective.rank() == 0 && !has_left) std::this_thread::yield();
      std::vector<Integer> send(3, 1), receive(3);
      CollectiveCall call = sum_of(send, receive);
      call.operation = operation;
      auto done = launch(collective, call, at_once());
      if (collective.rank() == 1) has_left = true;
      return done;
    });
  };
  CHECK_THAT(run(CallFate::hang, CollectiveOperation::all_reduce)[0].message, contains("rank 1 has not come"));
  const auto crashed = run(CallFate::crash, CollectiveOperation::all_reduce);
  for (const Error& error : crashed) {
    CHECK(error.kind == ErrorKind::aborted);
    CHECK_THAT(error.message, contains("rank 1 has ended: it crashed"));
  }
  for (const Error& error : run(CallFate::leave_early, CollectiveOperation::barrier)) CHECK(error.message == "");
  CHECK_THAT(run(CallFate::skip, CollectiveOperation::all_reduce)[0].message, contains("rank 1 has ended"));
}

TEST_CASE("several communicators at once: parts of the world reduce and broadcast in threads of their own") {
  const InProcessWorld world(6);
  std::mutex mutex;
  std::vector<std::string> wrong;
  run_ranks(world, [&](InProcessCollective& collective) {
    const int rank = collective.rank();
    InProcessCollective rows = collective.split(rank / 3).value(), columns = collective.split(rank % 3).value();
    const auto note = [&](bool right, const std::string& what) {
      const std::lock_guard lock(mutex);
      if (!right) wrong.push_back(what + " on rank " + std::to_string(rank));
    };
    note(rows.size() == 3 && rows.rank() == rank % 3 && columns.size() == 2 && columns.rank() == rank / 3, "sizes");
    const auto sums = [&](InProcessCollective& part, Integer own, Integer expected) {
      bool right = true;
      for (Integer round = 0; round < 50; ++round) {
        std::vector<Integer> send(9, own + round), receive(9);
        right = right && launch(part, sum_of(send, receive), soon()) &&
                receive == std::vector<Integer>(9, expected + round * part.size());
      }
      return right;
    };
    bool rows_right = false;
    std::thread other([&] { rows_right = sums(rows, rank, rank < 3 ? 0 + 1 + 2 : 3 + 4 + 5); });
    note(sums(columns, rank, 2 * (rank % 3) + 3), "columns");
    other.join();
    note(rows_right, "rows");
    note(sums(collective, rank, 15), "the whole");
    InProcessCollective alone = columns.split(rank).value();
    note(alone.size() == 1 && sums(alone, 7, 7), "alone");
  });
  CHECK(wrong == std::vector<std::string>{});
}

TEST_CASE("an emulated network delays messages by its latency and bandwidth; results are the same") {
  InProcessOptions options;
  options.link = [](int, int) { return EmulatedLink{2e-3, 1e6}; };
  options.send_delay_seconds = [](int rank) { return rank == 1 ? 1e-3 : 0; };
  const auto start = std::chrono::steady_clock::now();
  std::vector<Integer> first;
  run_ranks(InProcessWorld(2, options), [&](InProcessCollective& collective) {
    std::vector<Integer> send(2000, 1 + collective.rank()), receive(2000);
    launch(collective, sum_of(send, receive), soon()).value();
    if (collective.rank() == 0) first = receive;
  });
  CHECK(first == std::vector<Integer>(2000, 3));
  // two steps of 4000 bytes, each 2 ms + 4 ms: never less
  CHECK(std::chrono::steady_clock::now() - start >= std::chrono::milliseconds(12));
}

TEST_CASE("hooks see messages, reductions and order, and may change them") {
  std::mutex mutex;
  int messages = 0, reductions = 0;
  InProcessOptions options;
  options.chunk_bytes = 8;
  MessageFate fate = MessageFate::deliver;
  options.hooks.on_message = [&](InProcessMessage& message) {
    const std::lock_guard lock(mutex);
    ++messages;
    const bool last = message.place.phase == AlgorithmPhase::reduce_scatter && message.from == 0 &&
                      message.chunk + 1 == message.chunks;
    return last ? fate : MessageFate::deliver;
  };
  options.hooks.on_reduce = [&](const InProcessReduction& reduction) {
    const std::lock_guard lock(mutex);
    ++reductions;
    return reduction.count == 0;
  };
  options.hooks.on_order = [](const InProcessPlace&, std::vector<int>& ranks) {
    std::reverse(ranks.begin(), ranks.end());
  };
  const auto sums = [&] {
    std::vector<Integer> first;
    run_ranks(InProcessWorld(2, options), [&](InProcessCollective& collective) {
      std::vector<Integer> send{1, 2, 3, 4, 5, 6}, receive(6);
      launch(collective, sum_of(send, receive), soon()).value();
      const std::lock_guard lock(mutex);
      first = receive;
    });
    return first;
  };
  CHECK(sums() == std::vector<Integer>{2, 4, 6, 8, 10, 12});
  CHECK((messages == 8 && reductions == 4));
  fate = MessageFate::lose;  // the last chunk that rank 0 sends is the third element of the other's half
  CHECK(sums() == std::vector<Integer>{2, 4, 3, 8, 10, 12});
  fate = MessageFate::duplicate;
  CHECK(sums() == std::vector<Integer>{2, 4, 9, 8, 10, 12});
}

TEST_CASE("a world that cannot be is misuse") {
  CHECK_THROWS_AS(InProcessWorld(0), Misuse);
  CHECK_THROWS_AS(InProcessWorld(2).collective(2), Misuse);
  InProcessOptions options;
  options.chunk_bytes = 0;
  CHECK_THROWS_AS(InProcessWorld(2, options), Misuse);
}
