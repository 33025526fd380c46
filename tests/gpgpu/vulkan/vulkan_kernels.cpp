#include "assay/gpgpu/vulkan/vulkan_kernels.hpp"

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include "gpgpu/vulkan/device.hpp"
#include "gpgpu/vulkan/doubling.hpp"
#include "testing/catch.hpp"
#include "testing/temporary_folder.hpp"

using namespace assay;

namespace {

/// A file of one shader that multiplies x by a factor, but for what a test changes.
struct Doubling {
  testing::TemporaryFolder folder;
  KernelFile file;
  std::vector<float> x, y;
  float* first_output = nullptr;

  Doubling() {
    std::ofstream(folder.path / "doubling.spv", std::ios::binary)
        .write(reinterpret_cast<const char*>(testing::doubling), sizeof testing::doubling);
    file.name = "mine";
    file.path = folder.path / "kernels.json";
    DescribedKernel kernel;
    kernel.operation = "scale_shift";
    kernel.formats = {"f32.f32"};
    kernel.file = folder.path / "doubling.spv";
    kernel.entry = "main";
    for (const char* name : {"x", "output"}) kernel.arguments.push_back({KernelArgument::Kind::operand, name, {}, {}});
    for (const char* text : {"x.offset", "output.offset", "count"}) add(kernel, "int", text);
    add(kernel, "float", "2");
    kernel.global.push_back(placed("ceil_div(count, 32)"));
    file.kernels.push_back(std::move(kernel));
  }

  static PlacedExpression placed(const std::string& text) {
    return {Expression::parse(text).value(), {"k.json", 3, 9}};
  }
  static void add(DescribedKernel& kernel, const std::string& type, const std::string& text) {
    kernel.arguments.push_back({KernelArgument::Kind::scalar, type, placed(text), {"k.json", 3, 1}});
  }
  DescribedKernel& kernel() { return file.kernels.front(); }

  Result<void> run(Index count, Index behind = 0) {
    constexpr Index guard = 16;
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
    return vulkan_functions(file).front().run(request);
  }
};

}  // namespace

TEST_CASE("a shader of a file computes, wherever its operands begin", "[.vulkan]") {
  testing::vulkan_device_or_skip();
  Doubling doubling;
  const Index behind = GENERATE(0, 1, 5);
  const auto ran = doubling.run(100, behind);
  if (!ran) FAIL(ran.error().message);
  CHECK(std::all_of(doubling.first_output, doubling.first_output + 100, [](float value) { return value == 3; }));
  CHECK(std::count(doubling.y.begin(), doubling.y.end(), -1.0f) ==
        static_cast<std::ptrdiff_t>(doubling.y.size()) - 100);
  CHECK(doubling.run(0));
}

TEST_CASE("what a shader writes beside its output comes back", "[.vulkan]") {
  testing::vulkan_device_or_skip();
  Doubling doubling;
  doubling.kernel().arguments[4].value = Doubling::placed("count + 3");
  REQUIRE(doubling.run(32));
  CHECK(std::count(doubling.y.begin(), doubling.y.end(), -1.0f) ==
        static_cast<std::ptrdiff_t>(doubling.y.size()) - 32);  // one group of 32 is launched
  doubling.kernel().global[0] = Doubling::placed("2");
  REQUIRE(doubling.run(32));
  CHECK(std::count(doubling.y.begin(), doubling.y.end(), -1.0f) == static_cast<std::ptrdiff_t>(doubling.y.size()) - 35);
}

TEST_CASE("what a device of Vulkan cannot have is unsupported, with the reason", "[.vulkan]") {
  testing::vulkan_device_or_skip();
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
  testing::vulkan_device_or_skip();
  Doubling unknown;
  unknown.kernel().global[0] = Doubling::placed("2 * cuont");
  CHECK(unknown.run(8).error().message.rfind("k.json:3:13: unknown name 'cuont'; nearest: count", 0) == 0);
  Doubling negative;
  negative.kernel().global[0] = Doubling::placed("0 - count");
  CHECK(negative.run(8).error().kind == ErrorKind::invalid);
}
