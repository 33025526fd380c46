// Tests of a device's memory: march tests and STREAM where it lies.
#include <cstddef>
#include <cstdint>
#include <vector>

#include "assay/hardware/bandwidth/stream_on_backend.hpp"
#include "assay/hardware/memory/march_on_backend.hpp"
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
