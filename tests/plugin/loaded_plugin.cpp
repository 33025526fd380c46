#include "assay/plugin/loaded_plugin.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cfenv>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "assay/kernels/elementwise/problem.hpp"
#include "assay/plugin/host.h"
#include "plugin/kernels.hpp"
#include "testing/catch.hpp"

using namespace assay;
using testing::contains;
using testing::OneKernelPlugin;

namespace {

std::int32_t done(const assay_plugin_problem&, const assay_plugin_launch&) {
  return ASSAY_PLUGIN_OK;
}

/// What a change of a right description leads to.
template <class Change>
Error refusal(const Change& change, const std::vector<std::string>& operations = {}) {
  OneKernelPlugin given("relu", done);
  change(given);
  const auto described = describe_plugin(&given.plugin, "plugin libmine.so", operations);
  REQUIRE_FALSE(described);
  CHECK(described.error().message.rfind("plugin libmine.so: ", 0) == 0);
  return described.error();
}

PluginRequest relu_request(float* x, float* output, Index count) {
  PluginRequest request{"relu", "4", "f32.f32", {{"rank", PluginAttributeKind::integer, 1, 1, "1"}}, {}};
  request.tensors.push_back({"x", OperandRole::input, element_format<float32>(), contiguous_operand(x, {count})});
  request.tensors.push_back({"y", OperandRole::input, element_format<float32>(), {}});
  request.tensors.push_back({"z", OperandRole::input, element_format<float32>(), {}});
  request.tensors.push_back(
      {"output", OperandRole::output, element_format<float32>(), contiguous_operand(output, {count})});
  return request;
}

Result<void> run_with(testing::PluginRun compute, void (*change)(assay_plugin_kernel&) = nullptr) {
  OneKernelPlugin given("relu", std::move(compute));
  if (change != nullptr) change(given.kernel);
  const auto described = describe_plugin(&given.plugin, "plugin libmine.so");
  REQUIRE(described);
  float x[4] = {-1, 2, -3, 4}, output[4] = {};
  return described.value()->run(relu_request(x, output, 4));
}

std::string said(const Result<void>& result, ErrorKind kind) {
  REQUIRE_FALSE(result);
  CHECK(result.error().kind == kind);
  return result.error().message;
}

}  // namespace

TEST_CASE("the C structures have the layout that their declarations in other languages assume") {
  CHECK(sizeof(assay_plugin_array) == 48);
  CHECK(sizeof(assay_plugin_tensor) == 80);
  CHECK(sizeof(assay_plugin_attribute) == 48);
  CHECK(sizeof(assay_plugin_problem) == 64);
  CHECK(sizeof(assay_plugin_launch) == 64);
  CHECK(sizeof(assay_plugin_kernel) == 104);
  CHECK(sizeof(assay_plugin) == 48);
  CHECK(offsetof(assay_plugin, abi) == 8);
}

TEST_CASE("a right description is taken as it is") {
  OneKernelPlugin given("relu", done);
  const auto described = describe_plugin(&given.plugin, "plugin libmine.so", {"gelu", "relu"});
  REQUIRE(described);
  CHECK(described.value()->name() == "mine");
  CHECK(described.value()->version() == "1.2");
  CHECK(described.value()->source() == "plugin libmine.so");
  CHECK(described.value()->operations() == std::vector<std::string>{"relu"});
  CHECK(described.value()->has("relu"));
  CHECK_FALSE(described.value()->has("gelu"));
}

TEST_CASE("later minor versions are taken, and what they have more is not read") {
  struct {
    assay_plugin_kernel known;
    void* later = reinterpret_cast<void*>(1);
  } kernel;
  OneKernelPlugin given("relu", done);
  kernel.known = given.kernel;
  kernel.known.size = sizeof kernel;
  given.kernels[0] = &kernel.known;
  given.plugin.abi = ASSAY_PLUGIN_ABI + 7;
  CHECK(describe_plugin(&given.plugin, "later"));
}

TEST_CASE("plugins of the first version are taken, and asked for nothing that it has not") {
  OneKernelPlugin given("relu", done);
  given.plugin.abi = 1U << 16 | 1U;
  given.kernel.contract = "rank=2";  // what lies where later versions have a contract
  given.kernel.flags = ~std::uint64_t{0};
  const auto whole = describe_plugin(&given.plugin, "first");
  REQUIRE(whole);
  CHECK(whole.value()->contract("relu").empty());
  given.kernel.size = offsetof(assay_plugin_kernel, promises);
  given.plugin.abi = 1U << 16;
  CHECK(describe_plugin(&given.plugin, "first"));
}

