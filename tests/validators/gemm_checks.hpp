#pragma once

#include <optional>
#include <string>
#include <vector>

#include "assay/backends/host.hpp"
#include "assay/faults/emulated_gemm.hpp"
#include "assay/tolerance/tolerance_named.hpp"
#include "assay/validators/check_gemm.hpp"

namespace assay::testing {

using Bf16Gemm = Gemm<bfloat16, bfloat16, float32, bfloat16>;
using F16Gemm = Gemm<float16, float16, float32, float16>;
using F32Gemm = Gemm<float32, float32, float32, float32>;

inline GemmProblem gemm_of(Index m, Index n, Index k, Index batch = 1) {
  GemmProblem problem;
  problem.m = m;
  problem.n = n;
  problem.k = k;
  problem.batch = batch;
  return problem;
}

inline Host& shared_host() {
  static Host host(2);
  return host;
}

template <class Op>
Outcome check(const GemmSubject<Op>& subject, const GemmProblem& problem, FillKind fill, std::uint64_t seed = 1,
              const GemmCheckOptions& options = {}, unsigned repetitions = 1) {
  return check_gemm<Op>(shared_host(), subject, problem, fill, options, CaseContext{seed, repetitions});
}

template <class Op>
GemmSubject<Op> correct(SummationOrder order = SummationOrder::sequential) {
  return emulated_gemm_subject<Op>(order, std::nullopt, 0, shared_host());
}
template <class Op>
GemmSubject<Op> faulty(const std::string& fault, std::uint64_t seed = 1,
                       SummationOrder order = SummationOrder::sequential) {
  return emulated_gemm_subject<Op>(order, fault, seed, shared_host());
}

/// Reason and findings in one text, for searching.
inline std::string said(const Outcome& outcome) {
  std::string text = outcome.reason;
  for (const std::string& finding : outcome.diagnosis) text += '\n' + finding;
  return text;
}

inline GemmCheckOptions with_tolerance(const std::string& name) {
  GemmCheckOptions options;
  options.tolerance = tolerance_named(name).value();
  return options;
}

}  // namespace assay::testing
