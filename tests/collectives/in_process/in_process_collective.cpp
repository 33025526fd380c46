#include "assay/collectives/in_process/in_process_collective.hpp"

#include <algorithm>
#include <mutex>

#include "assay/collectives/any_collective.hpp"
#include "assay/collectives/in_process/run_ranks.hpp"
#include "testing/catch.hpp"

using namespace assay;
using Integer = std::int32_t;

static_assert(Collective<InProcessCollective>);

namespace {

Deadline soon() {
  return deadline_after(std::chrono::seconds(20));
}

/// What rank `rank` gives at `index` in its k-th call.
Integer given(int k, int rank, Index index) {
  const std::uint64_t mixed = (static_cast<std::uint64_t>(k) * 1000003 + static_cast<std::uint64_t>(rank) * 7919 +
                               static_cast<std::uint64_t>(index) + 1) *
                              0x9e3779b97f4a7c15U;
  return static_cast<Integer>(mixed >> 44);
}

constexpr Integer poison = -77777777;

struct Case {
  CollectiveOperation operation = CollectiveOperation::all_reduce;
  Index count = 0;
  int root = 0;
  bool in_place = false;
};

std::string text_of(const Case& c, int rank) {
  return std::string(name_of(c.operation)) + " count " + std::to_string(c.count) + " root " + std::to_string(c.root) +
         (c.in_place ? " in place" : "") + " rank " + std::to_string(rank);
}

/// Elements from `from` to `to` of the all_to_all_v; some are none.
Index elements_between(const Case& c, int from, int to) {
  return (from * 3 + to * 5) % 4 == 0 ? 0 : c.count + (from + to) % 3;
}

RankBlockLayout layout_of(const Case& c, int rank, int size, bool sent) {
  RankBlockLayout layout;
  Index next = 1;
  layout.counts.resize(static_cast<std::size_t>(size));
  layout.displacements.resize(static_cast<std::size_t>(size));
  for (int other = size - 1; other >= 0; --other) {  // the last rank's block stands first, with gaps
    const auto index = static_cast<std::size_t>(other);
    layout.counts[index] = sent ? elements_between(c, rank, other) : elements_between(c, other, rank);
    layout.displacements[index] = next;
    next += layout.counts[index] + 2;
  }
  return layout;
}

/// The plain definition of what rank `rank` receives; poison where nothing is written.
std::vector<Integer> expected_of(const Case& c, int k, int rank, int size, const RankBlockLayout& received,
                                 Index extent) {
  std::vector<Integer> out(static_cast<std::size_t>(extent), poison);
  const auto set = [&](Index index, Integer value) { out[static_cast<std::size_t>(index)] = value; };
  const auto sum = [&](Index index) {
    std::uint32_t total = 0;
    for (int r = 0; r < size; ++r) total += static_cast<std::uint32_t>(given(k, r, index));
    return static_cast<Integer>(total);
  };
  if (extent == 0) return out;
  for (Index i = 0; i < c.count; ++i) {
    switch (c.operation) {
      case CollectiveOperation::all_reduce:
      case CollectiveOperation::reduce: set(i, sum(i)); break;
      case CollectiveOperation::reduce_scatter: set(i, sum(rank * c.count + i)); break;
      case CollectiveOperation::broadcast: set(i, given(k, c.root, i)); break;
      case CollectiveOperation::scatter: set(i, given(k, c.root, rank * c.count + i)); break;
      case CollectiveOperation::send_receive: set(i, given(k, (rank + size - 1) % size, i)); break;
      case CollectiveOperation::all_gather:
      case CollectiveOperation::gather:
        for (int b = 0; b < size; ++b) set(b * c.count + i, given(k, b, i));
        break;
      case CollectiveOperation::all_to_all:
        for (int b = 0; b < size; ++b) set(b * c.count + i, given(k, b, rank * c.count + i));
        break;
      default: break;
    }
  }
  if (c.operation == CollectiveOperation::all_to_all_v) {
    for (int b = 0; b < size; ++b) {
      const RankBlockLayout theirs = layout_of(c, b, size, true);
      for (Index i = 0; i < received.counts[static_cast<std::size_t>(b)]; ++i)
        set(received.displacements[static_cast<std::size_t>(b)] + i,
            given(k, b, theirs.displacements[static_cast<std::size_t>(rank)] + i));
    }
  }
  return out;
}

/// Runs a case on one rank, `shift` bytes off alignment; what was wrong, else empty.
std::string run_case(InProcessCollective& collective, const Case& c, int k) {
  const int rank = collective.rank(), size = collective.size();
  CollectiveCall call;
  call.operation = c.operation;
  call.type = ElementType::int32;
  call.count = c.count;
  call.root = c.root;
  if (c.operation == CollectiveOperation::send_receive) {
    call.destination = (rank + 1) % size;
    call.source = (rank + size - 1) % size;
  }
  if (c.operation == CollectiveOperation::all_to_all_v) {
    call.sent = layout_of(c, rank, size, true);
    call.received = layout_of(c, rank, size, false);
  }
  const Index sent = send_extent(call, rank, size), received = receive_extent(call, rank, size);
  const std::size_t shift = static_cast<std::size_t>(k) % 5;
  std::vector<std::byte> send(static_cast<std::size_t>(sent) * sizeof(Integer) + shift),
      receive(static_cast<std::size_t>(received) * sizeof(Integer) + shift + 1, std::byte{0x5a});
  std::vector<Integer> inputs(static_cast<std::size_t>(sent)), outputs(static_cast<std::size_t>(received), poison);
  for (Index i = 0; i < sent; ++i) inputs[static_cast<std::size_t>(i)] = given(k, rank, i);
  if (sent > 0) std::memcpy(send.data() + shift, inputs.data(), inputs.size() * sizeof(Integer));
  if (received > 0) std::memcpy(receive.data() + shift, outputs.data(), outputs.size() * sizeof(Integer));
  call.send = sent > 0 ? send.data() + shift : nullptr;
  call.receive = received > 0 ? receive.data() + shift : nullptr;
  const bool receive_is_block =
      c.operation == CollectiveOperation::reduce_scatter || c.operation == CollectiveOperation::scatter;
  if (c.in_place && sent > 0 && received > 0) {
    const std::size_t own = static_cast<std::size_t>(rank * c.count) * sizeof(Integer);
    if (receive_is_block) {
      call.receive = send.data() + shift + own;
    } else {
      const bool send_is_block =
          c.operation == CollectiveOperation::all_gather || c.operation == CollectiveOperation::gather;
      std::byte* const place = receive.data() + shift + (send_is_block ? own : 0);
      std::memcpy(place, inputs.data(), inputs.size() * sizeof(Integer));
      call.send = place;
    }
  }
  if (auto done = launch(collective, call, soon()); !done) return text_of(c, rank) + ": " + done.error().message;
  if (received > 0) std::memcpy(outputs.data(), call.receive, outputs.size() * sizeof(Integer));
  if (outputs != expected_of(c, k, rank, size, call.received, received)) return text_of(c, rank) + ": wrong data";
  if (receive.back() != std::byte{0x5a}) return text_of(c, rank) + ": written beyond the buffer";
  if (sent > 0 && !c.in_place && std::memcmp(send.data() + shift, inputs.data(), inputs.size() * sizeof(Integer)) != 0)
    return text_of(c, rank) + ": the send buffer was changed";
  return {};
}

std::vector<Case> cases_of(int size, bool long_run) {
  std::vector<Case> cases;
  std::vector<Index> counts{0, 1, size - 1, size, size + 1, 61};
  if (long_run) counts.insert(counts.end(), {2, 3, 64, 127, 1009});
  for (const CollectiveOperation operation : all_collective_operations) {
    for (const Index count : counts) {
      for (const int root : has_root(operation) ? std::vector<int>{0, size - 1, size / 2} : std::vector<int>{0}) {
        cases.push_back({operation, count, root, false});
        if (operation != CollectiveOperation::all_to_all_v && operation != CollectiveOperation::barrier)
          cases.push_back({operation, count, root, true});
      }
    }
  }
  return cases;
}

void check_all_operations(CollectiveAlgorithm algorithm, int size, int ranks_per_node, bool long_run = false) {
  InProcessOptions options;
  options.algorithm = algorithm;
  options.ranks_per_node = ranks_per_node;
  options.chunk_bytes = 50;  // 12 elements: most transfers are several messages, with a remainder
  const std::vector<Case> cases = cases_of(size, long_run);
  std::mutex mutex;
  std::vector<std::string> wrong;
  run_ranks(InProcessWorld(size, options), [&](InProcessCollective& collective) {
    for (std::size_t k = 0; k < cases.size(); ++k) {
      const std::string what = run_case(collective, cases[k], static_cast<int>(k));
      if (what.empty()) continue;
      const std::lock_guard lock(mutex);
      wrong.push_back(what);
    }
  });
  INFO(name_of(algorithm) << ", " << size << " ranks, " << ranks_per_node << " a node; "
                          << (wrong.empty() ? "" : wrong.front()));
  CHECK(wrong.size() == 0);
}

/// What `reduction` makes of elements 1 + (index + rank) % 2 of n ranks with the multiplier 2; of small integers, which
/// every type holds.
double reduced(ReductionOperator reduction, Index index, int size) {
  double sum = 0, product = 1, least = 9, most = 0;
  for (int rank = 0; rank < size; ++rank) {
    const double value = static_cast<double>(1 + (index + rank) % 2);
    sum += value;
    product *= value;
    least = std::min(least, value);
    most = std::max(most, value);
  }
  switch (reduction) {
    case ReductionOperator::sum: return sum;
    case ReductionOperator::product: return product;
    case ReductionOperator::minimum: return least;
    case ReductionOperator::maximum: return most;
    case ReductionOperator::average: return sum / size;
    case ReductionOperator::premultiplied_sum: return 2 * sum;
  }
  return 0;
}

}  // namespace

