#include "assay/plugin/plugin_subject.hpp"

#include <algorithm>
#include <csignal>
#include <string>
#include <vector>

#include "assay/backends/host.hpp"
#include "assay/kernels/elementwise/elementwise.hpp"
#include "assay/suite/isolated_runner.hpp"
#include "assay/suite/runner.hpp"
#include "assay/validators/check_gemm.hpp"
#include "assay/validators/operation_suite.hpp"
#include "plugin/kernels.hpp"
#include "testing/catch.hpp"

using namespace assay;
using testing::contains;
using testing::OneKernelPlugin;
using testing::PluginRun;

namespace {

PluginBackend backend_of(const OneKernelPlugin& given) {
  return PluginBackend(describe_plugin(&given.plugin, "x").value());
}

ElementwiseProblem relu_of(Index rows, Index columns) {
  ElementwiseProblem problem;
  problem.function = ElementwiseFunction::relu;
  problem.rank = 2;
  problem.extents[0] = rows;
  problem.extents[1] = columns;
  return problem;
}

/// A kernel of relu on rows with gaps between them and odd addresses.
Outcome checked(PluginRun compute, unsigned repetitions = 1) {
  OneKernelPlugin given("relu", std::move(compute));
  Host host(1);
  OperationCheckOptions options;
  options.storage = {3, 1};
  return check_operation<Elementwise>(host, plugin_operation_subject<Elementwise>(backend_of(given)), relu_of(5, 33),
                                      FillKind::normal, options, {7, repetitions});
}

/// The right kernel, after which `spoil` has its way.
template <class Spoil>
Outcome checked_after(Spoil spoil) {
  return checked([spoil](const assay_plugin_problem& problem, const assay_plugin_launch& launch) {
    const std::int32_t status = testing::right_relu(problem, launch);
    spoil(*problem.tensors[0], *problem.tensors[3]);
    return status;
  });
}

void check_error(const Outcome& outcome, Verdict verdict, const std::string& words) {
  INFO(outcome.reason);
  CHECK(outcome.verdict == verdict);
  CHECK_THAT(outcome.reason, contains(words));
}

}  // namespace

TEST_CASE("a right kernel of a plugin is never accused, and what it does not take is unsupported") {
  OneKernelPlugin given("relu", testing::right_relu);
  given.kernel.supports = [](void*, const assay_plugin_problem* problem, char* reason,
                             std::uint64_t capacity) -> std::int32_t {
    const bool propagates = std::strcmp(assay_plugin_find_attribute(problem, "nan_policy")->text, "propagate") == 0;
    if (!propagates) std::snprintf(reason, static_cast<std::size_t>(capacity), "NaNs are propagated");
    return propagates ? 1 : 0;
  };
  Host host(1);
  Suite all, suite;
  add_operation_cases<Elementwise>(all, host, plugin_operation_subject<Elementwise>(backend_of(given)));
  for (Case& entry : all)
    if (entry.labels.at("operation") == "relu") suite.push_back(std::move(entry));
  std::vector<std::size_t> chosen(suite.size());
  for (std::size_t i = 0; i < suite.size(); ++i) chosen[i] = i;
  NullObserver observer;
  const Run run = run_suite(suite, chosen, {}, {}, observer);
  std::size_t passed = 0;
  for (const Outcome& outcome : run.outcomes) {
    INFO(outcome.id << ": " << outcome.reason);
    CHECK(outcome.label("backend") == "mine");
    if (outcome.label("formats") == "f32.f32")
      CHECK((outcome.verdict == Verdict::pass || outcome.verdict == Verdict::unsupported));
    else
      CHECK(outcome.verdict == Verdict::unsupported);
    passed += outcome.verdict == Verdict::pass ? 1 : 0;
  }
  CHECK(passed > 10);
}

