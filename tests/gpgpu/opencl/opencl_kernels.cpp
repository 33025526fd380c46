#include "assay/gpgpu/opencl/opencl_kernels.hpp"

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include "assay/tensor/operand_tensor.hpp"
#include "gpgpu/opencl/device.hpp"
#include "testing/catch.hpp"
#include "testing/temporary_folder.hpp"

using namespace assay;

namespace {

/// What a file of one kernel that doubles x says, but for what a test changes.
struct Doubling {
  testing::TemporaryFolder folder;
  KernelFile file;
  std::vector<float> x, y;
  Index guard = 16;  ///< elements ahead of and behind the others

  explicit Doubling(const std::string& body = "y[y_offset + i] = 2 * x[x_offset + i];") {
    std::ofstream(folder.path / "doubling.cl")
        << "__kernel void doubling(__global float* x, __global float* y, long x_offset, long y_offset, int count) {\n"
        << "  const int i = get_global_id(0);\n  " << body << "\n}\n";
    file.name = "mine";
    file.path = folder.path / "kernels.json";
    DescribedKernel kernel;
    kernel.operation = "scale_shift";
    kernel.formats = {"f32.f32"};
    kernel.file = folder.path / "doubling.cl";
    kernel.entry = "doubling";
    for (const char* name : {"x", "output"}) kernel.arguments.push_back({KernelArgument::Kind::operand, name, {}, {}});
    add(kernel, "long", "x.offset");
    add(kernel, "long", "output.offset");
    add(kernel, "int", "count");
    kernel.global.push_back(placed("count"));
    file.kernels.push_back(std::move(kernel));
  }

  static PlacedExpression placed(const std::string& text) {
    return {Expression::parse(text).value(), {"k.json", 3, 9}};
  }
  static void add(DescribedKernel& kernel, const std::string& type, const std::string& text) {
    kernel.arguments.push_back({KernelArgument::Kind::scalar, type, placed(text), {"k.json", 3, 1}});
  }

  Result<void> run(Index count, Index behind = 0) {
    const auto size = static_cast<std::size_t>(count + 2 * guard + 32);
    x.assign(size, 1.5f);
    y.assign(size, -1);
    PluginRequest request{"scale_shift", "n", "f32.f32", {}, {}};
    request.attributes.push_back({"count", PluginAttributeKind::integer, count, static_cast<double>(count), ""});
    const auto tensor = [&](const char* name, OperandRole role, std::vector<float>& data) {
      auto* first = data.data();
      while (reinterpret_cast<std::uintptr_t>(first + guard) % 64 != 0) ++first;
      Operand operand = contiguous_operand(first + guard + behind, {count});
      operand.guard_bytes = guard * 4;
      request.tensors.push_back({name, role, element_format<float32>(), operand});
    };
    tensor("x", OperandRole::input, x);
    tensor("output", OperandRole::output, y);
    first_output = static_cast<float*>(request.tensors[1].operand.data);
    return opencl_functions(file).front().run(request);
  }

  float* first_output = nullptr;
};

}  // namespace

TEST_CASE("a kernel of a file computes, wherever its operands begin", "[.opencl]") {
  testing::opencl_device_or_skip();
  Doubling doubling;
  const Index behind = GENERATE(0, 1, 5);
  const auto ran = doubling.run(100, behind);
  if (!ran) FAIL(ran.error().message);
  CHECK(std::all_of(doubling.first_output, doubling.first_output + 100, [](float value) { return value == 3; }));
  CHECK(std::count(doubling.y.begin(), doubling.y.end(), -1.0f) ==
        static_cast<std::ptrdiff_t>(doubling.y.size()) - 100);
}

TEST_CASE("what is written beside an output, or to an input, comes back", "[.opencl]") {
  testing::opencl_device_or_skip();
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
  testing::opencl_device_or_skip();
  Doubling no_offset;
  DescribedKernel& kernel = no_offset.file.kernels.front();
  kernel.arguments[2].value = kernel.arguments[3].value = Doubling::placed("0");
  CHECK(no_offset.run(8, 0));
  const auto misaligned = no_offset.run(8, 1);
  REQUIRE_FALSE(misaligned);
  CHECK(misaligned.error().kind == ErrorKind::unsupported);
  CHECK(misaligned.error().message.find("is not told x.offset") != std::string::npos);

  Doubling required;
  required.file.kernels.front().requirements.push_back(Doubling::placed("count < 50"));
  CHECK(required.run(8));
  CHECK(required.run(80).error().kind == ErrorKind::unsupported);
  CHECK(required.run(80).error().message == "doubling requires count < 50");

  Doubling large;
  large.file.kernels.front().global[0] = large.file.kernels.front().arguments[4].value;
  large.file.kernels.front().local.push_back(Doubling::placed("1000000"));
  large.file.kernels.front().global[0] = Doubling::placed("1000000");
  CHECK(large.run(8).error().kind == ErrorKind::unsupported);
}

TEST_CASE("expressions without a value are errors with line and column", "[.opencl]") {
  testing::opencl_device_or_skip();
  Doubling unknown;
  unknown.file.kernels.front().global[0] = Doubling::placed("2 * cuont");
  CHECK(unknown.run(8).error().message.rfind("k.json:3:13: unknown name 'cuont'; nearest: count", 0) == 0);
  Doubling wide;
  wide.file.kernels.front().arguments[4].value = Doubling::placed("count * 4294967296");
  CHECK(wide.run(8).error().message.find("which int does not hold") != std::string::npos);
  Doubling operand;
  operand.file.kernels.front().arguments[0].name = "inptu";
  CHECK(operand.run(8).error().kind == ErrorKind::invalid);
  Doubling ragged;
  ragged.file.kernels.front().local.push_back(Doubling::placed("3"));
  CHECK(ragged.run(8).error().message.find("no multiple of the group's 3") != std::string::npos);
  Doubling fewer;
  fewer.file.kernels.front().arguments.pop_back();
  CHECK_FALSE(fewer.run(8));
}

TEST_CASE("nothing is launched where there is nothing to compute", "[.opencl]") {
  testing::opencl_device_or_skip();
  Doubling doubling;
  CHECK(doubling.run(0));
}
