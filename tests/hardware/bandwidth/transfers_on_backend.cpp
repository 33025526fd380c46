#include "assay/hardware/bandwidth/transfers_on_backend.hpp"

#include "assay/backends/emulated_device.hpp"
#include "testing/catch.hpp"

using namespace assay;

namespace {

/// A device that loses the last words of what it is given, in one direction.
template <bool ToDevice>
struct ShortCopies : EmulatedDevice {
  template <class T>
  [[nodiscard]] Result<void> copy_to_device(Stream& stream, T* destination, const T* source, std::size_t count) const {
    return EmulatedDevice::copy_to_device(stream, destination, source, ToDevice ? count - 1 : count);
  }
  template <class T>
  [[nodiscard]] Result<void> copy_to_host(Stream& stream, T* destination, const T* source, std::size_t count) const {
    return EmulatedDevice::copy_to_host(stream, destination, source, ToDevice ? count : count - 1);
  }
};

template <class Device>
Outcome transferred(TransferOptions options = {}) {
  Device device;
  options.bytes = 100'000;
  options.repetitions = 2;
  const auto found = transfers_on_backend(device, options);
  REQUIRE(found);
  REQUIRE(found.value().size() == 3);
  CHECK(found.value()[0].bytes == 100'000);
  CHECK(found.value()[2].bytes == 200'000);
  return judge_transfers(found.value(), "emulated", options);
}

}  // namespace

TEST_CASE("what goes to a device and comes back is compared word by word, each way and both at once") {
  const Outcome outcome = transferred<EmulatedDevice>();
  CAPTURE(outcome.reason);
  CHECK(outcome.verdict == Verdict::pass);
  CHECK(outcome.tables.at(0).rows.size() == 3);
}

TEST_CASE("copies that end early in one direction, and a flipped bit, are wrong words") {
  CHECK_THAT(transferred<ShortCopies<true>>().reason, testing::contains("to_device: 3 words did not arrive"));
  CHECK_THAT(transferred<ShortCopies<false>>().reason, testing::contains("the first is 12499"));
  TransferOptions options;
  options.fault_word = 4321;
  CHECK_THAT(transferred<EmulatedDevice>(options).reason, testing::contains("the first is 4321"));
}

TEST_CASE("a device without room, and spans of two sizes, are told") {
  EmulatedDeviceOptions small;
  small.memory_bytes = 4096;
  EmulatedDevice device(small);
  TransferOptions options;
  options.bytes = 1 << 20;
  const auto refused = transfers_on_backend(device, options);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().kind == ErrorKind::out_of_memory);
  std::vector<std::uint64_t> two(2), three(3);
  CHECK_THROWS_AS(static_cast<void>(transfers_on_backend(device, std::span(two), std::span(three), options)), Misuse);
}