TEST_CASE("every operation gives what its definition says, with every algorithm, in place and out of place") {
  for (const CollectiveAlgorithm algorithm : all_collective_algorithms)
    for (const int size : {1, 2, 3, 4, 5, 7, 8, 16}) check_all_operations(algorithm, size, 4);
  for (const int ranks_per_node : {1, 2, 3, 100})
    check_all_operations(CollectiveAlgorithm::hierarchical, 6, ranks_per_node);
}

TEST_CASE("every operation, more sizes and counts", "[.long]") {
  for (const CollectiveAlgorithm algorithm : all_collective_algorithms)
    for (int size = 1; size <= 33; ++size) check_all_operations(algorithm, size, 1 + size % 8, true);
}

TEST_CASE("every reduction of every type") {
  constexpr int size = 4;
  constexpr Index count = 67;
  for (const CollectiveAlgorithm algorithm : all_collective_algorithms) {
    InProcessOptions options;
    options.algorithm = algorithm;
    options.ranks_per_node = 2;
    std::mutex mutex;
    std::string wrong;
    run_ranks(InProcessWorld(size, options), [&](InProcessCollective& collective) {
      for (const ElementType type : all_element_types) {
        with_element_type(type, [&]<class T>() {
          for (const ReductionOperator reduction : all_reductions) {
            std::vector<T> send, receive(count);
            for (Index i = 0; i < count; ++i) send.push_back(T(static_cast<float>(1 + (i + collective.rank()) % 2)));
            CollectiveCall call;
            call.type = type;
            call.count = count;
            call.reduction = reduction;
            call.multiplier = 2;
            call.send = send.data();
            call.receive = receive.data();
            std::string what;
            if (auto done = collective.run(call, soon()); !done) what = done.error().message;
            for (Index i = 0; i < count; ++i) {
              const double exact = reduced(reduction, i, size),
                           expected = static_cast<double>(
                               T(std::is_integral_v<T> ? static_cast<double>(static_cast<int>(exact)) : exact));
              if (static_cast<double>(receive[static_cast<std::size_t>(i)]) != expected)
                what = "element " + std::to_string(i) + " is " +
                       std::to_string(static_cast<double>(receive[static_cast<std::size_t>(i)]));
            }
            const std::lock_guard lock(mutex);
            if (!what.empty())
              wrong = std::string(name_of(algorithm)) + " " + std::string(name_of(type)) + " " +
                      std::string(name_of(reduction)) + ": " + what;
          }
        });
      }
    });
    CHECK(wrong == "");
  }
}

