#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>

#include "assay/backends/block_backend.hpp"
#include "testing/catch.hpp"

/// What every backend with blocks of threads must do, as checks that take one. Functors live at namespace scope, for
/// devices' sake.
namespace assay::testing {

/// A value whose joining is associative and not commutative, and as large as `reduce` takes: which threads, in which
/// order.
struct JoinedThreads {
  std::uint64_t hash = 0, count = 0, first = 0, last = 0;
  [[nodiscard]] ASSAY_FUNCTION static JoinedThreads of(std::uint64_t thread) {
    return {thread * 0x9E3779B97F4A7C15u + 1, 1, thread, thread};
  }
  [[nodiscard]] ASSAY_FUNCTION JoinedThreads joined(const JoinedThreads& next) const {
    return {(hash * 31 + next.hash) * 3, count + next.count, first, next.last};
  }
  friend bool operator==(const JoinedThreads&, const JoinedThreads&) = default;
};

/// The order in which `reduce` joins, in other words than the implementations': see `BlockBackend`.
template <class T, class Join>
T joined_in_order(std::vector<T> values, const Join& join) {
  std::vector<T> groups;
  for (std::size_t group = 0; group < values.size(); group += 32) {
    std::vector<T> lanes(values.begin() + static_cast<std::ptrdiff_t>(group),
                         values.begin() + static_cast<std::ptrdiff_t>(group + 32));
    while (lanes.size() > 1) {
      const std::size_t half = lanes.size() / 2;
      for (std::size_t lane = 0; lane < half; ++lane) lanes[lane] = join(lanes[lane], lanes[lane + half]);
      lanes.resize(half);
    }
    groups.push_back(lanes.front());
  }
  T total = groups.front();
  for (std::size_t group = 1; group < groups.size(); ++group) total = join(total, groups[group]);
  return total;
}

/// Every thread writes into shared memory, reads what its neighbors wrote, and is joined with all others.
template <int Threads>
struct ExchangeAndJoin {
  static constexpr int threads = Threads;
  struct Shared {
    float values[Threads];
  };
  float* neighbors;       ///< Threads for each block
  double* sums;           ///< of a block
  JoinedThreads* joined;  ///< of a block

  [[nodiscard]] ASSAY_FUNCTION static float value_of(std::size_t block, int thread) {
    return 1.0f / static_cast<float>(block * 7 + static_cast<std::size_t>(thread) + 1);
  }

