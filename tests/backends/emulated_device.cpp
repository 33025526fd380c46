#include "assay/backends/emulated_device.hpp"

#include <csignal>
#include <numeric>
#include <optional>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

#include "backends/backend_conformance.hpp"

using assay::EmulatedDevice;
using assay::EmulatedFailure;
using assay::ErrorKind;
using assay::testing::AddTo;
using assay::testing::contains;
using assay::testing::FillWith;

namespace {

/// The signal that ends a process which does `what`; 0 if it lives.
template <class What>
int signal_of(const What& what) {
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGSEGV, SIG_DFL);
    signal(SIGBUS, SIG_DFL);
    what();
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status) != 0 ? SIGSEGV : 0;  // AddressSanitizer exits
}

struct CopyFrom {
  float* to;
  const float* from;
  std::uint64_t number;
  ASSAY_FUNCTION void operator()(std::size_t i) const { to[i] = *from; }
};

}  // namespace

TEST_CASE("an emulated device is a backend, and to use it as one is no misuse", "[backends]") {
  assay::EmulatedDeviceOptions options;
  options.threads = GENERATE(1u, 3u);
  options.order = GENERATE(assay::ThreadOrder::ascending, assay::ThreadOrder::descending);
  EmulatedDevice device(options);
  CHECK_FALSE(assay::backend_runs_on_host<EmulatedDevice>);
  CHECK_FALSE(device.capabilities().host_accessible);
  CHECK(device.capabilities().asynchronous);
  assay::testing::check_backend(device);
  CHECK(device.misuses().empty());
}

TEST_CASE("the host may not touch an emulated device's memory, but the device may", "[backends]") {
  EmulatedDevice device;
  auto stream = device.make_stream().value();
  auto buffer = device.allocate<float>(1000).value();
  CHECK(signal_of([] {}) == 0);
  CHECK(signal_of([&] { static_cast<void>(*static_cast<volatile const float*>(buffer.data())); }) != 0);
  CHECK(signal_of([&] { *static_cast<volatile float*>(buffer.data() + 999) = 1; }) != 0);
  REQUIRE(device.parallel_for(stream, 1000, FillWith{buffer.data(), 1}).has_value());
  REQUIRE(device.synchronize(stream).has_value());
  CHECK(signal_of([&] { static_cast<void>(*static_cast<volatile const float*>(buffer.data())); }) != 0);
  CHECK(signal_of([&] {  // past the end, by work
          static_cast<void>(device.parallel_for(stream, 1040, FillWith{buffer.data(), 1}));
          static_cast<void>(device.synchronize(stream));
        }) != 0);
}

TEST_CASE("who does not wait for an emulated device reads old data", "[backends]") {
  EmulatedDevice device;
  auto stream = device.make_stream().value();
  auto buffer = device.allocate<float>(100).value();
  std::vector<float> host(100, -1.0f);
  REQUIRE(device.copy_to_host(stream, host.data(), buffer.data(), 100).has_value());
  CHECK(host == std::vector<float>(100, -1.0f));
  REQUIRE(device.synchronize(stream).has_value());
  CHECK(__builtin_bit_cast(std::uint32_t, host[99]) == 0xFFFFFFFFu);  // fresh memory
  REQUIRE(device.parallel_for(stream, 100, FillWith{buffer.data(), 1}).has_value());
  auto other = device.make_stream().value();
  REQUIRE(device.copy_to_host(other, host.data(), buffer.data(), 100).has_value());
  REQUIRE(device.synchronize(other).has_value());  // the other one's work alone
  CHECK(__builtin_bit_cast(std::uint32_t, host[99]) == 0xFFFFFFFFu);
  REQUIRE(device.synchronize(stream).has_value());
  REQUIRE(device.copy_to_host(other, host.data(), buffer.data(), 100).has_value());
  REQUIRE(device.synchronize(other).has_value());
  CHECK(host == std::vector<float>(100, 1.0f));
}

