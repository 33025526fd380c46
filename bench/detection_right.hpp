#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "detection_gemm.hpp"

/// Many validations of right GEMM kernels.
namespace detection {

struct RightKernels {
  std::size_t total = 0, accused = 0, inconclusive = 0;
  double worst_ratio = 0;
  std::vector<std::string> accusations;
};

/// Validation i belongs to stratum i mod (formats × patterns × K × orders × scalings), so that all strata are equally
/// full.
[[nodiscard]] inline RightKernels validate_right_kernels(std::size_t count, std::uint64_t seed) {
  constexpr std::array<Index, 9> ks{1, 17, 64, 256, 1000, 3000, 6144, 11008, 14336};
  struct One {
    Verdict verdict = Verdict::error;
    double ratio = 0;
    std::string what;
  };
  Host host;
  auto stream = host.make_stream();
  const auto validate = [&]<class Op>(std::size_t stratum, One& one) {
    const auto next = [&](std::size_t choices) {
      const std::size_t choice = stratum % choices;
      stratum /= choices;
      return choice;
    };
    const FillKind fill = all_fill_kinds[next(all_fill_kinds.size())];
    GemmProblem problem;
    problem.k = ks[next(ks.size())];
    problem.m = problem.n = problem.k >= 3000 ? 6 : 16;
    const SummationOrder order = all_summation_orders[next(all_summation_orders.size())];
    const std::size_t scaling = next(3);
    if (scaling == 1) problem.beta = 1;
    if (scaling == 2) problem.alpha = 0.75, problem.beta = -1.5;
    const Outcome outcome = check_gemm<Op>(host, emulated_gemm_subject<Op>(order, std::nullopt, 0, host), problem, fill,
                                           {}, CaseContext{case_seed(seed, "right/" + std::to_string(stratum)), 1});
    one.verdict = outcome.verdict;
    one.ratio = outcome.measurement(measurement::worst_error_ratio).value_or(0);
    if (one.verdict != Verdict::pass && one.verdict != Verdict::inconclusive)
      one.what = Op::formats() + " " + name_of(problem) + " " + std::string(name_of(fill)) + " " +
                 std::string(name_of(order)) + ": " + outcome.reason;
  };
  RightKernels all;
  constexpr std::size_t part = 2000;
  for (std::size_t start = 0; start < count; start += part) {
    std::vector<One> ones(std::min(part, count - start));
    (void)host.parallel_for(stream.value(), ones.size(), [&](std::size_t index) {
      const std::size_t i = start + index;
      if (i % 3 == 0)
        validate.template operator()<Bf16Gemm>(i / 3, ones[index]);
      else if (i % 3 == 1)
        validate.template operator()<F16Gemm>(i / 3, ones[index]);
      else
        validate.template operator()<F32Gemm>(i / 3, ones[index]);
    });
    for (const One& one : ones) {
      ++all.total;
      all.inconclusive += one.verdict == Verdict::inconclusive ? 1 : 0;
      all.worst_ratio = std::max(all.worst_ratio, one.ratio);
      if (one.what.empty()) continue;
      ++all.accused;
      if (all.accusations.size() < 20) all.accusations.push_back(one.what);
    }
    std::fprintf(stderr, "\r%zu of %zu right kernels", start + ones.size(), count);
  }
  std::fprintf(stderr, "\n");
  return all;
}

}  // namespace detection
