#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "assay/faults/common_fault.hpp"
#include "assay/faults/emulated_gemm.hpp"
#include "assay/faults/fault_corpus.hpp"
#include "assay/faults/unseen_faults.hpp"
#include "assay/validators/failures/diagnose_gemm.hpp"
#include "assay/validators/gemm_operand_array.hpp"
#include "assay/validators/gemm_suite.hpp"

namespace assay::inline v0 {

namespace detail {

/// A GEMM on operands whose formats are data, as the common faults want it.
template <class Op>
[[nodiscard]] Result<void> launch_with(CommonFault& fault, const GemmSubject<Op>& right, const GemmProblem& problem,
                                       const typename Op::Arguments& arguments) {
  const std::vector<OperandSpec> specs{{"A", OperandRole::input, element_format<typename Op::FormatA>(), {}, true},
                                       {"B", OperandRole::input, element_format<typename Op::FormatB>(), {}, true},
                                       {"C",
                                        problem.beta == 0 ? OperandRole::output : OperandRole::updated,
                                        element_format<typename Op::FormatC>(),
                                        {},
                                        true}};
  return fault.launch(specs, operands_of(arguments),
                      [&](const OperandArray& own) { return right.run(problem, arguments_of<Op>(own)); });
}

/// Runs a kernel on one problem and observes it.
template <class Op>
[[nodiscard]] Result<ObservedLaunch> observe_gemm_on(Host& host, const GemmSubject<Op>& subject,
                                                     const GemmProblem& problem, const GemmData& data) {
  const auto layout = lay_out(problem);
  if (!layout) return layout.propagate();
  auto stream = host.make_stream();
  if (!stream) return stream.propagate();
  auto operands = GemmOperands<Op, Host>::create(host, stream.value(), problem, layout.value(), data);
  if (!operands) return operands.propagate();
  const auto arguments = operands.value().arguments();
  if (auto done = subject.run(problem, arguments); !done) return done.propagate();
  const auto memory = operands.value().inspect_memory();
  if (!memory) return memory.propagate();
  const auto before = operands.value().arguments_before();
  if (!before) return before.propagate();
  const ExplainedGemmBound explained =
      gemm_bound(problem, subject.accumulation(problem), data.model, data.terms, gemm_needs_double_double<Op>);
  auto reference =
      gemm_reference<Op>(host, stream.value(), problem, before.value(), explained.bound, {GemmScales::exact});
  if (!reference) return reference.propagate();
  Outcome found;
  judge_memory(memory.value(), found);
  ObservedLaunch launch;
  launch.memory_findings = found.diagnosis;
  LaunchOutput output{"C", element_format<typename Op::FormatC>(), problem.batch * problem.m, problem.n, {}, {}};
  const Operand c = operand_of(arguments.c);
  const auto expected = reference.value().expected();
  for (Index e = 0; e < c.size(); ++e) {
    output.computed.push_back(c.load(e));
    output.expected.push_back(expected(e / problem.n, e % problem.n));
  }
  launch.outputs.push_back(std::move(output));
  return launch;
}

/// What `assay::compiled` has of a product's kernels under observation, defined in
/// detail/observed_gemm_on_host_definition.hpp.
template <class Op>
struct ObservedGemmOnHost {
  [[nodiscard]] static Result<ObservedLaunch> observe(Host& host, const GemmSubject<Op>& subject,
                                                      const GemmProblem& problem, const GemmData& data);
};

template <class Op>
[[nodiscard]] Result<ObservedLaunch> observe_gemm(Host& host, const GemmSubject<Op>& subject,
                                                  const GemmProblem& problem, const GemmData& data) {
  if constexpr (gemm_compiled_on_host<Op, Host>)
    return ObservedGemmOnHost<Op>::observe(host, subject, problem, data);
  else
    return observe_gemm_on<Op>(host, subject, problem, data);
}

}  // namespace detail

/// A right kernel with a common fault, of the corpus or of one's own; those of rounding are `emulated_gemm_subject`'s.
template <class Op>
[[nodiscard]] GemmSubject<Op> with_common_fault(GemmSubject<Op> right, AnyCommonFault fault) {
  GemmSubject<Op> subject = right;
  subject.name = "faulty-" + fault_of(fault).name;
  subject.run = [right = std::move(right), faulty = std::make_shared<CommonFault>(std::move(fault))](
                    const GemmProblem& problem, const typename Op::Arguments& arguments) {
    return detail::launch_with<Op>(*faulty, right, problem, arguments);
  };
  return subject;
}

/// The same of one that the corpus has. Misuse: another name.
template <class Op>
[[nodiscard]] GemmSubject<Op> with_common_fault(GemmSubject<Op> right, const std::string& fault) {
  return with_common_fault<Op>(std::move(right), common_fault_named(fault));
}

/// A right kernel that adds one term after another, but for one fault, of GEMM's own or common to all operations; a
/// local one strikes where the seed says. Misuse: another name.
template <class Op>
[[nodiscard]] GemmSubject<Op> faulty_gemm_subject(const std::string& fault, Host host, std::uint64_t seed = 1) {
  const auto named = [&](const std::vector<Fault>& faults) {
    return std::any_of(faults.begin(), faults.end(), [&](const Fault& other) { return other.name == fault; });
  };
  const bool rounds = std::any_of(rounding_faults().begin(), rounding_faults().end(),
                                  [&](const RoundingFault& other) { return other.fault.name == fault; });
  if (rounds || named(gemm_faults())) return emulated_gemm_subject<Op>(SummationOrder::sequential, fault, seed, host);
  return with_common_fault<Op>(emulated_gemm_subject<Op>(SummationOrder::sequential, std::nullopt, 0, host), fault);
}

/// A GEMM kernel as an entry of a corpus: right without a fault.
template <class Op>
[[nodiscard]] CorpusKernel corpus_kernel(Host host, GemmSubject<Op> subject, std::string name,
                                         std::optional<Fault> fault) {
  CorpusKernel kernel;
  kernel.operation = Op::name();
  kernel.name = std::move(name);
  kernel.formats = {Op::formats()};
  if (fault) kernel.invisible_because = proof_of_invisibility(kernel.operation, fault->name, Op::formats());
  kernel.launches = fault ? launches_to_see(fault->name) : 1;
  kernel.fault = std::move(fault);
  GemmSuiteOptions options;
  options.check.require_determinism = kernel.launches > 1;
  kernel.suite = [host, subject, options] {
    Suite suite;
    add_gemm_cases<Op>(suite, host, subject, options);
    return suite;
  };
  kernel.observe = [host, subject](const CorpusRun& how, const LaunchValidator& visit) mutable -> Result<void> {
    std::vector<std::pair<GemmProblem, FillKind>> cases;
    for (const GemmShape& shape : default_gemm_shapes())
      for (const FillKind fill : shape.fills)
        if (!shape.large) cases.emplace_back(shape.problem, fill);
    for (std::size_t i = how.first(cases.size()); i < cases.size(); i += how.step(cases.size())) {
      const auto& [problem, fill] = cases[i];
      const Case entry =
          detail::gemm_case<Op>(subject.name, problem, std::string(name_of(fill)), GemmCheckMethod::full);
      auto launch = detail::observe_gemm<Op>(
          host, subject, problem,
          gemm_data<Op>(fill, problem, subject.accumulation(problem), case_seed(how.seed, entry.id)));
      if (!launch) return launch.propagate();
      launch.value().case_id = entry.id;
      launch.value().labels = entry.labels;
      if (visit(launch.value())) return {};
    }
    return {};
  };
  return kernel;
}

/// Adds GEMM kernels of one choice of formats: right ones in every order of summation, GEMM's own faults, and the
/// common ones.
template <class Op>
void add_gemm_kernels(FaultCorpus& corpus, Host host) {
  for (const SummationOrder order : all_summation_orders)
    corpus.add(corpus_kernel<Op>(host, emulated_gemm_subject<Op>(order, std::nullopt, 0, host),
                                 std::string(name_of(order)), std::nullopt));
  const std::vector<Fault> own = gemm_faults();
  for (const Fault& fault : own)
    corpus.add(corpus_kernel<Op>(host, faulty_gemm_subject<Op>(fault.name, host), fault.name, fault));
  for (const Fault& fault : common_operation_faults())
    if (std::none_of(own.begin(), own.end(), [&](const Fault& other) { return other.name == fault.name; }))
      corpus.add(corpus_kernel<Op>(host, faulty_gemm_subject<Op>(fault.name, host), fault.name, fault));
}

}  // namespace assay::inline v0
