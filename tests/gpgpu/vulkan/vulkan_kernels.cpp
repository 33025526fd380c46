#include "assay/gpgpu/vulkan/vulkan_kernels.hpp"

#include <algorithm>
#include <string>

#include "assay/gpgpu/vulkan/vulkan_device.hpp"
#include "gpgpu/device_or_skip.hpp"
#include "gpgpu/doubling_file.hpp"
#include "gpgpu/vulkan/doubling.hpp"
#include "testing/catch.hpp"

using namespace assay;

namespace {

/// A file of one shader that multiplies x by a factor, but for what a test changes.
struct Doubling : testing::DoublingFile {
  Doubling() : DoublingFile("doubling.spv", "main", "int") {
    write({reinterpret_cast<const char*>(testing::doubling), sizeof testing::doubling});
    add(kernel(), "float", "2");
    kernel().global.push_back(placed("ceil_div(count, 32)"));
  }

  Result<void> run(Index count, Index behind = 0) { return vulkan_functions(file).front().run(request(count, behind)); }
};

}  // namespace

TEST_CASE("a shader of a file computes, wherever its operands begin", "[.vulkan]") {
  testing::device_or_skip<VulkanDevice>();
  Doubling doubling;
  const Index behind = GENERATE(0, 1, 5);
  const auto ran = doubling.run(100, behind);
  if (!ran) FAIL(ran.error().message);
  CHECK(std::all_of(doubling.first_output, doubling.first_output + 100, [](float value) { return value == 3; }));
  CHECK(doubling.untouched() == doubling.size() - 100);
  CHECK(doubling.run(0));
}

TEST_CASE("what a shader writes beside its output comes back", "[.vulkan]") {
  testing::device_or_skip<VulkanDevice>();
  Doubling doubling;
  doubling.kernel().arguments[4].value = Doubling::placed("count + 3");
  REQUIRE(doubling.run(32));
  CHECK(doubling.untouched() == doubling.size() - 32);  // one group of 32 is launched
  doubling.kernel().global[0] = Doubling::placed("2");
  REQUIRE(doubling.run(32));
  CHECK(doubling.untouched() == doubling.size() - 35);
}

TEST_CASE("what a device of Vulkan cannot have is unsupported, with the reason", "[.vulkan]") {
  testing::device_or_skip<VulkanDevice>();
  Doubling no_offset;
  no_offset.kernel().arguments[2].value = no_offset.kernel().arguments[3].value = Doubling::placed("0");
  CHECK(no_offset.run(8, 0));
  CHECK(no_offset.run(8, 1).error().kind == ErrorKind::unsupported);
  Doubling large;
  large.kernel().global.assign(3, Doubling::placed("4294967296"));
  CHECK(large.run(8).error().kind == ErrorKind::unsupported);
  Doubling required;
  required.kernel().requirements.push_back(Doubling::placed("count < 50"));
  CHECK(required.run(80).error().message == "main requires count < 50");
  Doubling pushed;
  for (int i = 0; i < 2000; ++i) Doubling::add(pushed.kernel(), "int", "count");
  CHECK(pushed.run(8).error().message.find("push constants") != std::string::npos);
}

TEST_CASE("expressions of shaders without a value are errors with line and column", "[.vulkan]") {
  testing::device_or_skip<VulkanDevice>();
  Doubling unknown;
  unknown.kernel().global[0] = Doubling::placed("2 * cuont");
  CHECK(unknown.run(8).error().message.rfind("k.json:3:13: unknown name 'cuont'; nearest: count", 0) == 0);
  Doubling negative;
  negative.kernel().global[0] = Doubling::placed("0 - count");
  CHECK(negative.run(8).error().kind == ErrorKind::invalid);
}
