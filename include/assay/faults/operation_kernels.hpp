#pragma once

#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "assay/backends/host.hpp"
#include "assay/faults/fault_corpus.hpp"
#include "assay/faults/operation_faults.hpp"
#include "assay/faults/unseen_faults.hpp"
#include "assay/validators/operation_suite.hpp"

namespace assay::inline v0 {

namespace detail {

/// An output and its reference, on the host.
template <class Expected>
[[nodiscard]] LaunchOutput launch_output(const OperandSpec& spec, const Operand& operand, const Expected& expected,
                                         bool judges_itself) {
  LaunchOutput output;
  output.name = spec.name;
  output.format = spec.format;
  const Index size = operand.size();
  output.columns = operand.rank > 0 ? operand.extents[operand.rank - 1] : 1;
  output.rows = output.columns > 0 ? size / output.columns : 0;
  for (Index e = 0; e < size; ++e) output.computed.push_back(operand.load(e));
  if (judges_itself) return output;
  for (Index e = 0; e < size; ++e) output.expected.push_back(expected(e / output.columns, e % output.columns));
  return output;
}

/// Runs a kernel on one problem and observes it.
template <Operation Op>
[[nodiscard]] Result<ObservedLaunch> observe_launch_on(Host& host, const OperationSubject<Op>& subject,
                                                       const typename Op::Problem& problem, FillKind kind,
                                                       std::uint64_t seed) {
  auto specs = Op::operands(problem);
  if (!specs) return specs.propagate();
  auto stream = host.make_stream();
  if (!stream) return stream.propagate();
  const Arithmetic arithmetic = subject.arithmetic(problem);
  const OperationData data = Op::data(problem, kind, arithmetic, seed);
  auto memory = OperationMemory<Host>::create(host, stream.value(), std::move(specs).value(), data, {});
  if (!memory) return memory.propagate();
  if (auto done = subject.run(problem, memory.value().operands()); !done) return done.propagate();
  auto findings = memory.value().inspect();
  if (!findings) return findings.propagate();
  const auto before = memory.value().operands_before();
  if (!before) return before.propagate();
  auto reference = Op::reference(host, stream.value(), problem, before.value(), data.model, arithmetic);
  if (!reference) return reference.propagate();
  ObservedLaunch launch;
  launch.memory_findings = std::move(findings).value();
  auto expected = reference.value().expected;
  const OperandArray operands = memory.value().operands();
  int written = 0;
  for (std::size_t i = 0; i < memory.value().specs().size(); ++i) {
    const OperandSpec& spec = memory.value().specs()[i];
    if (spec.role == OperandRole::input) continue;
    expected.output = written++;
    if (spec.present)
      launch.outputs.push_back(launch_output(spec, operands[static_cast<int>(i)], expected, JudgesItself<Op>));
  }
  return launch;
}

/// What `assay::compiled` has of an operation's kernels under observation, defined in
/// detail/observed_on_host_definition.hpp.
template <Operation Op>
struct ObservedOnHost {
  [[nodiscard]] static Result<ObservedLaunch> observe(Host& host, const OperationSubject<Op>& subject,
                                                      const typename Op::Problem& problem, FillKind kind,
                                                      std::uint64_t seed);
};

template <Operation Op>
[[nodiscard]] Result<ObservedLaunch> observe_launch(Host& host, const OperationSubject<Op>& subject,
                                                    const typename Op::Problem& problem, FillKind kind,
                                                    std::uint64_t seed) {
  if constexpr (compiled_on_host<Op, Host>)
    return ObservedOnHost<Op>::observe(host, subject, problem, kind, seed);
  else
    return observe_launch_on<Op>(host, subject, problem, kind, seed);
}

/// Visits cases of an operation's default suite that are not large.
template <Operation Op>
[[nodiscard]] Result<void> observe_cases(Host& host, const OperationSubject<Op>& subject, const CorpusRun& how,
                                         const std::vector<ElementFormat>& formats, const LaunchValidator& visit) {
  std::set<std::string> ids;
  std::vector<std::tuple<Case, typename Op::Problem, FillKind>> cases;
  for (const ElementFormat& format : formats)
    for (const OperationShape<typename Op::Problem>& shape : Op::shapes(format))
      for (const FillKind fill : shape.fills) {
        Case entry = operation_case<Op>(subject.name, shape.problem, std::string(name_of(fill)));
        if (!shape.large && ids.insert(entry.id).second) cases.emplace_back(std::move(entry), shape.problem, fill);
      }
  for (std::size_t i = how.first(cases.size()); i < cases.size(); i += how.step(cases.size())) {
    const auto& [entry, problem, fill] = cases[i];
    auto launch = observe_launch<Op>(host, subject, problem, fill, case_seed(how.seed, entry.id));
    if (!launch && launch.error().kind == ErrorKind::unsupported) continue;
    if (!launch) return launch.propagate();
    launch.value().case_id = entry.id;
    launch.value().labels = entry.labels;
    if (visit(launch.value())) return {};
  }
  return {};
}

}  // namespace detail

/// A kernel of an operation as an entry of a corpus: right without a fault. `options` say of which formats its suite
/// is, and whether and by whom failures are diagnosed; that runs have to give the same bits follows from the fault.
template <Operation Op>
[[nodiscard]] CorpusKernel corpus_kernel(Host host, OperationSubject<Op> subject, std::optional<Fault> fault,
                                         OperationSuiteOptions options = {}) {
  CorpusKernel kernel;
  kernel.operation = Op::name();
  kernel.name = subject.name;
  if (fault) kernel.invisible_because = proof_of_invisibility(Op::name(), fault->name);
  kernel.launches = fault ? launches_to_see(fault->name) : 1;
  kernel.fault = std::move(fault);
  options.check.require_determinism = kernel.launches > 1;
  for (const ElementFormat& format : options.formats) kernel.formats.emplace_back(format.name);
  auto shared = std::make_shared<const OperationSubject<Op>>(std::move(subject));
  kernel.suite = [host, shared, options] {
    Suite suite;
    add_operation_cases<Op>(suite, host, *shared, options);
    return suite;
  };
  kernel.observe = [host, shared, formats = options.formats](const CorpusRun& how,
                                                             const LaunchValidator& visit) mutable {
    return detail::observe_cases<Op>(host, *shared, how, formats, visit);
  };
  return kernel;
}

/// Adds all that `OperationFaults<Op>` has, and the common faults, done to its first right kernel.
template <Operation Op>
void add_operation_kernels(FaultCorpus& corpus, Host host) {
  for (OperationSubject<Op>& right : OperationFaults<Op>::correct())
    corpus.add(corpus_kernel<Op>(host, std::move(right), std::nullopt));
  for (const Fault& fault : OperationFaults<Op>::faults())
    corpus.add(corpus_kernel<Op>(host, OperationFaults<Op>::faulty(fault.name), fault));
  for (const Fault& fault : common_operation_faults())
    corpus.add(
        corpus_kernel<Op>(host, with_common_fault<Op>(OperationFaults<Op>::correct().front(), fault.name), fault));
}

}  // namespace assay::inline v0