TEST_CASE("what is freed while queued work uses it is an error of an emulated device", "[backends]") {
  EmulatedDevice device;
  auto stream = device.make_stream().value();
  {
    auto buffer = device.allocate<float>(100).value();
    REQUIRE(device.parallel_for(stream, 50, FillWith{buffer.data() + 50, 1}).has_value());
  }
  const auto later = device.allocate<float>(100).value();  // most likely in the same place
  const auto done = device.synchronize(stream);
  REQUIRE_FALSE(done.has_value());
  CHECK(done.error().kind == ErrorKind::invalid);
  CHECK_THAT(done.error().message, contains("400 bytes that were freed before it ran"));
  CHECK(device.misuses().size() == 1);
  CHECK(device.synchronize(stream).has_value());
}

TEST_CASE("memory that is freed under queued work is a misuse of an emulated device after a refusal, too",
          "[backends]") {
  const bool waits = GENERATE(true, false);
  EmulatedDevice device;
  {
    auto stream = device.make_stream().value();
    {
      auto buffer = device.allocate<float>(100).value();
      REQUIRE(device.parallel_for(stream, 100, FillWith{buffer.data(), 1}).has_value());
      device.fail_after(0);
      CHECK_FALSE(device.parallel_for(stream, 100, AddTo{buffer.data(), 1}).has_value());
    }
    if (waits) CHECK_FALSE(device.synchronize(stream).has_value());
  }
  REQUIRE(device.misuses().size() == 1);
  CHECK_THAT(device.misuses().front(), contains("400 bytes that were freed"));
}

TEST_CASE(
    "work that is left behind after a refusal, and memory that dies with a device that can do nothing any more, are no "
    "misuse",
    "[backends]") {
  EmulatedDevice device;
  auto buffer = device.allocate<float>(100).value();
  {
    auto stream = device.make_stream().value();
    REQUIRE(device.parallel_for(stream, 100, FillWith{buffer.data(), 1}).has_value());
    device.fail_after(0);
    CHECK_FALSE(device.parallel_for(stream, 100, AddTo{buffer.data(), 1}).has_value());
  }
  CHECK(device.misuses().empty());
  {
    auto stream = device.make_stream().value();
    {
      auto second = device.allocate<float>(100).value();
      REQUIRE(device.parallel_for(stream, 100, FillWith{second.data(), 1}).has_value());
      device.fail_after(0, EmulatedFailure::sticky);
      CHECK_FALSE(device.synchronize(stream).has_value());
    }
  }
  CHECK(device.misuses().empty());
}

TEST_CASE("a stream that ends with work nobody waited for is a misuse of an emulated device", "[backends]") {
  EmulatedDevice device;
  auto buffer = device.allocate<float>(100).value();
  {
    auto stream = device.make_stream().value();
    REQUIRE(device.parallel_for(stream, 100, FillWith{buffer.data(), 1}).has_value());
  }
  REQUIRE(device.misuses().size() == 1);
  CHECK_THAT(device.misuses().front(), contains("a stream ended with 1 operations"));
}

TEST_CASE("memory and streams of another device are refused with a message that names both", "[backends]") {
  assay::EmulatedDeviceOptions second;
  second.device = 1;
  EmulatedDevice device, other(second);
  auto stream = device.make_stream().value(), others = other.make_stream().value();
  auto buffer = device.allocate<float>(10).value(), far = other.allocate<float>(10).value();
  std::vector<float> host(10);
  const auto refused = [](const assay::Result<void>& result, const char* text) {
    REQUIRE_FALSE(result.has_value());
    CHECK(result.error().kind == ErrorKind::invalid);
    CHECK_THAT(result.error().message, contains("emulated device 0"));
    CHECK_THAT(result.error().message, contains(text));
  };
  refused(device.copy_to_host(stream, host.data(), far.data(), 10), "memory of device 1 as the device's");
  refused(device.copy_to_device(stream, far.data(), host.data(), 10), "memory of device 1 as the device's");
  refused(device.copy_to_device(stream, host.data(), host.data(), 10), "memory of no device");
  refused(device.copy_to_device(stream, buffer.data(), far.data(), 10), "memory of a device as the host's");
  refused(device.copy_to_device(stream, buffer.data() + 1, host.data(), 10),
          "past the end of an allocation of 40 bytes, from its byte 4");
  refused(device.parallel_for(stream, 10, FillWith{far.data(), 1}), "FillWith was given memory of device 1");
  refused(device.parallel_for(others, 10, FillWith{buffer.data(), 1}), "a stream of another device");
  refused(device.synchronize(others), "a stream of another device");
  EmulatedDevice::Stream none;
  refused(device.synchronize(none), "no stream");
  CHECK(device.misuses().size() == 9);
  CHECK(other.misuses().empty());
}

