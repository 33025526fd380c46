#include "assay/plugin/plugin_backend.hpp"

#include <memory>
#include <string>

#include "assay/kernels/softmax/softmax.hpp"
#include "plugin/kernels.hpp"
#include "testing/catch.hpp"

using namespace assay;
using testing::contains;
using testing::OneKernelPlugin;

static_assert(ParallelBackend<PluginBackend>);
static_assert(kernel<PluginBackend, Softmax>::available);
static_assert(kernel<PluginBackend, Gemm<float32, float32, float32, float32>>::available);

TEST_CASE("a plugin is a backend of its own name, whose kernels its trait finds") {
  OneKernelPlugin given("gemm", testing::right_gemm<float>);
  PluginBackend backend(describe_plugin(&given.plugin, "x").value());
  CHECK(backend.name() == "mine");
  CHECK(&PluginBackend(backend).plugin() == &backend.plugin());
  auto stream = backend.make_stream();
  REQUIRE(stream);
  const float a[4] = {1, 2, 3, 4}, b[4] = {5, 6, 7, 8};
  float c[4] = {};
  GemmArguments<float32, float32, float32> arguments;
  arguments.a = {a, {1, 2, 2}, {4, 2, 1}};
  arguments.b = {b, {1, 2, 2}, {4, 2, 1}};
  arguments.c = {c, {1, 2, 2}, {4, 2, 1}};
  GemmProblem problem;
  problem.m = problem.n = problem.k = 2;
  using Op = Gemm<float32, float32, float32, float32>;
  REQUIRE((kernel<PluginBackend, Op>::run(backend, stream.value(), problem, arguments)));
  CHECK(c[0] == 19);
  CHECK(c[3] == 50);
  const auto refused = kernel<PluginBackend, Softmax>::run(backend, stream.value(), {}, {});
  REQUIRE_FALSE(refused);
  CHECK(refused.error().kind == ErrorKind::unsupported);
  CHECK_THAT(refused.error().message, contains("plugin mine has no kernel for softmax; it has gemm"));
}

TEST_CASE("a backend of no plugin is misuse") {
  CHECK_THROWS_AS(PluginBackend(nullptr), Misuse);
}
