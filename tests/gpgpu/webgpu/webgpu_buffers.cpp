#include "assay/gpgpu/webgpu/webgpu_buffers.hpp"

#include <algorithm>
#include <vector>

#include "assay/gpgpu/webgpu/webgpu_device.hpp"
#include "gpgpu/device_or_skip.hpp"
#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("operands and their guards go to a device of WebGPU and come back", "[.webgpu]") {
  WebGpuDevice& device = testing::device_or_skip<WebGpuDevice>();
  std::vector<unsigned char> memory(4096);
  for (std::size_t i = 0; i < memory.size(); ++i) memory[i] = static_cast<unsigned char>(i * 7);
  const std::vector<unsigned char> before = memory;
  PluginRequest request{"scale_shift", "n", "f16.f16", {}, {}};
  Operand operand = contiguous_operand(reinterpret_cast<float16*>(memory.data() + 512 + 2), {301});  // no whole words
  operand.guard_bytes = 64;
  request.tensors.push_back({"x", OperandRole::input, element_format<float16>(), operand});
  const auto plan = plan_staging(request, device.description().alignment);
  auto buffers = WebGpuBuffers::create(device, plan);
  REQUIRE(buffers);
  const WebGpuBinding all = buffers.value().from(0, 0);
  CHECK(all.bytes % 4 == 0);
  CHECK(all.bytes >= 301 * 2 + 2 * 64);
  REQUIRE(buffers.value().nothing());
  std::fill(memory.begin(), memory.end(), static_cast<unsigned char>(0));
  REQUIRE(buffers.value().fetch());
  const std::ptrdiff_t first = 512 + 2 - 64, last = 512 + 2 + 301 * 2 + 64;
  CHECK(std::equal(memory.begin() + first, memory.begin() + last, before.begin() + first));
  CHECK(std::all_of(memory.begin(), memory.begin() + first, [](unsigned char byte) { return byte == 0; }));
  CHECK(std::all_of(memory.begin() + last, memory.end(), [](unsigned char byte) { return byte == 0; }));
}

TEST_CASE("what no binding of WebGPU holds is unsupported", "[.webgpu]") {
  WebGpuDevice& device = testing::device_or_skip<WebGpuDevice>();
  std::vector<unsigned char> small(64);
  StagingPlan plan;
  plan.blocks.push_back({small.data(), small.data() + small.size(), device.description().max_binding});
  const auto made = WebGpuBuffers::create(device, plan);
  REQUIRE_FALSE(made);
  CHECK(made.error().kind == ErrorKind::unsupported);
}
