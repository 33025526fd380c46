#include "assay/gpgpu/opencl/opencl_kernels.hpp"

#include <algorithm>
#include <string>

#include "assay/gpgpu/opencl/opencl_device.hpp"
#include "gpgpu/device_or_skip.hpp"
#include "gpgpu/doubling_file.hpp"
#include "testing/catch.hpp"

using namespace assay;

namespace {

/// What a file of one kernel that doubles x says, but for what a test changes.
struct Doubling : testing::DoublingFile {
  explicit Doubling(const std::string& body = "y[y_offset + i] = 2 * x[x_offset + i];")
      : DoublingFile("doubling.cl", "doubling", "long") {
    write(
        "__kernel void doubling(__global float* x, __global float* y, long x_offset, long y_offset, int count) {\n"
        "  const int i = get_global_id(0);\n  " +
        body + "\n}\n");
    kernel().global.push_back(placed("count"));
  }

  Result<void> run(Index count, Index behind = 0) { return opencl_functions(file).front().run(request(count, behind)); }
};

}  // namespace

TEST_CASE("a kernel of a file computes, wherever its operands begin", "[.opencl]") {
  testing::device_or_skip<OpenClDevice>();
  Doubling doubling;
  const Index behind = GENERATE(0, 1, 5);
  const auto ran = doubling.run(100, behind);
  if (!ran) FAIL(ran.error().message);
  CHECK(std::all_of(doubling.first_output, doubling.first_output + 100, [](float value) { return value == 3; }));
  CHECK(doubling.untouched() == doubling.size() - 100);
}

TEST_CASE("what is written beside an output, or to an input, comes back", "[.opencl]") {
  testing::device_or_skip<OpenClDevice>();
  Doubling behind(
      "y[y_offset + i] = 2 * x[x_offset + i]; if (i == 0) { y[y_offset + count] = 7; y[y_offset - 1] = 8; }");
  REQUIRE(behind.run(100));
  CHECK(behind.first_output[100] == 7);
  CHECK(behind.first_output[-1] == 8);
  Doubling input("x[x_offset + i] = 9;");
  REQUIRE(input.run(100));
  CHECK(std::count(input.x.begin(), input.x.end(), 9.0f) == 100);
}

TEST_CASE("what a device cannot have is unsupported, with the reason", "[.opencl]") {
  testing::device_or_skip<OpenClDevice>();
  Doubling no_offset;
  DescribedKernel& kernel = no_offset.kernel();
  kernel.arguments[2].value = kernel.arguments[3].value = Doubling::placed("0");
  CHECK(no_offset.run(8, 0));
  const auto misaligned = no_offset.run(8, 1);
  REQUIRE_FALSE(misaligned);
  CHECK(misaligned.error().kind == ErrorKind::unsupported);
  CHECK(misaligned.error().message.find("is not told x.offset") != std::string::npos);

  Doubling required;
  required.kernel().requirements.push_back(Doubling::placed("count < 50"));
  CHECK(required.run(8));
  CHECK(required.run(80).error().kind == ErrorKind::unsupported);
  CHECK(required.run(80).error().message == "doubling requires count < 50");

  Doubling large;
  large.kernel().global[0] = large.kernel().arguments[4].value;
  large.kernel().local.push_back(Doubling::placed("1000000"));
  large.kernel().global[0] = Doubling::placed("1000000");
  CHECK(large.run(8).error().kind == ErrorKind::unsupported);
}

TEST_CASE("expressions without a value are errors with line and column", "[.opencl]") {
  testing::device_or_skip<OpenClDevice>();
  Doubling unknown;
  unknown.kernel().global[0] = Doubling::placed("2 * cuont");
  CHECK(unknown.run(8).error().message.rfind("k.json:3:13: unknown name 'cuont'; nearest: count", 0) == 0);
  Doubling wide;
  wide.kernel().arguments[4].value = Doubling::placed("count * 4294967296");
  CHECK(wide.run(8).error().message.find("which int does not hold") != std::string::npos);
  Doubling operand;
  operand.kernel().arguments[0].name = "inptu";
  CHECK(operand.run(8).error().kind == ErrorKind::invalid);
  Doubling ragged;
  ragged.kernel().local.push_back(Doubling::placed("3"));
  CHECK(ragged.run(8).error().message.find("no multiple of the group's 3") != std::string::npos);
  Doubling fewer;
  fewer.kernel().arguments.pop_back();
  CHECK_FALSE(fewer.run(8));
}

TEST_CASE("nothing is launched where there is nothing to compute", "[.opencl]") {
  testing::device_or_skip<OpenClDevice>();
  Doubling doubling;
  CHECK(doubling.run(0));
}
