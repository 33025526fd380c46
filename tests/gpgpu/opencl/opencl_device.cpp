#include "assay/gpgpu/opencl/opencl_device.hpp"

#include <cstdlib>
#include <string>
#include <vector>

#include "gpgpu/device_or_skip.hpp"
#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("without a loader of OpenCL it is told what to install") {
  ::setenv("ASSAY_OPENCL", "/nowhere/libOpenCL.so.1", 1);
  const auto devices = opencl_devices();
  REQUIRE_FALSE(devices);
  CHECK(devices.error().kind == ErrorKind::unsupported);
  CHECK(devices.error().message.find("install ocl-icd-libopencl1") != std::string::npos);
  ::setenv("ASSAY_OPENCL", "libc.so.6", 1);
  const auto none = opencl_devices();
  REQUIRE_FALSE(none);
  CHECK(none.error().message.find("is no loader of OpenCL") != std::string::npos);
  ::unsetenv("ASSAY_OPENCL");
}

TEST_CASE("statuses that tell of memory are that kind of error") {
  CHECK(OpenClDevice::failed("clCreateBuffer", -4).error.kind == ErrorKind::out_of_memory);
  CHECK(OpenClDevice::failed("clFinish", -36).error.kind == ErrorKind::device);
  CHECK(OpenClDevice::failed("clFinish", -36).error.message == "clFinish failed with -36");
}

TEST_CASE("a device says what it has", "[.opencl]") {
  const OpenClDescription& told = testing::device_or_skip<OpenClDevice>().description();
  CHECK_FALSE(told.name.empty());
  CHECK(told.version.rfind("OpenCL ", 0) == 0);
  CHECK(told.max_group_size >= 1);
  CHECK(told.max_allocation > 0);
  CHECK(told.alignment >= 64);
}

TEST_CASE("programs that cannot be built are told with their log", "[.opencl]") {
  OpenClDevice& device = testing::device_or_skip<OpenClDevice>();
  const auto broken = device.kernel("broken.cl", "__kernel void f(__global int* x) { x[0] = nothing; }", "", "f");
  REQUIRE_FALSE(broken);
  CHECK(broken.error().kind == ErrorKind::device);
  CHECK(broken.error().message.find("'broken.cl' cannot be built") != std::string::npos);
  CHECK(broken.error().message.find("nothing") != std::string::npos);
  const std::string right = "__kernel void f(__global int* x) { x[0] = 1; }";
  CHECK(device.kernel("right.cl", right, "", "g").error().kind == ErrorKind::not_found);
  const auto first = device.kernel("right.cl", right, "", "f");
  REQUIRE(first);
  CHECK(device.kernel("right.cl", right, "", "f").value() == first.value());
}
