#include "assay/plugin/function_plugin.hpp"

#include <cfenv>
#include <string>

#include "assay/plugin/plugin_backend.hpp"
#include "testing/catch.hpp"
#include "testing/checks.hpp"

using namespace assay;

namespace {

PluginFunction doubling() {
  PluginFunction function{"gemm", {"f32.*", "f64.f64.f64"}};
  function.run = [](const PluginRequest& request) -> Result<void> {
    if (request.problem == "refused") return failure(ErrorKind::unsupported, "not this one");
    static_cast<float*>(request.tensors.at(0).operand.data)[0] *= 2;
    return {};
  };
  return function;
}

PluginRequest request_of(float* x) {
  PluginRequest request{"gemm", "one", "f32.f32.f32", {}, {}};
  request.tensors.push_back({"C", OperandRole::output, element_format<float32>(), contiguous_operand(x, {1})});
  return request;
}

}  // namespace

TEST_CASE("functions of this program are the kernels of a plugin") {
  PluginFunction function = doubling();
  function.accumulator = "bf16";
  function.function_errors = 64;
  function.promises = "flush_products=bf16";
  const auto plugin = plugin_of_functions("mine", "1.0", "a test", {function}, {"gemm"});
  REQUIRE(plugin);
  CHECK(plugin.value()->name() == "mine");
  CHECK(plugin.value()->version() == "1.0");
  CHECK(plugin.value()->operations() == std::vector<std::string>{"gemm"});
  CHECK(plugin.value()->arithmetic("gemm", false).function_errors == 64);
  CHECK(plugin.value()->promises("gemm") == "flush_products=bf16");
  float x = 3;
  CHECK(plugin.value()->run(request_of(&x)));
  CHECK(x == 6);
}

TEST_CASE("a plugin of functions says which formats it takes") {
  const auto plugin = plugin_of_functions("mine", "", "a test", {doubling()});
  REQUIRE(plugin);
  CHECK(plugin.value()->takes("gemm", "f32.f32.f32"));
  CHECK(plugin.value()->takes("gemm", "f64.f64.f64"));
  CHECK_FALSE(plugin.value()->takes("gemm", "f16.f32.f16"));
  CHECK_FALSE(plugin.value()->takes("softmax", "f32.f32"));
}

TEST_CASE("what a function refuses names it, and the state of floating point stays") {
  PluginFunction function = doubling();
  const auto inner = function.run;
  function.run = [inner](const PluginRequest& request) {
    std::fesetround(FE_UPWARD);
    return inner(request);
  };
  const auto plugin = plugin_of_functions("mine", "", "a test", {function});
  REQUIRE(plugin);
  float x = 3;
  PluginRequest request = request_of(&x);
  request.problem = "refused";
  const auto refused = plugin.value()->run(request);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().kind == ErrorKind::unsupported);
  CHECK(refused.error().message == "mine, gemm: not this one");
  CHECK(std::fegetround() == FE_TONEAREST);
}

TEST_CASE("descriptions of functions are checked as those of plugins") {
  const auto refused = [](PluginFunction function, const std::string& name = "mine") {
    const auto plugin = plugin_of_functions(name, "", "a test", {std::move(function)}, {"gemm", "softmax"});
    REQUIRE_FALSE(plugin);
    return plugin.error().message;
  };
  PluginFunction function = doubling();
  function.operation = "sotfmax";
  CHECK(refused(function).find("nearest: softmax") != std::string::npos);
  function = doubling();
  function.accumulator = "f33";
  CHECK(refused(function).find("accumulator") != std::string::npos);
  CHECK(refused(doubling(), "my kernels").find("name is not") != std::string::npos);
  CHECK(plugin_of_functions("mine", "", "a test", {}).error().message.find("no kernels") != std::string::npos);
  CHECK(plugin_of_functions("mine", "", "a test", {doubling(), doubling()}).error().message.find("second") !=
        std::string::npos);
}
