#include "assay/gpgpu/webgpu/webgpu_device.hpp"

#include <cstddef>
#include <string>
#include <vector>

#include "assay/gpgpu/detail/wgsl_message.hpp"
#include "gpgpu/device_or_skip.hpp"
#include "testing/catch.hpp"
#include "testing/environment_variable.hpp"

using namespace assay;
using assay::testing::EnvironmentVariable;

TEST_CASE("without wgpu-native it is told what to install") {
  const EnvironmentVariable nowhere("ASSAY_WEBGPU", "/nowhere/libwgpu_native.so");
  const auto devices = webgpu_devices();
  REQUIRE_FALSE(devices);
  CHECK(devices.error().kind == ErrorKind::unsupported);
  CHECK(devices.error().message.find("pip install wgpu==") != std::string::npos);
}

TEST_CASE("complaints of the compiler become a line with the place") {
  const std::string parsing =
      "Validation Error\n\nCaused by:\n  In wgpuDeviceCreateShaderModule\n\nShader '' parsing error: expected "
      "expression, found \";\"\n  \u250C\u2500 wgsl:2:14\n  \u2502\n2 \u2502   let x = 1 +;\n  \u2502              ^ "
      "expected expression\n\n\n";
  CHECK(detail::wgsl_message("k.wgsl", parsing) == "k.wgsl:2:14: expected expression, found \";\"");
  const std::string validation =
      "\nShader validation error: Entry point main at Compute is invalid\n  \u250C\u2500 :3:3\n  \u2502\n3 \u2502   "
      "x[0] = 1.0;\n  \u2502   ^^^^ writing to this location is not permitted\n  \u2502\n";
  CHECK(detail::wgsl_message("k.wgsl", validation) ==
        "k.wgsl:3:3: Entry point main at Compute is invalid (writing to this location is not permitted)");
  CHECK(detail::wgsl_message("k.wgsl", "Validation Error\n\nCaused by:\n  In wgpuX\n    no such entry\n") ==
        "k.wgsl: In wgpuX; no such entry");
  CHECK(detail::wgsl_message("k.wgsl", "") == "k.wgsl: ");
}

TEST_CASE("an adapter of WebGPU says what it has", "[.webgpu]") {
  const WebGpuDescription& told = testing::device_or_skip<WebGpuDevice>().description();
  CHECK_FALSE(told.name.empty());
  CHECK(told.version.rfind("29.", 0) == 0);
  CHECK(told.max_storage_buffers >= 8);
  CHECK(told.max_binding >= (1u << 27));
  CHECK(told.max_group_items >= 256);
  CHECK(told.max_groups >= 65535);
  CHECK(told.shared_memory >= 16384);
  CHECK(told.alignment >= 64);
  CHECK(told.alignment <= 256);
}

TEST_CASE("what a buffer was given is read back", "[.webgpu]") {
  WebGpuDevice& device = testing::device_or_skip<WebGpuDevice>();
  std::vector<unsigned char> bytes(1024);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<unsigned char>(i * 7);
  const auto buffer = device.buffer(bytes, detail::webgpu::copy_source | detail::webgpu::copy_target);
  REQUIRE(buffer);
  const auto read = device.content(buffer.value(), bytes.size());
  REQUIRE(read);
  CHECK(read.value() == bytes);
  device.functions().BufferRelease(buffer.value());
}

TEST_CASE("what is no WGSL is refused with line and column, and the device works on", "[.webgpu]") {
  WebGpuDevice& device = testing::device_or_skip<WebGpuDevice>();
  const auto refusal = [&](const std::string& file, const std::string& source, const std::string& entry) {
    const auto made = device.pipeline(file, source, entry, {true}, 0);
    REQUIRE_FALSE(made);
    CHECK(made.error().kind == ErrorKind::device);
    return made.error().message;
  };
  CHECK(refusal("a.wgsl", "fn main() {\n  let x = 1 +;\n}\n", "main").rfind("a.wgsl:2:14: expected", 0) == 0);
  const std::string declared = "@group(0) @binding(0) var<storage, read_write> x: array<f32>;\n";
  const std::string right = declared + "@compute @workgroup_size(64) fn main() { x[0] = 1.0; }\n";
  CHECK(refusal("b.wgsl", right, "other").find("other") != std::string::npos);
  CHECK(refusal("c.wgsl",
                "@group(0) @binding(0) var<storage> x: array<f32>;\n@group(0) @binding(1) var<storage, "
                "read_write> y: array<f32>;\n@compute @workgroup_size(64) fn main() { y[0] = x[0]; }\n",
                "main")
            .rfind("c.wgsl: ", 0) == 0);
  CHECK(device.pipeline("d.wgsl", right, "main", {true}, 0));
  CHECK_FALSE(device.pipeline("d.wgsl", right, "main", {false}, 0));  // which is another layout
}
