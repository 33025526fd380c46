#include "assay/gpgpu/vulkan/vulkan_device.hpp"

#include <cstdlib>
#include <string>

#include "gpgpu/device_or_skip.hpp"
#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("without a loader of Vulkan it is told what to install") {
  ::setenv("ASSAY_VULKAN", "/nowhere/libvulkan.so.1", 1);
  const auto devices = vulkan_devices();
  REQUIRE_FALSE(devices);
  CHECK(devices.error().kind == ErrorKind::unsupported);
  CHECK(devices.error().message.find("install libvulkan1") != std::string::npos);
  ::setenv("ASSAY_VULKAN", "libc.so.6", 1);
  const auto none = vulkan_devices();
  REQUIRE_FALSE(none);
  CHECK(none.error().message.find("is no loader of Vulkan") != std::string::npos);
  ::unsetenv("ASSAY_VULKAN");
}

TEST_CASE("results that tell of memory are that kind of error") {
  CHECK(VulkanDevice::failed("vkAllocateMemory", -2).error.kind == ErrorKind::out_of_memory);
  CHECK(VulkanDevice::failed("vkQueueSubmit", -4).error.message == "vkQueueSubmit failed with -4 (the device is lost)");
}

TEST_CASE("a device of Vulkan says what it has", "[.vulkan]") {
  const VulkanDescription& told = testing::device_or_skip<VulkanDevice>().description();
  CHECK_FALSE(told.name.empty());
  CHECK(told.version.rfind("1.", 0) == 0);
  CHECK(told.max_push_bytes >= 128);
  CHECK(told.max_binding >= (1u << 27));
  CHECK(told.max_group_items >= 128);
  CHECK(told.max_groups[0] >= 65535);
  CHECK(told.alignment >= 64);
}

TEST_CASE("what is no SPIR-V is refused", "[.vulkan]") {
  VulkanDevice& device = testing::device_or_skip<VulkanDevice>();
  CHECK(device.pipeline("short.spv", "", "main", 1, 0).error().kind == ErrorKind::malformed);
  CHECK(device.pipeline("text.spv", std::string(64, 'x'), "main", 1, 0).error().message.find("glslangValidator") !=
        std::string::npos);
}
