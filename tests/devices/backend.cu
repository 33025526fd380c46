// The backend itself: memory, copies, streams, events, loops and blocks of threads.
#include <cstddef>
#include <vector>

#include "backends/backend_conformance.hpp"
#include "backends/block_conformance.hpp"
#include "devices/device_under_test.hpp"

using namespace assay;
using testing::device_under_test, testing::DeviceUnderTest;

struct CopyElement {
  const float* from;
  float* to;
  ASSAY_FUNCTION void operator()(std::size_t index) const { to[index] = from[index]; }
};

TEST_CASE("a device is a backend as all are", "[backend]") {
  testing::check_backend(device_under_test());
}

TEST_CASE("blocks of threads do on a device what blocks do", "[backend]") {
  testing::check_blocks(device_under_test());
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

TEST_CASE("memory that was opened to another device is read by its kernels", "[backend]") {
  DeviceUnderTest& device = device_under_test();
  CHECK(device.open_memory_to(device.device()).has_value());
  auto stream = device.make_stream().value();
  auto from = device.allocate<float>(1000).value();
  const std::vector<float> sent(1000, 2.5f);
  REQUIRE(device.copy_to_device(stream, from.data(), sent.data(), sent.size()).has_value());
  REQUIRE(device.synchronize(stream).has_value());
  if (!DeviceUnderTest::open(1)) testing::plain::skip("there is one device, and no other that could read its memory");
  for (int number = 1;; ++number) {
    auto other = DeviceUnderTest::open(number);
    if (!other) break;
    if (const auto opened = device.open_memory_to(number); !opened) {
      CHECK(opened.error().kind == ErrorKind::unsupported);
      continue;
    }
    DeviceUnderTest& peer = other.value();
    auto own = peer.make_stream().value();
    auto to = peer.allocate<float>(sent.size()).value();
    std::vector<float> received(sent.size());
    REQUIRE(peer.parallel_for(own, sent.size(), CopyElement{from.data(), to.data()}).has_value());
    REQUIRE(peer.copy_to_host(own, received.data(), to.data(), received.size()).has_value());
    REQUIRE(peer.synchronize(own).has_value());
    CHECK(received == sent);
  }
}
#endif
