// The backend itself: memory, copies, streams, events, loops and blocks of threads.
#include <cstddef>
#include <vector>

#include "assay/backends/host.hpp"
#include "backends/backend_conformance.hpp"
#include "devices/device_under_test.hpp"

using namespace assay;
using testing::device_under_test, testing::DeviceUnderTest;

namespace {

/// What a block makes of its numbers: shared memory, values of threads' own, and a sum whose bits depend on its order.
struct BlockSums {
  static constexpr int threads = 96;
  struct Shared {
    double values[threads];
  };
  double* sums;

  template <class Block>
  ASSAY_FUNCTION void operator()(Block& block, Shared& shared) const {
    typename Block::template PerThread<double> own;
    block.each([&](int thread) { shared.values[thread] = 1.0 / static_cast<double>(block.index() * threads + static_cast<std::size_t>(thread) + 1); });
    block.each([&](int thread) { own[thread] = shared.values[(thread + 1) % threads] - 0.25 * shared.values[thread]; });
    const double sum = block.reduce(own, [](double a, double b) { return a + b; });
    block.each([&](int thread) {
      if (thread == 0) sums[block.index()] = sum;
    });
  }
};

/// More shared memory than a block has without asking for it.
struct MuchSharedMemory {
  static constexpr int threads = 256;
  struct Shared {
    float values[20000];
  };
  float* last;

  template <class Block>
  ASSAY_FUNCTION void operator()(Block& block, Shared& shared) const {
    block.each([&](int thread) {
      for (int i = thread; i < 20000; i += threads) shared.values[i] = static_cast<float>(i);
    });
    block.each([&](int thread) {
      if (thread == 0) last[block.index()] = shared.values[19999] + shared.values[0];
    });
  }
};

template <class B, class T, class Functor>
std::vector<T> computed_by_blocks(B& backend, std::size_t blocks, const Functor& functor_at) {
  auto stream = backend.make_stream().value();
  auto buffer = backend.template allocate<T>(blocks).value();
  REQUIRE(backend.parallel_blocks(stream, blocks, functor_at(buffer.data())).has_value());
  std::vector<T> values(blocks);
  REQUIRE(backend.copy_to_host(stream, values.data(), buffer.data(), blocks).has_value());
  REQUIRE(backend.synchronize(stream).has_value());
  return values;
}

}  // namespace

TEST_CASE("a device is a backend as all are", "[backend]") { testing::check_backend(device_under_test()); }

TEST_CASE("blocks of threads on a device compute the bits that they compute on the host", "[backend]") {
  Host host(2);
  for (const std::size_t blocks : {std::size_t{1}, std::size_t{133}, std::size_t{4099}}) {
    const auto make = [](double* sums) { return BlockSums{sums}; };
    const std::vector<double> there = computed_by_blocks<DeviceUnderTest, double>(device_under_test(), blocks, make), here = computed_by_blocks<Host, double>(host, blocks, make);
    std::size_t different = 0;
    for (std::size_t i = 0; i < blocks; ++i) different += there[i] == here[i] ? 0 : 1;
    INFO(blocks << " blocks");
    CHECK(different == 0);
  }
}

TEST_CASE("a block may ask for more shared memory than is portable", "[backend]") {
  const auto last = computed_by_blocks<DeviceUnderTest, float>(device_under_test(), 300, [](float* values) { return MuchSharedMemory{values}; });
  CHECK(last == std::vector<float>(300, 19999.0f));
}

TEST_CASE("copies between the host and a device are counted", "[backend]") {
  DeviceUnderTest& device = device_under_test();
  const TransferCount before = device.transfers();
  auto stream = device.make_stream().value();
  auto buffer = device.allocate<float>(1000).value();
  std::vector<float> values(1000, 1.0f);
  REQUIRE(device.copy_to_device(stream, buffer.data(), values.data(), 1000).has_value());
  REQUIRE(device.copy_to_host(stream, values.data(), buffer.data(), 10).has_value());
  REQUIRE(device.synchronize(stream).has_value());
  const TransferCount after = device.transfers();
  CHECK(after.copies_to_device - before.copies_to_device == 1);
  CHECK(after.bytes_to_device - before.bytes_to_device == 4000);
  CHECK(after.copies_to_host - before.copies_to_host == 1);
  CHECK(after.bytes_to_host - before.bytes_to_host == 40);
}

#if defined(__CUDACC__) || defined(__HIPCC__)
TEST_CASE("a device that is not there is refused by its number", "[backend]") {
  for (const int number : {-1, 4711}) {
    const auto refused = DeviceUnderTest::open(number);
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().kind == ErrorKind::unsupported);
    CHECK_FALSE(refused.error().message.empty());
  }
}
#endif