TEST_CASE(
    "an address of the host in what is launched is an error of an emulated device, a number or a constant is none",
    "[backends]") {
  EmulatedDevice device;
  auto stream = device.make_stream().value();
  auto buffer = device.allocate<float>(10).value();
  std::vector<float> heap(1 << 18,
                          1);  // small blocks of the thread sanitizer have addresses like pairs of small integers
  float stack = 1;
  static float variable = 1;
  static const float constant = 1;
  std::vector<const float*> of_the_host{heap.data(), &stack};
  if (assay::detail::constants_are_apart) of_the_host.push_back(&variable);
  for (const float* of_host : of_the_host) {
    const auto refused = device.parallel_for(stream, 10, CopyFrom{buffer.data(), of_host, 0});
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().kind == ErrorKind::invalid);
    CHECK_THAT(refused.error().message, contains("CopyFrom was given an address of the host's memory (byte 8 of 24)"));
  }
  CHECK(device.misuses().size() == of_the_host.size());
  for (const std::uint64_t number :
       {std::uint64_t{0}, std::uint64_t{1} << 31, std::uint64_t{8} << 32 | 23, std::uint64_t{4096} << 32 | 4096,
        std::uint64_t{0x3FF0000000000000}, ~std::uint64_t{0}})
    CHECK(device.parallel_for(stream, 10, CopyFrom{buffer.data(), &constant, number}).has_value());
  CHECK(device.synchronize(stream).has_value());
  CHECK(device.misuses().size() == of_the_host.size());
}

TEST_CASE("an emulated device counts what is copied", "[backends]") {
  EmulatedDevice device;
  auto stream = device.make_stream().value();
  auto buffer = device.allocate<float>(10).value();
  std::vector<float> host(10);
  REQUIRE(device.copy_to_device(stream, buffer.data(), host.data(), 10).has_value());
  REQUIRE(EmulatedDevice(device).copy_to_host(stream, host.data(), buffer.data(), 7).has_value());
  REQUIRE(device.copy_to_host(stream, host.data(), buffer.data(), 1).has_value());
  REQUIRE(device.copy_to_host(stream, host.data(), buffer.data(), 0).has_value());
  REQUIRE(device.synchronize(stream).has_value());
  const auto transfers = device.transfers();
  CHECK(transfers.copies_to_device == 1);
  CHECK(transfers.bytes_to_device == 40);
  CHECK(transfers.copies_to_host == 2);
  CHECK(transfers.bytes_to_host == 32);
}

TEST_CASE("calls of an emulated device fail when they are told to", "[backends]") {
  EmulatedDevice device;
  auto stream = device.make_stream().value();
  auto buffer = device.allocate<float>(10).value();
  std::vector<float> host(10);

  device.fail_after(1);
  CHECK(device.parallel_for(stream, 10, FillWith{buffer.data(), 1}).has_value());
  const auto failed = device.parallel_for(stream, 10, AddTo{buffer.data(), 1});
  REQUIRE_FALSE(failed.has_value());
  CHECK(failed.error().kind == ErrorKind::device);
  CHECK_THAT(failed.error().message, contains("a launch"));
  REQUIRE(device.copy_to_host(stream, host.data(), buffer.data(), 10).has_value());
  REQUIRE(device.synchronize(stream).has_value());
  CHECK(host == std::vector<float>(10, 1.0f));

  device.fail_after(0, EmulatedFailure::asynchronous);
  CHECK(device.parallel_for(stream, 10, AddTo{buffer.data(), 1}).has_value());
  CHECK(device.copy_to_host(stream, host.data(), buffer.data(), 10).has_value());
  CHECK_FALSE(device.synchronize(stream).has_value());
  CHECK(device.synchronize(stream).has_value());
  CHECK(host == std::vector<float>(10, 1.0f));

  device.fail_after(0, EmulatedFailure::sticky);
  CHECK_FALSE(device.synchronize(stream).has_value());
  CHECK_FALSE(device.synchronize(stream).has_value());
  CHECK_FALSE(device.make_stream().has_value());
  CHECK_FALSE(device.make_event().has_value());
  CHECK_FALSE(device.copy_to_host(stream, host.data(), buffer.data(), 10).has_value());
  const auto refused = device.allocate<float>(1);
  REQUIRE_FALSE(refused.has_value());
  CHECK(refused.error().kind == ErrorKind::device);
  CHECK_THAT(refused.error().message, contains("can use the device no more"));
}

