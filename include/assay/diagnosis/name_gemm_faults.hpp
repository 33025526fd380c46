#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "assay/diagnosis/name_faults.hpp"
#include "assay/faults/gemm_kernels.hpp"
#include "assay/validators/check_steps.hpp"

namespace assay::inline v0 {

namespace detail {

template <class Op>
[[nodiscard]] std::optional<NamedFault> name_gemm_fault(const GemmSubject<Op>& subject, const Fault& fault,
                                                        const GemmProblem& problem, FillKind fill, std::uint64_t seed,
                                                        const DiagnosisOptions& options) {
  Host host(1);
  const auto layout = lay_out(problem);
  auto stream = host.make_stream();
  if (!layout || !stream) return std::nullopt;
  const GemmData data = gemm_data<Op>(fill, problem, subject.accumulation(problem), seed);
  auto operands = GemmOperands<Op, Host>::create(host, stream.value(), problem, layout.value(), data);
  if (!operands || !subject.run(problem, operands.value().arguments())) return std::nullopt;
  const auto memory = operands.value().inspect_memory();
  if (!memory) return std::nullopt;
  Outcome found;
  judge_memory(memory.value(), found);
  const auto before = operands.value().arguments_before();
  if (!before) return std::nullopt;
  const ExplainedGemmBound explained =
      gemm_bound(problem, subject.accumulation(problem), data.model, data.terms, gemm_needs_double_double<Op>);
  auto reference =
      gemm_reference<Op>(host, stream.value(), problem, before.value(), explained.bound, {GemmScales::exact});
  if (!reference) return std::nullopt;
  const auto c = operands.value().arguments().c;
  const auto compared = compare(host, stream.value(), c, reference.value().expected(), ChosenTolerance{});
  if (!compared || (found.diagnosis.empty() && compared.value().violations == 0)) return std::nullopt;
  NamedFault named{Op::name(), fault.name, {}, fault.fault_class, {}, 0};
  const auto started = std::chrono::steady_clock::now();
  named.diagnoses = diagnose_gemm<Op>(subject, problem, data, before.value(), c, reference.value().expected(),
                                      ChosenTolerance{}, found.diagnosis, false, options);
  named.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  return named;
}

}  // namespace detail

/// The same of faulty GEMM kernels of one choice of formats. Local faults strike where the seed says.
template <class Op>
[[nodiscard]] std::vector<NamedFault> name_gemm_faults(const NameFaultsOptions& options) {
  constexpr Index most_products = 5000000;  // kernels are emulated element by element
  std::vector<NamedFault> all;
  std::vector<std::pair<GemmProblem, FillKind>> cases;
  std::vector<std::string> names;
  for (const GemmShape& shape : default_gemm_shapes())
    for (const FillKind fill : shape.fills) {
      const GemmProblem& problem = shape.problem;
      if (shape.large || problem.batch * problem.m * problem.n * problem.k > most_products) continue;
      cases.emplace_back(problem, fill);
      names.push_back(name_of(problem) + "/" + Op::formats() + "/" + std::string(name_of(fill)));
    }
  const auto try_kernel = [&](const Fault& fault, auto&& kernel) {
    detail::name_some(fault, proof_of_invisibility(Op::name(), fault.name, Op::formats()), names, options, all,
                      [&](std::size_t i, std::uint64_t seed) {
                        return detail::name_gemm_fault<Op>(kernel(seed), fault, cases[i].first, cases[i].second, seed,
                                                           options.diagnosis);
                      });
  };
  for (const AnyCommonFault& other : options.others)
    if (!std::holds_alternative<RoundingFault>(other))
      try_kernel(fault_of(other), [&](std::uint64_t) {
        return with_common_fault<Op>(emulated_gemm_subject<Op>(SummationOrder::sequential, std::nullopt, 0, Host(1)),
                                     other);
      });
  if (!options.others.empty()) return all;
  const auto try_fault = [&](const Fault& fault) {
    try_kernel(fault, [&](std::uint64_t seed) { return faulty_gemm_subject<Op>(fault.name, Host(1), seed); });
  };
  const std::vector<Fault> own = gemm_faults();
  for (const Fault& fault : own) try_fault(fault);
  for (const Fault& fault : common_operation_faults())
    if (std::none_of(own.begin(), own.end(), [&](const Fault& other) { return other.name == fault.name; }))
      try_fault(fault);
  return all;
}

}  // namespace assay::inline v0