TEST_CASE("a group is several calls as one; its messages may cross") {
  constexpr int size = 5;
  std::mutex mutex;
  std::vector<std::string> wrong;
  run_ranks(InProcessWorld(size), [&](InProcessCollective& collective) {
    const int rank = collective.rank();
    // everyone sends to everyone and sums up; rank 0 lists its receives in the order of ranks, others against it
    std::vector<Integer> mine{rank * 10, rank * 10 + 1}, sums(2), from(2 * size, -1);
    std::vector<CollectiveCall> calls;
    CollectiveCall sum;
    sum.type = ElementType::int32;
    sum.count = 2;
    sum.send = mine.data();
    sum.receive = sums.data();
    calls.push_back(sum);
    for (int i = 0; i < size; ++i) {
      const int other = rank == 0 ? i : size - 1 - i;
      CollectiveCall call = sum;
      call.operation = CollectiveOperation::send_receive;
      call.receive = nullptr;
      call.destination = other;
      calls.push_back(call);
      call.destination = -1;
      call.source = other;
      call.send = nullptr;
      call.receive = from.data() + 2 * other;
      calls.push_back(call);
    }
    AnyCollective any(collective);
    auto done = any.run_group(calls, soon());
    bool right = done && sums == std::vector<Integer>{100, 105};
    for (int other = 0; other < size; ++other)
      right = right && from[static_cast<std::size_t>(2 * other)] == other * 10 &&
              from[static_cast<std::size_t>(2 * other + 1)] == other * 10 + 1;
    right = right && any.run_group({}, soon());
    const std::lock_guard lock(mutex);
    if (!right) wrong.push_back(std::to_string(rank) + (done ? "" : done.error().message));
  });
  CHECK(wrong == std::vector<std::string>{});
}

TEST_CASE("only the ranks that it concerns call send_receive; messages of a pair keep their order") {
  std::vector<Integer> received(3, -1);
  run_ranks(InProcessWorld(4), [&](InProcessCollective& collective) {
    CollectiveCall call;
    call.operation = CollectiveOperation::send_receive;
    call.type = ElementType::int32;
    call.count = 1;
    for (Integer message = 0; message < 3; ++message) {
      call.send = &message;
      call.receive = &received[static_cast<std::size_t>(message)];
      if (collective.rank() == 1)
        call.destination = 3;
      else if (collective.rank() == 3)
        call.source = 1;
      else
        break;
      collective.run(call, soon()).value();
    }
  });
  CHECK(received == std::vector<Integer>{0, 1, 2});
}
