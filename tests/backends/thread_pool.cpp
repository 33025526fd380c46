#include "assay/backends/thread_pool.hpp"

#include <atomic>
#include <cstdint>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include "testing/catch.hpp"

using assay::ThreadPool;

TEST_CASE("a pool has the size it was given, or that of the machine", "[backends]") {
  CHECK(ThreadPool(3).size() == 3);
  CHECK(ThreadPool().size() >= 1);
}

TEST_CASE("every index is visited once, over and over", "[backends]") {
  for (const unsigned size : {1u, 2u, 5u, 16u}) {
    ThreadPool pool(size);
    std::vector<unsigned> visits(10007, 0);
    for (int repetition = 0; repetition < 50; ++repetition)
      pool.for_each_index(visits.size(), [&](std::size_t i) { ++visits[i]; });
    for (std::size_t count = 0; count < 40; ++count) pool.for_each_index(count, [&](std::size_t i) { ++visits[i]; });
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < visits.size(); ++i) wrong += visits[i] != 50 + (i < 39 ? 39 - i : 0) ? 1 : 0;
    CHECK(wrong == 0);
  }
}

TEST_CASE("the threads of a pool share a loop", "[backends]") {
  constexpr unsigned size = 3;
  ThreadPool pool(size);
  std::atomic<unsigned> arrived{0};
  // every index waits for all the others: this ends only if three threads are at it at the same time
  pool.for_each_index(size, [&](std::size_t) {
    ++arrived;
    while (arrived < size) std::this_thread::yield();
  });
  CHECK(arrived == size);
}

TEST_CASE("a loop of one index, and a pool of one, stay in the calling thread", "[backends]") {
  const std::thread::id caller = std::this_thread::get_id();
  std::set<std::thread::id> seen;
  ThreadPool many(4), one(1);
  many.for_each_index(1, [&](std::size_t) { seen.insert(std::this_thread::get_id()); });
  one.for_each_index(1000, [&](std::size_t) { seen.insert(std::this_thread::get_id()); });
  CHECK(seen == std::set<std::thread::id>{caller});
}

TEST_CASE("a loop inside a loop does not wait for the pool", "[backends]") {
  ThreadPool pool(3);
  std::atomic<std::uint64_t> sum{0};
  pool.for_each_index(20, [&](std::size_t i) {
    pool.for_each_index(
        20, [&](std::size_t j) { pool.for_each_index(2, [&](std::size_t k) { sum += (i * 20 + j) * 2 + k; }); });
  });
  CHECK(sum == 799 * 800 / 2);
}

TEST_CASE("several threads may call one pool", "[backends]") {
  ThreadPool pool(2);
  std::atomic<std::uint64_t> sum{0};
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 4; ++caller)
    callers.emplace_back([&] {
      for (int repetition = 0; repetition < 100; ++repetition)
        pool.for_each_index(100, [&](std::size_t i) { sum += i; });
    });
  for (std::thread& caller : callers) caller.join();
  CHECK(sum == 4u * 100u * 4950u);
}

TEST_CASE("a pool may come and go with or without work", "[backends]") {
  std::atomic<int> calls{0};
  for (int repetition = 0; repetition < 100; ++repetition) {
    const ThreadPool idle(4);
    ThreadPool pool(4);
    pool.for_each_index(8, [&](std::size_t) { ++calls; });
  }
  CHECK(calls == 800);
}

TEST_CASE("the caller's floating-point environment comes back", "[backends]") {
  assay::FloatingPointState downward;
  downward.rounding = assay::RoundingDirection::downward;
  const assay::FloatingPointGuard guard(downward);
  ThreadPool pool(4);
  std::atomic<int> strange{0};
  pool.for_each_index(1000, [&](std::size_t) {
    strange += assay::FloatingPointState::current() == assay::FloatingPointState{} ? 0 : 1;
  });
  CHECK(strange == 0);
  CHECK(assay::FloatingPointState::current() == downward);
}