  template <class Block>
  ASSAY_FUNCTION void operator()(Block& block, Shared& shared) const {
    typename Block::template PerThread<double> own;
    typename Block::template PerThread<JoinedThreads> which;
    block.each([&](int thread) { shared.values[thread] = value_of(block.index(), thread); });
    block.each([&](int thread) {
      const float neighbor = shared.values[(thread + 33) % Threads];
      neighbors[block.index() * Threads + static_cast<std::size_t>(thread)] = neighbor;
      own[thread] = static_cast<double>(neighbor);
      which[thread] = JoinedThreads::of(static_cast<std::uint64_t>(thread));
    });
    const double sum = block.reduce(own, [&](double a, double b) { return a + b; });
    const JoinedThreads all =
        block.reduce(which, [&](const JoinedThreads& a, const JoinedThreads& b) { return a.joined(b); });
    // all threads have the same result, and shared memory serves again
    block.each([&](int thread) { shared.values[thread] = static_cast<float>(sum); });
    block.each([&](int thread) {
      if (thread != 5) return;
      sums[block.index()] = shared.values[Threads - 1] == static_cast<float>(sum) ? sum : -1;
      joined[block.index()] = all;
    });
  }
};

template <int Threads, BlockBackend B>
void check_blocks_of(B& backend, std::size_t blocks) {
  auto stream = backend.make_stream().value();
  auto neighbors = backend.template allocate<float>(blocks * Threads).value();
  auto sums = backend.template allocate<double>(blocks).value();
  auto joined = backend.template allocate<JoinedThreads>(blocks).value();
  REQUIRE(
      backend.parallel_blocks(stream, blocks, ExchangeAndJoin<Threads>{neighbors.data(), sums.data(), joined.data()})
          .has_value());
  std::vector<float> got_neighbors(blocks * Threads);
  std::vector<double> got_sums(blocks);
  std::vector<JoinedThreads> got_joined(blocks);
  REQUIRE(backend.copy_to_host(stream, got_neighbors.data(), neighbors.data(), got_neighbors.size()).has_value());
  REQUIRE(backend.copy_to_host(stream, got_sums.data(), sums.data(), blocks).has_value());
  REQUIRE(backend.copy_to_host(stream, got_joined.data(), joined.data(), blocks).has_value());
  REQUIRE(backend.synchronize(stream).has_value());
  std::vector<JoinedThreads> threads;
  for (int thread = 0; thread < Threads; ++thread)
    threads.push_back(JoinedThreads::of(static_cast<std::uint64_t>(thread)));
  const JoinedThreads all =
      joined_in_order(threads, [](const JoinedThreads& a, const JoinedThreads& b) { return a.joined(b); });
  std::size_t wrong = 0;
  for (std::size_t block = 0; block < blocks; ++block) {
    std::vector<double> own;
    for (int thread = 0; thread < Threads; ++thread) {
      const float neighbor = ExchangeAndJoin<Threads>::value_of(block, (thread + 33) % Threads);
      own.push_back(static_cast<double>(neighbor));
      wrong += got_neighbors[block * Threads + static_cast<std::size_t>(thread)] == neighbor ? 0 : 1;
    }
    wrong += got_sums[block] == joined_in_order(own, [](double a, double b) { return a + b; }) ? 0 : 1;
    wrong += got_joined[block] == all ? 0 : 1;
  }
  CHECK(wrong == 0);
}

/// Counts how often each block runs.
struct CountBlocks {
  static constexpr int threads = 32;
  struct Shared {};
  unsigned* visits;
  template <class Block>
  ASSAY_FUNCTION void operator()(Block& block, Shared&) const {
    block.each([&](int thread) {
      if (thread == 31) visits[block.index()] += static_cast<unsigned>(block.index() % 5) + 1;
    });
  }
};

template <BlockBackend B>
void check_each_block_runs_once(B& backend) {
  auto stream = backend.make_stream().value();
  for (const std::size_t blocks : std::initializer_list<std::size_t>{0, 1, 133, 65535, 65536, 200001}) {
    std::vector<unsigned> visits(blocks + 1, 0);
    auto buffer = backend.template allocate<unsigned>(blocks + 1).value();
    REQUIRE(backend.copy_to_device(stream, buffer.data(), visits.data(), blocks + 1).has_value());
    REQUIRE(backend.parallel_blocks(stream, blocks, CountBlocks{buffer.data()}).has_value());
    REQUIRE(backend.copy_to_host(stream, visits.data(), buffer.data(), blocks + 1).has_value());
    REQUIRE(backend.synchronize(stream).has_value());
    std::size_t wrong = visits[blocks] == 0 ? 0 : 1;
    for (std::size_t block = 0; block < blocks; ++block) wrong += visits[block] == block % 5 + 1 ? 0 : 1;
    INFO(blocks << " blocks");
    CHECK(wrong == 0);
  }
}

/// Fills its shared memory and sums it up in another order.
template <int Doubles>
struct UseShared {
  static constexpr int threads = 64;
  struct Shared {
    double values[Doubles];
  };
  double* sums;
  template <class Block>
  ASSAY_FUNCTION void operator()(Block& block, Shared& shared) const {
    typename Block::template PerThread<double> own;
    block.each([&](int thread) {
      for (int i = thread; i < Doubles; i += threads)
        shared.values[i] = static_cast<double>(i) + static_cast<double>(block.index());
    });
    block.each([&](int thread) {
      for (int i = thread; i < Doubles; i += threads) own[thread] += shared.values[Doubles - 1 - i];
    });
    const double sum = block.reduce(own, [&](double a, double b) { return a + b; });
    block.each([&](int thread) {
      if (thread == 0) sums[block.index()] = sum;
    });
  }
};

/// `Doubles` of shared memory are used, or the backend says how much there is.
template <int Doubles, BlockBackend B>
void check_shared_memory(B& backend, bool portable) {
  auto stream = backend.make_stream().value();
  constexpr std::size_t blocks = 5;
  auto buffer = backend.template allocate<double>(blocks).value();
  const auto launched = backend.parallel_blocks(stream, blocks, UseShared<Doubles>{buffer.data()});
  if (!launched && !portable) {
    CHECK(launched.error().kind == ErrorKind::unsupported);
    CHECK_THAT(launched.error().message, contains("bytes of shared memory"));
    return;
  }
  REQUIRE(launched.has_value());
  std::vector<double> sums(blocks);
  REQUIRE(backend.copy_to_host(stream, sums.data(), buffer.data(), blocks).has_value());
  REQUIRE(backend.synchronize(stream).has_value());
  for (std::size_t block = 0; block < blocks; ++block)
    CHECK(sums[block] == Doubles * (Doubles - 1) / 2.0 + static_cast<double>(block) * Doubles);
}

template <BlockBackend B>
void check_blocks(B& backend) {
  SECTION("each block runs once") {
    check_each_block_runs_once(backend);
  }
  SECTION("one group of threads") {
    check_blocks_of<32>(backend, 3);
  }
  SECTION("three groups of threads") {
    check_blocks_of<96>(backend, 300);
  }
  SECTION("as many threads as a block has") {
    check_blocks_of<1024>(backend, 7);
  }
  SECTION("as much shared memory as is portable") {
    check_shared_memory<47 * 1024 / 8>(backend, true);
  }
  SECTION("much shared memory") {
    check_shared_memory<200 * 1024 / 8>(backend, false);
  }
}

}  // namespace assay::testing