TEST_CASE("a kernel's contract is read, and problems that it excludes do not reach the kernel") {
  OneKernelPlugin given("relu", done);
  given.kernel.contract = "rank=2,a=1";
  const auto plugin = describe_plugin(&given.plugin, "x").value();
  REQUIRE(plugin->contract("relu").size() == 2);
  CHECK(plugin->contract("gelu").empty());
  float x[1] = {}, output[1] = {};
  PluginRequest request = relu_request(x, output, 1);
  CHECK_THAT(said(plugin->run(request), ErrorKind::unsupported),
             contains("rank is 1; the kernel's contract fixes it at 2"));
  request.attributes[0] = {"rank", PluginAttributeKind::integer, 2, 2, "2"};
  request.attributes.push_back({"a", PluginAttributeKind::real, 0, 1, "1.0"});  // the same number in other words
  CHECK(plugin->run(request));
  CHECK_THAT(refusal([](OneKernelPlugin& wrong) { wrong.kernel.contract = "rank"; }).message,
             contains("contract: 'rank' is no part of a contract"));
  CHECK_THAT(refusal([](OneKernelPlugin& wrong) { wrong.kernel.flags = 6; }).message, contains("flags is 6"));
  CHECK_THAT(refusal([](OneKernelPlugin& wrong) {
               wrong.kernel.operation = "quantize";
               wrong.kernel.contract = "rows=2";
             }).message,
             contains("contract fixes rows"));
}

TEST_CASE("tensors begin at a boundary and an offset where the kernel asks for that") {
  const auto run = [](std::uint64_t flags) {
    OneKernelPlugin given("relu", [flags](const assay_plugin_problem& problem, const assay_plugin_launch&) {
      for (const int i : {0, 3}) {
        const assay_plugin_array& array = problem.tensors[i]->array;
        const auto address = reinterpret_cast<std::uintptr_t>(array.data);
        CHECK((flags == 0 ? array.byte_offset == 0 : array.byte_offset < 256 && address % 256 == 0));
        float* const first = reinterpret_cast<float*>(static_cast<char*>(array.data) + array.byte_offset);
        if (i == 3) first[0] = 7;
      }
      return std::int32_t{ASSAY_PLUGIN_OK};
    });
    given.kernel.flags = flags;
    float x[2] = {}, output[2] = {};
    CHECK(describe_plugin(&given.plugin, "x").value()->run(relu_request(x + 1, output + 1, 1)));
    CHECK(output[0] == 0);
    CHECK(output[1] == 7);
  };
  run(0);
  run(ASSAY_PLUGIN_BYTE_OFFSETS);
}

TEST_CASE("each wrong description is refused by words that name the member") {
  CHECK(describe_plugin(nullptr, "none").error().kind == ErrorKind::unsupported);
  CHECK_THAT(describe_plugin(nullptr, "none").error().message, contains("it gave no description"));
  const Error abi = refusal([](OneKernelPlugin& given) { given.plugin.abi = 3u << 16; });
  CHECK(abi.kind == ErrorKind::unsupported);
  CHECK_THAT(abi.message, contains("built for plugin ABI 3.0, and this is 2.0, which takes those of 1.x, too"));
  const auto message = [](const auto& change) {
    const Error error = refusal(change);
    CHECK(error.kind == ErrorKind::malformed);
    return error.message;
  };
  CHECK_THAT(message([](OneKernelPlugin& given) { given.plugin.size = 0; }), contains("the size of assay_plugin is 0"));
  CHECK_THAT(message([](OneKernelPlugin& given) { given.plugin.size = 40; }),
             contains("the size of assay_plugin is 40"));
  CHECK_THAT(message([](OneKernelPlugin& given) { given.plugin.name = nullptr; }), contains("name is null"));
  CHECK_THAT(message([](OneKernelPlugin& given) { given.plugin.name = ""; }), contains("name is not"));
  CHECK_THAT(message([](OneKernelPlugin& given) { given.plugin.name = "my plugin"; }), contains("name is not"));
  static const std::string long_name(65, 'a');
  CHECK_THAT(message([](OneKernelPlugin& given) { given.plugin.name = long_name.c_str(); }), contains("name is not"));
  CHECK_THAT(message([](OneKernelPlugin& given) { given.plugin.kernel_count = 0; }), contains("kernel_count is 0"));
  CHECK_THAT(message([](OneKernelPlugin& given) { given.plugin.kernel_count = UINT64_MAX; }), contains("at most 1024"));
  CHECK_THAT(message([](OneKernelPlugin& given) { given.plugin.kernels = nullptr; }), contains("kernels is null"));
  CHECK_THAT(message([](OneKernelPlugin& given) { given.kernels[0] = nullptr; }), contains("kernels[0] is null"));
  CHECK_THAT(message([](OneKernelPlugin& given) { given.kernel.size = 8; }), contains("the size of kernels[0] is 8"));
  CHECK_THAT(message([](OneKernelPlugin& given) { given.kernel.operation = nullptr; }), contains("operation is null"));
  CHECK_THAT(message([](OneKernelPlugin& given) { given.kernel.operation = "re lu"; }),
             contains("operation is not a name"));
  CHECK_THAT(message([](OneKernelPlugin& given) { given.kernel.run = nullptr; }),
             contains("kernels[0] (relu).run is null"));
  CHECK_THAT(message([](OneKernelPlugin& given) { given.kernel.function_errors = -1; }), contains("function_errors"));
  CHECK_THAT(message([](OneKernelPlugin& given) { given.kernel.function_errors = std::nan(""); }),
             contains("function_errors"));
  CHECK_THAT(message([](OneKernelPlugin& given) { given.kernel.block = -4; }), contains("block is -4"));
  CHECK_THAT(message([](OneKernelPlugin& given) { given.kernel.accumulator = "float32"; }),
             contains("unknown format 'float32'"));
  CHECK_THAT(refusal([](OneKernelPlugin&) {}, {"gelu", "silu"}).message, contains("unknown operation 'relu'"));
  OneKernelPlugin twice("relu", done);
  const assay_plugin_kernel* const both[] = {&twice.kernel, &twice.kernel};
  twice.plugin.kernel_count = 2;
  twice.plugin.kernels = both;
  CHECK_THAT(describe_plugin(&twice.plugin, "x").error().message,
             contains("kernels[1] (relu) is the second of its operation"));
}

