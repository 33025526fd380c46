#include "assay/backends/host_block.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include "assay/backends/host.hpp"
#include "testing/catch.hpp"

using namespace assay;

namespace {

template <class Functor>
void run(const Functor& functor, ThreadOrder order, std::size_t index = 0) {
  detail::RunHostBlock<Functor>{functor, order}(index);
}

struct Order {
  static constexpr int threads = 64;
  struct Shared {};
  std::vector<int>* seen;
  template <class Block>
  void operator()(Block& block, Shared&) const {
    static_assert(Block::threads == 64);
    CHECK(block.index() == 9);
    CHECK(block.multiprocessor() == -1);
    block.each([&](int thread) { seen->push_back(thread); });
    block.each([&](int thread) { seen->push_back(100 + thread); });
  }
};

struct ReadUnwritten {
  static constexpr int threads = 32;
  struct Shared {
    double number;
    float single;
    std::uint16_t half;
    std::uint8_t bytes[3];
  };
  bool* marked;
  template <class Block>
  void operator()(Block& block, Shared& shared) const {
    typename Block::template PerThread<double> own;
    block.each([&](int thread) {
      if (thread == 7)
        *marked = std::isnan(shared.number) && std::isnan(shared.single) && shared.half == 0xFFFF &&
                  shared.bytes[2] == 0xFF && own[thread] == 0;
    });
    block.each([&](int) { std::memset(static_cast<void*>(&shared), 0, sizeof shared); });
  }
};

/// Threads read what others write in the same phase.
struct Race {
  static constexpr int threads = 32;
  struct Shared {
    int values[32];
  };
  int* results;
  template <class Block>
  void operator()(Block& block, Shared& shared) const {
    block.each([&](int thread) { shared.values[thread] = 0; });
    block.each([&](int thread) {
      shared.values[thread] = thread;
      results[thread] = shared.values[(thread + 1) % 32];
    });
  }
};

}  // namespace

TEST_CASE("threads of a block run phase by phase, up or down", "[backends]") {
  for (const bool down : {false, true}) {
    std::vector<int> seen;
    run(Order{&seen}, down ? ThreadOrder::descending : ThreadOrder::ascending, 9);
    REQUIRE(seen.size() == 128);
    for (int i = 0; i < 64; ++i) {
      CHECK(seen[static_cast<std::size_t>(i)] == (down ? 63 - i : i));
      CHECK(seen[static_cast<std::size_t>(64 + i)] == 100 + (down ? 63 - i : i));
    }
  }
}

TEST_CASE("what a block has not written is not a number, in every block anew", "[backends]") {
  for (std::size_t block = 0; block < 3; ++block) {
    bool marked = false;
    run(ReadUnwritten{&marked}, ThreadOrder::ascending, block);
    CHECK(marked);
  }
}

TEST_CASE("a race within a phase gives other results in the other order", "[backends]") {
  std::array<int, 32> up{}, down{};
  run(Race{up.data()}, ThreadOrder::ascending);
  run(Race{down.data()}, ThreadOrder::descending);
  CHECK(up != down);
}

TEST_CASE("a block is told its multiprocessor where somebody knows it", "[backends]") {
  const HostBlock<32> block(3, ThreadOrder::ascending, 17);
  CHECK(block.multiprocessor() == 17);
  CHECK(block.index() == 3);
}
