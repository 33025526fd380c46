#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "assay/collectives/any_collective.hpp"

namespace assay::detail {

/// Small integers that tell rank, block, place and seed apart.
[[nodiscard]] inline std::int32_t preflight_value(std::uint64_t seed, int rank, Index place) {
  std::uint64_t hash = seed + static_cast<std::uint64_t>(rank) * 0x9e3779b97f4a7c15u + static_cast<std::uint64_t>(place) * 0xbf58476d1ce4e5b9u;
  hash = (hash ^ hash >> 31) * 0x94d049bb133111ebu;
  return static_cast<std::int32_t>(hash >> 54);
}

/// What element `place` of the receive buffer of `rank` must be after `operation` of `count` with root 0.
[[nodiscard]] inline std::int32_t preflight_expectation(CollectiveOperation operation, std::uint64_t seed, int rank, int size, Index count, Index place) {
  const auto sum = [&](Index at) {
    std::int32_t total = 0;
    for (int other = 0; other < size; ++other) total += preflight_value(seed, other, at);
    return total;
  };
  const int block = static_cast<int>(place / count);
  switch (operation) {
    case CollectiveOperation::all_reduce:
    case CollectiveOperation::reduce: return sum(place);
    case CollectiveOperation::reduce_scatter: return sum(rank * count + place);
    case CollectiveOperation::all_gather:
    case CollectiveOperation::gather: return preflight_value(seed, block, place % count);
    case CollectiveOperation::broadcast: return preflight_value(seed, 0, place);
    case CollectiveOperation::scatter: return preflight_value(seed, 0, rank * count + place);
    case CollectiveOperation::all_to_all: return preflight_value(seed, block, rank * count + place % count);
    case CollectiveOperation::send_receive: return preflight_value(seed, (rank + size - 1) % size, place);
    default: return 0;
  }
}

/// A buffer in the memory of a runtime.
class PreflightBuffer {
 public:
  [[nodiscard]] static Result<PreflightBuffer> make(const CollectiveMemory& memory, std::size_t bytes) {
    auto at = memory.allocate(bytes);
    if (!at) return at.propagate();
    return PreflightBuffer(std::shared_ptr<void>(at.value(), [memory, bytes](void* held) { memory.deallocate(held, bytes); }));
  }
  [[nodiscard]] void* data() const { return data_.get(); }

 private:
  explicit PreflightBuffer(std::shared_ptr<void> data) : data_(std::move(data)) {}
  std::shared_ptr<void> data_;
};

/// Runs `operation` once on int32 data whose result is exact in any order, and gives what is wrong of this rank's result; empty
/// if nothing is. send_receive goes around the ring. Errors: the runtime's, the memory's. O(count · size²) at most.
[[nodiscard]] inline Result<std::string> exact_check(AnyCollective& collective, CollectiveOperation operation, Index count, std::uint64_t seed, Deadline deadline) {
  const int rank = collective.rank(), size = collective.size();
  const CollectiveMemory memory = collective.memory();
  CollectiveCall call;
  call.operation = operation;
  call.type = ElementType::int32;
  call.count = count;
  if (operation == CollectiveOperation::send_receive) {
    call.destination = (rank + 1) % size;
    call.source = (rank + size - 1) % size;
  }
  const auto block = static_cast<std::size_t>(count), n = static_cast<std::size_t>(size);
  auto sent = PreflightBuffer::make(memory, block * n * sizeof(std::int32_t)), received = PreflightBuffer::make(memory, block * n * sizeof(std::int32_t));
  if (!sent) return sent.propagate();
  if (!received) return received.propagate();
  call.send = sent.value().data();
  call.receive = received.value().data();

  std::vector<std::int32_t> values(block * n);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = preflight_value(seed, rank, static_cast<Index>(i));
  if (auto written = memory.write(sent.value().data(), values.data(), values.size() * sizeof(std::int32_t)); !written) return written.propagate();
  std::fill(values.begin(), values.end(), std::int32_t{-1});
  if (auto written = memory.write(received.value().data(), values.data(), values.size() * sizeof(std::int32_t)); !written) return written.propagate();
  if (auto done = collective.run(call, deadline); !done) return done.propagate();
  if (auto read = memory.read(values.data(), received.value().data(), values.size() * sizeof(std::int32_t)); !read) return read.propagate();

  const Index extent = receive_extent(call, rank, size);
  for (Index i = 0; i < extent; ++i) {
    const std::int32_t expected = preflight_expectation(operation, seed, rank, size, count, i), found = values[static_cast<std::size_t>(i)];
    if (found != expected)
      return std::string(name_of(operation)) + ": element " + std::to_string(i) + " of rank " + std::to_string(rank) + " is " + std::to_string(found) + ", not " + std::to_string(expected);
  }
  return std::string();
}

}  // namespace assay::detail