TEST_CASE("promises become the arithmetic of which bounds are derived") {
  OneKernelPlugin given("relu", done);
  const auto promised = [&](bool is_double = false) {
    return describe_plugin(&given.plugin, "x").value()->arithmetic("relu", is_double);
  };
  CHECK(promised().unit_roundoff() == 0x1p-24);
  CHECK(promised(true).unit_roundoff() == 0x1p-53);
  CHECK(promised().function_errors == 8);
  given.kernel.accumulator = "bf16";
  given.kernel.function_errors = 2;
  given.kernel.block = 16;
  CHECK(promised(true).unit_roundoff() == 0x1p-8);
  CHECK(promised().function_errors == 2);
  CHECK(promised().accumulation.block == 16);
  given.kernel.truncating = 1;
  CHECK(promised().unit_roundoff() == 0x1p-7);
  CHECK(promised().accumulation.truncating);
}

TEST_CASE("a kernel gets the problem as it is, and its outputs are where they were asked for") {
  std::vector<std::string> seen;
  OneKernelPlugin given("relu", [&](const assay_plugin_problem& problem, const assay_plugin_launch& launch) {
    seen = {problem.operation, problem.name, problem.formats, problem.tensors[0]->name, problem.tensors[0]->format};
    CHECK(problem.size == sizeof problem);
    CHECK(problem.tensor_count == 4);
    CHECK(problem.tensors[1] == nullptr);
    CHECK(problem.tensors[3]->role == ASSAY_PLUGIN_OUTPUT);
    CHECK(problem.tensors[3]->array.device.device_type == 1);
    CHECK(problem.tensors[3]->array.dtype.code == 2);
    CHECK(problem.tensors[3]->array.dtype.bits == 32);
    CHECK(assay_plugin_find_tensor(&problem, "output") == problem.tensors[3]);
    CHECK(assay_plugin_find_tensor(&problem, "y") == nullptr);
    CHECK(assay_plugin_find_attribute(&problem, "rank")->integer == 1);
    CHECK(assay_plugin_find_attribute(&problem, "ranks") == nullptr);
    CHECK(launch.workspace == nullptr);
    return testing::right_relu(problem, launch);
  });
  const auto plugin = describe_plugin(&given.plugin, "x").value();
  float x[4] = {-1, 2, -3, 4}, output[4] = {};
  REQUIRE(plugin->run(relu_request(x, output, 4)));
  CHECK(seen == std::vector<std::string>{"relu", "4", "f32.f32", "x", "f32"});
  CHECK(output[1] == 2);
  CHECK(output[2] == 0);
}