TEST_CASE("an emulated device has the memory that it was given", "[backends]") {
  assay::EmulatedDeviceOptions options;
  options.memory_bytes = 1000;
  EmulatedDevice device(options);
  CHECK(device.capabilities().memory_bytes == 1000);
  auto first = device.allocate<float>(200);
  REQUIRE(first.has_value());
  const auto refused = device.allocate<float>(51);
  REQUIRE_FALSE(refused.has_value());
  CHECK(refused.error().kind == ErrorKind::out_of_memory);
  CHECK(device.allocate<float>(50).has_value());
  CHECK(device.memory_resource().used_bytes() == 800);
}

TEST_CASE("an emulated device's events tell when their work was done, and order streams", "[backends]") {
  EmulatedDevice device;
  auto one = device.make_stream().value(), two = device.make_stream().value();
  auto event = device.make_event().value(), again = device.make_event().value();
  auto buffer = device.allocate<float>(10).value();
  std::vector<float> host(10);
  REQUIRE(device.parallel_for(one, 10, FillWith{buffer.data(), 1}).has_value());
  REQUIRE(device.record(event, one).has_value());
  REQUIRE(device.parallel_for(one, 10, AddTo{buffer.data(), 1}).has_value());
  REQUIRE(device.record(again, one).has_value());
  REQUIRE(device.wait(two, event).has_value());
  REQUIRE(device.record(event, one).has_value());  // the wait is for the first record
  REQUIRE(device.copy_to_host(two, host.data(), buffer.data(), 10).has_value());
  CHECK(device.elapsed_seconds(event, again).error().kind == ErrorKind::device);
  REQUIRE(device.synchronize(two).has_value());
  CHECK(host == std::vector<float>(10, 1.0f));
  CHECK(device.elapsed_seconds(event, again).error().kind == ErrorKind::device);
  REQUIRE(device.synchronize(one).has_value());
  CHECK(device.elapsed_seconds(again, event).value() >= 0);
  CHECK(device.misuses().empty());
}

TEST_CASE(
    "a stream of an emulated device is captured into a graph, which does its work when it is launched, and knows what "
    "died",
    "[backends]") {
  EmulatedDevice device;
  auto stream = device.make_stream().value();
  std::optional buffer = device.allocate<float>(10).value();
  auto event = device.make_event().value();
  std::vector<float> host(10, -1.0f);
  REQUIRE(device.parallel_for(stream, 10, FillWith{buffer->data(), 1}));
  REQUIRE(device.begin_capture(stream));
  CHECK(device.begin_capture(stream).error().kind == ErrorKind::invalid);
  REQUIRE(device.parallel_for(stream, 10, AddTo{buffer->data(), 1}));
  REQUIRE(device.copy_to_host(stream, host.data(), buffer->data(), 10));
  CHECK(device.record(event, stream).error().kind == ErrorKind::invalid);
  const auto spoilt = device.synchronize(stream);
  REQUIRE_FALSE(spoilt);
  CHECK_THAT(spoilt.error().message, contains("capturing this stream into a graph"));
  const auto graph = device.end_capture(stream);
  REQUIRE(graph);
  CHECK(device.end_capture(stream).error().kind == ErrorKind::invalid);
  REQUIRE(device.synchronize(stream));
  CHECK(host == std::vector<float>(10, -1.0f));
  for (int launch = 0; launch < 3; ++launch) REQUIRE(device.launch(stream, graph.value()));
  REQUIRE(device.synchronize(stream));
  CHECK(host == std::vector<float>(10, 4.0f));
  CHECK(device.misuses().empty());
  buffer.reset();
  REQUIRE(device.launch(stream, graph.value()));
  CHECK_THAT(device.synchronize(stream).error().message, contains("freed before it ran"));
}
