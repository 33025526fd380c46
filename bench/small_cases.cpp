// components: openblas
// How long ten thousand small GEMM cases take: shapes up to 256³, every fill, float32, bfloat16 and float64 in turn, in this
// process and in isolated workers.
//
//   bench_small_cases [--cases N] [--jobs J]
//
// The kernels under test are OpenBLAS (float32, float64) and Assay's portable one (bfloat16, on smaller shapes, as it is
// slow). Printed are seconds as Markdown. Exit code: 0 if every case passed or was left undecided, else 1.

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "assay/adapters/openblas/gemm.hpp"
#include "assay/core/detect_environment.hpp"
#include "assay/suite/isolated_runner.hpp"
#include "assay/suite/serve_cases.hpp"
#include "assay/tensor/random_bits.hpp"
#include "assay/validators/gemm_suite.hpp"

namespace {

using namespace assay;

using F32 = Gemm<float32, float32, float32, float32>;
using F64 = Gemm<float64, float64, float64, float64>;
using Bf16 = Gemm<assay::bfloat16, assay::bfloat16, float32, assay::bfloat16>;

/// Extents up to `most`, primes and powers of two among them, evenly spread over sizes.
GemmShape shape_of(std::uint64_t number, std::uint32_t most) {
  const RandomBits bits = random_bits(1, number, 0);
  GemmShape shape;
  shape.problem.m = 1 + bits.words[0] % most;
  shape.problem.n = 1 + bits.words[1] % most;
  shape.problem.k = 1 + bits.words[2] % most;
  shape.fills.assign(all_fill_kinds.begin(), all_fill_kinds.end());
  return shape;
}

Suite suite_of(std::size_t cases) {
  Suite suite;
  GemmSuiteOptions options[3];
  for (std::uint64_t number = 0; number * all_fill_kinds.size() < cases; ++number)
    options[number % 3].shapes.push_back(shape_of(number, number % 3 == 2 ? 64 : 256));
  add_gemm_cases<F32>(suite, Host(), gemm_subject<F32>(OpenBlas()), options[0]);
  add_gemm_cases<F64>(suite, Host(), gemm_subject<F64>(OpenBlas()), options[1]);
  add_gemm_cases<Bf16>(suite, Host(), portable_gemm_subject<Bf16>(Host()), options[2]);
  for (std::size_t i = 0; i < suite.size(); ++i) suite[i].id += "#" + std::to_string(i);  // shapes may repeat
  suite.resize(cases < suite.size() ? cases : suite.size());
  return suite;
}

}  // namespace

int main(int count, char** arguments) {
  std::size_t cases = 10000;
  RunOptions options;
  options.jobs = 2;
  for (int i = 1; i + 1 < count; i += 2) {
    if (std::strcmp(arguments[i], "--cases") == 0) cases = static_cast<std::size_t>(std::atoll(arguments[i + 1]));
    if (std::strcmp(arguments[i], "--jobs") == 0) options.jobs = static_cast<unsigned>(std::atoi(arguments[i + 1]));
  }
  const Suite suite = suite_of(cases);
  if (std::getenv("ASSAY_WORKER_CHANNEL") != nullptr) return serve_cases(suite) ? 0 : 2;

  std::vector<std::size_t> chosen(suite.size());
  for (std::size_t i = 0; i < chosen.size(); ++i) chosen[i] = i;
  NullObserver observer;
  IsolationOptions isolation;
  isolation.command = {"/proc/self/exe", "--cases", std::to_string(cases)};
  const auto timed = [&](const char* way, const auto& run_all) {
    const Run run = run_all();
    std::printf("| %s | %zu | %u | %.1f | %.2f | %zu | %zu | %zu |\n", way, run.outcomes.size(), options.jobs,
                run.duration_seconds, 1e3 * run.duration_seconds / static_cast<double>(run.outcomes.size()),
                run.count(Verdict::pass), run.count(Verdict::inconclusive),
                run.count(Verdict::fail) + run.count(Verdict::error));
    for (const Outcome& outcome : run.outcomes)
      if (outcome.verdict == Verdict::fail || outcome.verdict == Verdict::error)
        std::fprintf(stderr, "%s: %s\n", outcome.id.c_str(), outcome.reason.c_str());
    return run.exit_code() == 0;
  };
  std::printf(
      "| way | cases | jobs | seconds | ms a case | passed | undecided | failed "
      "|\n|---|---|---|---|---|---|---|---|\n");
  const bool isolated = timed(
      "isolated", [&] { return run_isolated(suite, chosen, options, isolation, detect_environment(), observer); });
  const bool together =
      timed("in process", [&] { return run_suite(suite, chosen, options, detect_environment(), observer); });
  return isolated && together ? 0 : 1;
}