TEST_CASE("words that kernels compare are those of the interface's first version") {
  std::vector<std::string> seen;
  OneKernelPlugin given("relu", [&](const assay_plugin_problem& problem, const assay_plugin_launch& launch) {
    for (const char* name : {"box_format", "dequantized", "dequantised"})
      seen.emplace_back(assay_plugin_find_attribute(&problem, name)->text);
    return testing::right_relu(problem, launch);
  });
  float x[1] = {1}, output[1] = {};
  PluginRequest request = relu_request(x, output, 1);
  request.attributes.push_back({"box_format", PluginAttributeKind::text, 0, 0, "center"});
  request.attributes.push_back({"dequantized", PluginAttributeKind::text, 0, 0, "f32"});
  REQUIRE(describe_plugin(&given.plugin, "x").value()->run(request));
  CHECK(seen == std::vector<std::string>{"centre", "f32", "f32"});
}

TEST_CASE("what a kernel says instead of computing is told in its own words") {
  const auto saying = [](const char* text, std::int32_t status) {
    return run_with([=](const assay_plugin_problem&, const assay_plugin_launch& launch) {
      std::snprintf(launch.message, static_cast<std::size_t>(launch.message_capacity), "%s", text);
      return status;
    });
  };
  CHECK(said(saying("rows of 7 only", ASSAY_PLUGIN_UNSUPPORTED), ErrorKind::unsupported) ==
        "plugin mine, relu: rows of 7 only");
  CHECK(said(saying("error 719", ASSAY_PLUGIN_ERROR), ErrorKind::device) == "plugin mine, relu: error 719");
  CHECK_THAT(said(saying("", ASSAY_PLUGIN_ERROR), ErrorKind::device), contains("gave no reason"));
  CHECK_THAT(said(saying("", 77), ErrorKind::device), contains("run returned 77; it returns 0"));
  CHECK_THAT(said(saying("?", -1), ErrorKind::device), contains("run returned -1"));
  const auto endless = run_with([](const assay_plugin_problem&, const assay_plugin_launch& launch) {
    std::memset(launch.message, 'x', static_cast<std::size_t>(launch.message_capacity));
    return std::int32_t{ASSAY_PLUGIN_ERROR};
  });
  CHECK(said(endless, ErrorKind::device).size() < 2100);
}

TEST_CASE("a process that a kernel forks ends where the kernel returns") {
  const ::pid_t process = ::getpid();
  ::pid_t forked = -1;
  const auto result = run_with([&](const assay_plugin_problem&, const assay_plugin_launch&) -> std::int32_t {
    forked = ::fork();
    return ASSAY_PLUGIN_OK;
  });
  if (::getpid() != process) ::_exit(1);  // it came too far
  CHECK(result);
  int status = -1;
  REQUIRE(::waitpid(forked, &status, 0) == forked);
  CHECK(status == 0);
}

TEST_CASE("exceptions of a plugin are errors of the case") {
  CHECK_THAT(
      said(run_with([](const auto&, const auto&) -> std::int32_t { throw std::runtime_error("a tile of -3 rows"); }),
           ErrorKind::device),
      contains("run threw an exception, which must not leave a plugin: a tile of -3 rows"));
  CHECK_THAT(said(run_with([](const auto&, const auto&) -> std::int32_t { throw 3; }), ErrorKind::device),
             contains("run threw something"));
}

TEST_CASE("a kernel that does not take a problem is not run") {
  bool ran = false;
  const auto run = [&](const auto&, const auto&) {
    ran = true;
    return std::int32_t{ASSAY_PLUGIN_OK};
  };
  const auto refused = run_with(run, [](assay_plugin_kernel& kernel) {
    kernel.supports = [](void*, const assay_plugin_problem* problem, char* reason,
                         std::uint64_t capacity) -> std::int32_t {
      CHECK(problem->tensors[0]->array.data == nullptr);
      CHECK(problem->tensors[0]->array.shape[0] == 4);
      std::snprintf(reason, static_cast<std::size_t>(capacity), "no rows of 4");
      return 0;
    };
  });
  CHECK(said(refused, ErrorKind::unsupported) == "plugin mine, relu: no rows of 4");
  const auto garbage = run_with(run, [](assay_plugin_kernel& kernel) {
    kernel.supports = [](void*, const assay_plugin_problem*, char*, std::uint64_t) -> std::int32_t { return 7; };
  });
  CHECK_THAT(said(garbage, ErrorKind::device), contains("supports returned 7"));
  CHECK_FALSE(ran);
  CHECK(run_with(run, [](assay_plugin_kernel& kernel) {
    kernel.supports = [](void*, const assay_plugin_problem*, char*, std::uint64_t) -> std::int32_t { return 1; };
  }));
  CHECK(ran);
}

