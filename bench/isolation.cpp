// What isolation costs: a suite of equal cases run in this process, in forked workers and in executed ones.
//
//   bench_isolation [--cases N] [--microseconds T] [--jobs J] [--rounds R]
//
// The work of a case is a fixed number of operations, about T microseconds of one idle core. Rounds interleave the
// three ways; printed are medians and their ratios, as Markdown. Exit code: 0, or 2 for wrong arguments.

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

#include "assay/suite/isolated_runner.hpp"
#include "assay/suite/serve_cases.hpp"
#include "timing.hpp"

namespace {

using namespace assay;

std::uint64_t work(std::uint64_t operations) {
  std::uint64_t state = operations | 1;
  for (std::uint64_t i = 0; i < operations; ++i) state = (state ^ state >> 29) * 0xBF58476D1CE4E5B9u;
  return state;
}

std::uint64_t operations_for(double seconds) {
  constexpr std::uint64_t probe = 2'000'000;
  volatile std::uint64_t sink = 0;
  double best = 1e9;
  for (int i = 0; i < 20; ++i) best = std::min(best, seconds_of([&] { sink = sink + work(probe); }));
  return static_cast<std::uint64_t>(seconds / best * static_cast<double>(probe));
}

/// Outcomes of the size that a passing case of a validator has.
Suite suite_of(std::size_t cases, std::uint64_t operations) {
  Suite suite(cases);
  for (std::size_t i = 0; i < cases; ++i) {
    suite[i].id = "work/host/f32.f32.f32/case=" + std::to_string(i) + "/uniform";
    suite[i].labels = {{"operation", "work"}, {"backend", "host"}, {"formats", "f32.f32.f32"}, {"data", "uniform"}};
    suite[i].run = [operations](const CaseContext& context) {
      Outcome outcome;
      outcome.verdict = work(operations ^ (context.seed & 1)) != 0 ? Verdict::pass : Verdict::fail;
      outcome.derivation.assign(6, std::string(100, 'd'));
      for (const char* name :
           {measurement::worst_error_ratio, measurement::max_ulp_error, measurement::elements,
            measurement::kernel_seconds, measurement::reference_seconds, measurement::comparison_seconds})
        outcome.measure(name, 1);
      return outcome;
    };
  }
  return suite;
}

bool read_number(const char* text, std::uint64_t& number) {
  const auto [end, code] = std::from_chars(text, text + std::strlen(text), number);
  return code == std::errc() && *end == '\0' && number > 0;
}

}  // namespace

int main(int argc, char** argv) {
  std::uint64_t cases = 10'000, microseconds = 1'000, jobs = 2, rounds = 3, operations = 0;
  bool understood = argc % 2 == 1;
  for (int i = 1; understood && i + 1 < argc; i += 2) {
    const std::string option = argv[i];
    std::uint64_t* const number = option == "--cases"          ? &cases
                                  : option == "--microseconds" ? &microseconds
                                  : option == "--jobs"         ? &jobs
                                  : option == "--rounds"       ? &rounds
                                  : option == "--operations"   ? &operations  // of a worker
                                                               : nullptr;
    understood = number != nullptr && read_number(argv[i + 1], *number);
  }
  if (!understood) {
    std::fputs("usage: bench_isolation [--cases N] [--microseconds T] [--jobs J] [--rounds R]\n", stderr);
    return 2;
  }
  if (operations > 0) return serve_cases(suite_of(cases, operations)) ? 0 : 2;

  operations = operations_for(static_cast<double>(microseconds) * 1e-6);
  const Suite suite = suite_of(cases, operations);
  std::vector<std::size_t> all(suite.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  RunOptions options;
  options.jobs = static_cast<unsigned>(jobs);
  options.reproduce_with = "bench run";
  IsolationOptions forked, executed;
  executed.command = {"/proc/self/exe", "--cases", std::to_string(cases), "--operations", std::to_string(operations)};
  NullObserver observer;
  std::vector<double> here, in_forks, in_programs;
  for (std::uint64_t round = 0; round < rounds; ++round) {
    here.push_back(seconds_of([&] { static_cast<void>(run_suite(suite, all, options, {}, observer)); }));
    in_forks.push_back(seconds_of([&] { static_cast<void>(run_isolated(suite, all, options, forked, {}, observer)); }));
    in_programs.push_back(
        seconds_of([&] { static_cast<void>(run_isolated(suite, all, options, executed, {}, observer)); }));
  }
  const double base = median(here);
  const auto added = [&](double seconds) { return (seconds - base) / static_cast<double>(cases) * 1e6; };
  std::printf("%llu cases of %llu µs, %llu at a time, medians of %llu\n\n", static_cast<unsigned long long>(cases),
              static_cast<unsigned long long>(microseconds), static_cast<unsigned long long>(jobs),
              static_cast<unsigned long long>(rounds));
  std::printf("| | s | ratio | µs more a case |\n|---|---|---|---|\n| in this process | %.3f | 1 | |\n", base);
  std::printf("| forked workers | %.3f | %.3f | %.1f |\n", median(in_forks), median(in_forks) / base,
              added(median(in_forks)));
  std::printf("| executed workers | %.3f | %.3f | %.1f |\n", median(in_programs), median(in_programs) / base,
              added(median(in_programs)));
  return 0;
}
