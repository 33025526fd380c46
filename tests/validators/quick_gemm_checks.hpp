#pragma once

#include <string>

#include "assay/validators/check_gemm_residual.hpp"
#include "assay/validators/check_gemm_sampled.hpp"
#include "validators/gemm_checks.hpp"

namespace assay::testing {

template <class Op>
Outcome check_residual(const GemmSubject<Op>& subject, const GemmProblem& problem, FillKind fill,
                       std::uint64_t seed = 1, const GemmCheckOptions& options = {}, unsigned repetitions = 1,
                       unsigned vectors = 4) {
  return check_gemm_residual<Op>(shared_host(), subject, problem, fill, options, CaseContext{seed, repetitions},
                                 vectors);
}
template <class Op>
Outcome check_sampled(const GemmSubject<Op>& subject, const GemmProblem& problem, FillKind fill, std::uint64_t seed = 1,
                      const GemmCheckOptions& options = {}, unsigned repetitions = 1, Index samples = 0) {
  return check_gemm_sampled<Op>(shared_host(), subject, problem, fill, options, CaseContext{seed, repetitions},
                                samples);
}

/// A correct kernel that does something more after each run; `after(problem, arguments, run number)`.
template <class Op, class After>
GemmSubject<Op> spoiled(After after) {
  GemmSubject<Op> subject;
  subject.name = "spoiled";
  auto runs = std::make_shared<int>(0);
  subject.run = [after, runs, right = correct<Op>()](const GemmProblem& problem,
                                                     const typename Op::Arguments& arguments) -> Result<void> {
    if (auto run = right.run(problem, arguments); !run) return run;
    after(problem, arguments, ++*runs);
    return {};
  };
  return subject;
}

inline constexpr int trials = 4;

/// How often a fault is caught in as many trials, each with its own data and place.
template <class Op, class Check>
int caught(const Check& check, const std::string& fault, const GemmProblem& problem, FillKind fill) {
  int times = 0;
  for (std::uint64_t seed = 1; seed <= trials; ++seed)
    times += check(faulty<Op>(fault, seed * 977), problem, fill, seed).verdict == Verdict::fail;
  return times;
}

/// The verdicts of correct kernels that add in every order, on every pattern of data, in sizes whose edges differ.
struct Population {
  int checked = 0, accused = 0, inconclusive = 0, silent = 0;
  double worst = 0;
  std::string example;
};

template <class Op, class Check>
Population check_population(const Check& check) {
  Population population;
  std::uint64_t seed = 0;
  for (SummationOrder order : all_summation_orders) {
    for (FillKind fill : all_fill_kinds) {
      for (Index k : {1, 33, 300}) {
        for (auto [alpha, beta] : {std::pair{1.0, 0.0}, std::pair{1.0, 1.0}, std::pair{0.75, -1.5}}) {
          GemmProblem problem = gemm_of(6, seed % 3 == 0 ? 19 : 7, k, 1 + static_cast<Index>(seed % 2));
          problem.alpha = alpha;
          problem.beta = beta;
          problem.order = seed % 5 < 2 ? StorageOrder::column_major : StorageOrder::row_major;
          problem.transpose_a = seed % 7 < 3;
          const Outcome outcome = check(correct<Op>(order), problem, fill, ++seed);
          ++population.checked;
          if (outcome.verdict == Verdict::inconclusive)
            ++population.inconclusive;
          else
            population.worst =
                std::max(population.worst, outcome.measurement(measurement::worst_error_ratio).value_or(0));
          if (outcome.reason.empty() || outcome.label("check").empty()) ++population.silent;
          if (outcome.verdict == Verdict::pass || outcome.verdict == Verdict::inconclusive) continue;
          ++population.accused;
          population.example = name_of(problem) + ' ' + std::string(name_of(fill)) + ' ' + std::string(name_of(order)) +
                               ": " + said(outcome);
        }
      }
    }
  }
  return population;
}

}  // namespace assay::testing
