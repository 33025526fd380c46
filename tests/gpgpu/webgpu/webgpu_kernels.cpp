#include "assay/gpgpu/webgpu/webgpu_kernels.hpp"

#include <algorithm>
#include <string>

#include "assay/gpgpu/webgpu/webgpu_device.hpp"
#include "gpgpu/device_or_skip.hpp"
#include "gpgpu/doubling_file.hpp"
#include "testing/catch.hpp"

using namespace assay;

namespace {

constexpr const char* doubling =
    "@group(0) @binding(0) var<storage, read> x: array<f32>;\n"
    "@group(0) @binding(1) var<storage, read_write> y: array<f32>;\n"
    "struct Problem { x_offset: i32, y_offset: i32, count: i32, factor: f32 }\n"
    "@group(1) @binding(0) var<uniform> p: Problem;\n"
    "@compute @workgroup_size(32) fn main(@builtin(global_invocation_id) at: vec3<u32>) {\n"
    "  let i = i32(at.x);\n"
    "  if (i < p.count) { y[p.y_offset + i] = p.factor * x[p.x_offset + i]; }\n"
    "}\n";

/// A file of one kernel that multiplies x by a factor, but for what a test changes.
struct Doubling : testing::DoublingFile {
  Doubling() : DoublingFile("doubling.wgsl", "main", "int") {
    write(doubling);
    add(kernel(), "float", "2");
    kernel().global.push_back(placed("ceil_div(count, 32)"));
  }

  Result<void> run(Index count, Index behind = 0, bool in_place = false) {
    return webgpu_functions(file).front().run(request(count, behind, in_place));
  }
};

}  // namespace

TEST_CASE("a WGSL kernel of a file computes, wherever its operands begin", "[.webgpu]") {
  testing::device_or_skip<WebGpuDevice>();
  Doubling doubling;
  const Index behind = GENERATE(0, 1, 5);
  const auto ran = doubling.run(100, behind);
  if (!ran) FAIL(ran.error().message);
  CHECK(std::all_of(doubling.first_output, doubling.first_output + 100, [](float value) { return value == 3; }));
  CHECK(doubling.untouched() == doubling.size() - 100);
  CHECK(doubling.run(0));
}

TEST_CASE("what a WGSL kernel writes beside its output comes back", "[.webgpu]") {
  testing::device_or_skip<WebGpuDevice>();
  Doubling doubling;
  doubling.kernel().arguments[4].value = Doubling::placed("count + 3");
  doubling.kernel().global[0] = Doubling::placed("2");
  const auto ran = doubling.run(32);
  if (!ran) FAIL(ran.error().message);
  CHECK(doubling.untouched() == doubling.size() - 35);
}

TEST_CASE("what WebGPU cannot have is unsupported, with the reason", "[.webgpu]") {
  testing::device_or_skip<WebGpuDevice>();
  Doubling no_offset;
  no_offset.kernel().arguments[2].value = no_offset.kernel().arguments[3].value = Doubling::placed("0");
  CHECK(no_offset.run(8, 0));
  CHECK(no_offset.run(8, 1).error().kind == ErrorKind::unsupported);
  Doubling large;
  large.kernel().global.assign(3, Doubling::placed("65536"));
  CHECK(large.run(8).error().kind == ErrorKind::unsupported);
  Doubling required;
  required.kernel().requirements.push_back(Doubling::placed("count < 50"));
  CHECK(required.run(80).error().message == "main requires count < 50");
  Doubling in_place;
  const auto overlapping = in_place.run(8, 0, true);
  REQUIRE_FALSE(overlapping);
  CHECK(overlapping.error().kind == ErrorKind::unsupported);
  CHECK(overlapping.error().message.find("output and x overlap") != std::string::npos);
}

TEST_CASE("what is wrong in a WGSL kernel costs a launch, with the place", "[.webgpu]") {
  testing::device_or_skip<WebGpuDevice>();
  Doubling broken;
  std::string source = doubling;
  source.replace(source.find("p.factor *"), 10, "p.facter *");
  broken.write(source);
  const auto refused = broken.run(8);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().kind == ErrorKind::device);
  CHECK(refused.error().message.find("doubling.wgsl:7:") != std::string::npos);
  CHECK(refused.error().message.find("facter") != std::string::npos);
  Doubling unknown;
  unknown.kernel().global[0] = Doubling::placed("2 * cuont");
  CHECK(unknown.run(8).error().message.rfind("k.json:3:13: unknown name 'cuont'; nearest: count", 0) == 0);
  Doubling right;
  CHECK(right.run(8));
}
