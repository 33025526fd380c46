// Tests of a device's memory, of the way to it and of its arithmetic under load.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "assay/hardware/bandwidth/stream_on_backend.hpp"
#include "assay/hardware/bandwidth/transfers_on_backend.hpp"
#include "assay/hardware/memory/march_on_backend.hpp"
#include "assay/hardware/stress/stress_on_backend.hpp"
#include "devices/device_under_test.hpp"

using namespace assay;
using testing::device_under_test, testing::DeviceUnderTest;

TEST_CASE("march tests run in a device's memory, and find damage", "[hardware]") {
  DeviceUnderTest& device = device_under_test();
  auto stream = device.make_stream().value();
  const std::size_t words = 5 * MarchChunk::words_per_chunk + 17;
  auto memory = device.allocate<std::uint64_t>(words).value();
  for (const MarchTest& test : all_march_tests()) {
    const auto backgrounds = backgrounds_of(test.backgrounds, 4, 1);
    const auto result = march_on_backend(device, stream, memory.data(), words, test, backgrounds);
    REQUIRE(result.has_value());
    CHECK(result.value().wrong_reads == 0);
    CHECK(result.value().backgrounds == backgrounds.size());
  }
  const MarchTest whole = parse_march("x", "*(w0); *(r0)").value();
  MarchTest reads;
  reads.name = "x";
  reads.elements = {whole.elements[1]};
  const std::vector<Background> zero(1);
  REQUIRE(march_on_backend(device, stream, memory.data(), words, whole, zero).has_value());
  const std::uint64_t damage = 64;
  REQUIRE(device.copy_to_device(stream, memory.data() + 5000, &damage, 1).has_value());
  REQUIRE(device.synchronize(stream).has_value());
  const auto damaged = march_on_backend(device, stream, memory.data(), words, reads, zero).value();
  REQUIRE(damaged.defects.size() == 1);
  CHECK(damaged.defects[0].offset == 5000 * 8);
  CHECK(damaged.defects[0].flipped() == 64);
  CHECK(damaged.defects[0].reread == 64);
}

TEST_CASE("STREAM runs in a device's memory, every element compared", "[hardware]") {
  DeviceUnderTest& device = device_under_test();
  auto stream = device.make_stream().value();
  StreamOptions options;
  options.bytes = std::size_t{3} << 20;
  options.repetitions = 2;
  const auto right = stream_on_backend(device, stream, options);
  REQUIRE(right.has_value());
  CHECK(judge_stream(right.value(), options).verdict == Verdict::pass);
  options.fault_element = 77;
  const auto damaged = stream_on_backend(device, stream, options);
  REQUIRE(damaged.has_value());
  CHECK(damaged.value()[0].wrong_elements == 1);
}

TEST_CASE("what crosses the link is compared word by word, each way and both at once", "[hardware]") {
  DeviceUnderTest& device = device_under_test();
  TransferOptions options;
  options.bytes = std::size_t{4} << 20;
  options.repetitions = 2;
  const auto right = transfers_on_backend(device, options);
  REQUIRE(right.has_value());
  CHECK(judge_transfers(right.value(), std::string(device.name()), options).verdict == Verdict::pass);
  options.fault_word = 99;
  const auto damaged = transfers_on_backend(device, options);
  REQUIRE(damaged.has_value());
  CHECK(judge_transfers(damaged.value(), std::string(device.name()), options).verdict == Verdict::fail);
}

TEST_CASE("every multiprocessor is stressed, and one that errs is named", "[hardware]") {
  DeviceUnderTest& device = device_under_test();
  auto stream = device.make_stream().value();
  StressOptions options;
  options.seconds = 0.2;
  options.depth = 64;
  const auto stressed = stress_on_backend<float>(device, stream, "f32", options);
  if (!stressed.has_value()) {  // an emulated device has no multiprocessors
    CHECK(stressed.error().kind == ErrorKind::unsupported);
    return;
  }
  CHECK(judge_stress(stressed, "f32", options).verdict == Verdict::pass);
  const auto integers = stress_on_backend<std::int32_t>(device, stream, "i32", options);
  CHECK(judge_stress(integers, "i32", options).verdict == Verdict::pass);
  options.fault = StressFault{stressed.value().workers.back().processor, 0, 3, 0, 1'000'000, false};
  const auto broken = stress_on_backend<double>(device, stream, "f64", options);
  CHECK(judge_stress(broken, "f64", options).verdict == Verdict::fail);
  REQUIRE(!broken.value().defects.empty());
  CHECK(broken.value().defects.front().processor == options.fault->processor);
}