TEST_CASE("a workspace is as large as was asked for, aligned, and guarded") {
  const auto asks_for_100 = [](assay_plugin_kernel& kernel) {
    kernel.workspace_bytes = [](void*, const assay_plugin_problem*) -> std::uint64_t { return 100; };
  };
  const auto writing = [](std::size_t bytes) {
    return [bytes](const assay_plugin_problem&, const assay_plugin_launch& launch) {
      CHECK(launch.workspace_bytes == 100);
      CHECK(reinterpret_cast<std::uintptr_t>(launch.workspace) % 64 == 0);
      std::memset(launch.workspace, 0, bytes);
      return std::int32_t{ASSAY_PLUGIN_OK};
    };
  };
  CHECK(run_with(writing(100), asks_for_100));
  CHECK_THAT(said(run_with(writing(101), asks_for_100), ErrorKind::device),
             contains("wrote behind its workspace of 100 bytes"));
  const auto too_large = run_with(done, [](assay_plugin_kernel& kernel) {
    kernel.workspace_bytes = [](void*, const assay_plugin_problem*) -> std::uint64_t { return UINT64_MAX; };
  });
  CHECK_THAT(said(too_large, ErrorKind::out_of_memory), contains("a workspace of 18446744073709551615 bytes"));
}

TEST_CASE("what a kernel does to the rounding mode does not outlast it") {
  CHECK(run_with([](const auto&, const auto&) {
    std::fesetround(FE_UPWARD);
    return std::int32_t{ASSAY_PLUGIN_OK};
  }));
  CHECK(std::fegetround() == FE_TONEAREST);
}

TEST_CASE("operations and formats that there is no way to say are unsupported") {
  OneKernelPlugin given("relu", done);
  const auto plugin = describe_plugin(&given.plugin, "x").value();
  float x[1] = {}, output[1] = {};
  PluginRequest request = relu_request(x, output, 1);
  request.operation = "gelu";
  CHECK_THAT(said(plugin->run(request), ErrorKind::unsupported), contains("has no kernel for gelu; it has relu"));
  request = relu_request(x, output, 1);
  request.tensors[0].format = element_format<tfloat32>();
  CHECK_THAT(said(plugin->run(request), ErrorKind::unsupported), contains("no type for tf32"));
}

TEST_CASE("tensors are handed on as managed tensors, which outlive the call and not its data") {
  dlpack::ManagedTensorVersioned* kept = nullptr;
  CHECK(run_with([&](const assay_plugin_problem& problem, const assay_plugin_launch& launch) {
    kept = static_cast<dlpack::ManagedTensorVersioned*>(launch.managed(&launch, problem.tensors[0], 1));
    CHECK(kept->dl_tensor.data == problem.tensors[0]->array.data);
    CHECK(kept->dl_tensor.shape[0] == 4);
    CHECK((kept->flags & dlpack::flag_read_only) != 0);
    auto* const older = static_cast<dlpack::ManagedTensor*>(launch.managed(&launch, problem.tensors[3], 0));
    CHECK(older->dl_tensor.data == problem.tensors[3]->array.data);
    older->deleter(older);
    CHECK(launch.managed(&launch, nullptr, 1) == nullptr);
    CHECK_THAT(std::string(launch.message), contains("not one of the problem's tensors"));
    return std::int32_t{ASSAY_PLUGIN_OK};
  }));
  REQUIRE(kept != nullptr);
  kept->deleter(kept);
}

TEST_CASE("calls come one after the other, unless the plugin is safe for threads") {
  std::atomic<int> inside = 0, most = 0, patience = 20;
  OneKernelPlugin given("relu", [&](const auto&, const auto&) {
    const int now = ++inside;
    if (now > most) most = now;
    const auto late = std::chrono::steady_clock::now() + std::chrono::milliseconds(patience);
    while (most < 2 && std::chrono::steady_clock::now() < late) std::this_thread::yield();
    --inside;
    return std::int32_t{ASSAY_PLUGIN_OK};
  });
  const auto at_once = [&] {
    const auto plugin = describe_plugin(&given.plugin, "x").value();
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
      threads.emplace_back([&] {
        float x[1] = {}, output[1] = {};
        static_cast<void>(plugin->run(relu_request(x, output, 1)));
      });
    for (std::thread& thread : threads) thread.join();
    return most.load();
  };
  CHECK(at_once() == 1);
  given.plugin.flags = ASSAY_PLUGIN_THREAD_SAFE;
  most = 0;
  patience = 20000;  // it ends when the second has come
  CHECK(at_once() > 1);
}