TEST_CASE(
    "a plugin's GEMM is judged on transposed, batched, scaled and updated matrices, by the accumulator that it "
    "promises") {
  using Op = Gemm<float32, float32, float32, float32>;
  GemmProblem problem;
  problem.m = 17;
  problem.n = 9;
  problem.k = 1500;
  problem.batch = 2;
  problem.transpose_a = true;
  problem.alpha = -1.5;
  problem.beta = 0.5;
  problem.leading_dimension_c = 11;
  const auto verdict = [&](const char* accumulator, PluginRun compute) {
    OneKernelPlugin given("gemm", std::move(compute));
    given.kernel.accumulator = accumulator;
    Host host(1);
    const GemmSubject<Op> subject = plugin_gemm_subject<Op>(backend_of(given));
    const GemmData data = gemm_data<Op>(FillKind::uniform, problem, subject.accumulation(problem), 3);
    return check_gemm<Op>(host, subject, problem, data, GemmCheckOptions{}, {3, 1}).verdict;
  };
  CHECK(verdict(nullptr, testing::right_gemm<float>) == Verdict::pass);
  CHECK(verdict("f32", testing::right_gemm<float, double>) == Verdict::pass);
  CHECK(verdict("f64", testing::right_gemm<float, double>) == Verdict::pass);
  CHECK(verdict("f64", testing::right_gemm<float>) == Verdict::fail);
  CHECK(verdict("f32", [](const assay_plugin_problem& given, const assay_plugin_launch& launch) {
          for (std::int64_t i = 0; i < testing::elements(*given.tensors[2]); ++i)
            testing::element<float>(*given.tensors[2], i) = 0;
          return testing::right_gemm<float>(given, launch);  // as if beta were 0
        }) == Verdict::fail);
}

TEST_CASE("what a kernel does to memory is found out as for any backend") {
  CHECK(checked(testing::right_relu).verdict == Verdict::pass);
  check_error(checked([](const auto&, const auto&) { return std::int32_t{ASSAY_PLUGIN_OK}; }), Verdict::fail,
              "165 elements of output were never written");
  check_error(checked_after([](const auto&, const auto& output) { testing::element<float>(output, 7) = NAN; }),
              Verdict::fail, "1 of 165 elements");
  check_error(checked_after([](const auto& x, const auto&) { testing::element<float>(x, 7) = 42; }), Verdict::fail,
              "input x was modified");
  check_error(checked_after([](const auto&, const auto& output) { (&testing::element<float>(output, 32))[1] = 0; }),
              Verdict::fail, "elements between the rows of output were overwritten");
  check_error(checked_after([](const auto&, const auto& output) {
                float* const end = &testing::element<float>(output, 164) + 4;
                for (int i = 0; i < 64; ++i) end[i] = 0;
              }),
              Verdict::fail, "canary of output overwritten");
  check_error(checked([](const assay_plugin_problem& problem, const assay_plugin_launch& launch) {
                static_cast<void>(testing::right_relu(problem, launch));
                return std::int32_t{99};
              }),
              Verdict::error, "run returned 99");
}

TEST_CASE("a kernel that differs from run to run is told of") {
  int runs = 0;
  const Outcome outcome = checked(
      [&](const assay_plugin_problem& problem, const assay_plugin_launch& launch) {
        const std::int32_t status = testing::right_relu(problem, launch);
        if (++runs == 2) testing::element<float>(*problem.tensors[3], 0) += 1;
        return status;
      },
      3);
  CHECK(outcome.verdict == Verdict::fail);
  CHECK_THAT(outcome.reason, contains("run 2 of 3"));
}

TEST_CASE("a plugin that crashes, aborts or hangs costs one case where cases are isolated") {
  const auto fault_by_rows = [](const assay_plugin_problem& problem,
                                const assay_plugin_launch& launch) -> std::int32_t {
    switch (problem.tensors[0]->array.shape[0]) {
      case 2: std::raise(SIGSEGV); break;
      case 3: std::abort();
      case 4:
        for (;;) ::pause();
      default: break;
    }
    return testing::right_relu(problem, launch);
  };
  OneKernelPlugin given("relu", fault_by_rows);
  Suite suite;
  std::set<std::string> ids;
  const auto host = std::make_shared<Host>(1);  // no threads, which forked workers would miss
  const auto subject =
      std::make_shared<const OperationSubject<Elementwise>>(plugin_operation_subject<Elementwise>(backend_of(given)));
  for (Index rows = 1; rows <= 5; ++rows)
    detail::add_operation_case<Elementwise>(suite, host, subject, {relu_of(rows, 8), {FillKind::normal}},
                                            FillKind::normal, {}, ids);
  IsolationOptions isolation;
  isolation.timeout_seconds = 2;
  NullObserver observer;
  const Run run = run_isolated(suite, {0, 1, 2, 3, 4}, {}, isolation, {}, observer);
  REQUIRE(run.outcomes.size() == 5);
  CHECK(run.outcomes[0].verdict == Verdict::pass);
  check_error(run.outcomes[1], Verdict::error, "signal 11");
  check_error(run.outcomes[2], Verdict::error, "signal 6");
  CHECK(run.outcomes[3].verdict == Verdict::error);
  CHECK(run.outcomes[3].label("ended") == "timeout");
  CHECK(run.outcomes[4].verdict == Verdict::pass);
}
