#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "assay/backends/host.hpp"
#include "assay/core/outcome.hpp"
#include "assay/suite/case.hpp"
#include "assay/validators/check_steps.hpp"
#include "assay/validators/describe_comparison.hpp"
#include "assay/validators/detail/operation_case.hpp"
#include "assay/validators/operation_memory.hpp"
#include "assay/validators/operation_subject.hpp"
#include "assay/validators/relations/relation.hpp"

namespace assay::inline v0 {

namespace detail {

/// Values of all operands that are read, as a pattern gives them.
template <Operation Op, ParallelBackend W>
[[nodiscard]] Result<RelatedLaunch<Op>> patterned_launch(W& worker, typename W::Stream& stream,
                                                         const typename Op::Problem& problem,
                                                         const OperationData& data) {
  auto specs = Op::operands(problem);
  if (!specs) return specs.propagate();
  auto memory = OperationMemory<W>::create(worker, stream, std::move(specs).value(), data, {});
  if (!memory) return memory.propagate();
  RelatedLaunch<Op> launch{problem, {}};
  const OperandArray operands = memory.value().operands();
  for (const OperandSpec& spec : memory.value().specs()) {
    std::vector<double> values;
    if (spec.present && spec.role != OperandRole::output) {
      const Operand& operand = operands[static_cast<int>(launch.operands.size())];
      for (Index e = 0; e < operand.size(); ++e) values.push_back(operand.load(e));
    }
    launch.operands.push_back(std::move(values));
  }
  return launch;
}

/// Runs a kernel on a launch's inputs, rounded to their formats, and puts what it wrote in their place; or tells what
/// it did to memory.
template <Operation Op, ParallelBackend W>
[[nodiscard]] Result<std::vector<std::string>> run_launch(W& worker, typename W::Stream& stream,
                                                          const OperationSubject<Op>& subject,
                                                          RelatedLaunch<Op>& launch) {
  auto specs = Op::operands(launch.problem);
  if (!specs) return specs.propagate();
  OperationData data;
  for (const std::vector<double>& values : launch.operands)
    data.operands.push_back(values.empty() ? OperandFill{} : OperandFill::of(values));
  auto memory = OperationMemory<W>::create(worker, stream, std::move(specs).value(), data, {});
  if (!memory) return memory.propagate();
  const OperandArray operands = memory.value().operands();
  if (auto done = subject.run(launch.problem, operands); !done) return done.propagate();
  auto findings = memory.value().inspect();
  if (!findings) return findings;
  for (std::size_t i = 0; i < launch.operands.size(); ++i) {
    if (!memory.value().specs()[i].present) continue;
    const Operand& operand = operands[static_cast<int>(i)];
    launch.operands[i].resize(static_cast<std::size_t>(operand.size()));
    for (Index e = 0; e < operand.size(); ++e) launch.operands[i][static_cast<std::size_t>(e)] = operand.load(e);
  }
  return findings;
}

/// Judges what a relation says of some values; returns how many were judged.
std::size_t judge_related(const RelatedValues& values, const std::string& relation, Outcome& outcome);

}  // namespace detail

/// Whether a kernel keeps a relation, on one problem and one pattern of data. No reference is computed: time and memory
/// are those of the launches.
///
/// The verdict is `fail` where the relation does not hold or memory was written that is not the kernel's;
/// `inconclusive` where no element could be judged; `unsupported` where the relation does not hold of such problems, or
/// the subject refuses. The derivation says what the relation states and what it cannot see.
template <Operation Op, ParallelBackend W>
[[nodiscard]] Outcome check_relation(W& worker, const OperationSubject<Op>& subject,
                                     const typename Op::Problem& problem, const Relation<Op>& relation, FillKind kind,
                                     const CaseContext& context) {
  static_assert(backend_runs_on_host<W>, "relations are judged in host memory");
  Outcome outcome;
  if (const auto specs = Op::operands(problem); !specs) return detail::refused(std::move(outcome), specs.error());
  if (!relation.holds(problem))
    return detail::refused(std::move(outcome),
                           {ErrorKind::unsupported, "relation " + relation.name + " says nothing of such problems"});
  const Arithmetic arithmetic = subject.arithmetic(problem);
  outcome.derivation = {relation.name + ": " + relation.statement, "cannot see " + relation.blind_to};
  if (relation.needs_range && arithmetic.accumulation.min_subnormal > 0x1p-100) {
    outcome.reason = std::string("relation ") + relation.name + " is void where sums may underflow, and " +
                     arithmetic.accumulation.format_name + " has little range";
    return outcome;
  }
  auto stream = worker.make_stream();
  if (!stream) return detail::refused(std::move(outcome), stream.error());
  auto first =
      detail::patterned_launch<Op>(worker, stream.value(), problem, Op::data(problem, kind, arithmetic, context.seed));
  if (!first) return detail::refused(std::move(outcome), first.error());
  if (relation.prepare) relation.prepare(first.value());
  std::vector<std::string> findings;
  const auto run = [&](RelatedLaunch<Op>& launch) -> Result<void> {
    auto found = detail::run_launch<Op>(worker, stream.value(), subject, launch);
    if (!found) return found.propagate();
    findings.insert(findings.end(), found.value().begin(), found.value().end());
    return {};
  };
  if (auto done = run(first.value()); !done) return detail::refused(std::move(outcome), done.error());
  RelatedLaunch<Op> second;
  if (relation.transform) {
    second = relation.transform(first.value());
    if (auto done = run(second); !done) return detail::refused(std::move(outcome), done.error());
  }
  outcome.verdict = Verdict::pass;
  std::size_t judged = 0;
  for (const RelatedValues& values : relation.relate(first.value(), second, arithmetic))
    judged += detail::judge_related(values, relation.name, outcome);
  if (judged == 0) {
    outcome.verdict = Verdict::inconclusive;
    outcome.reason = "relation " + relation.name + " says nothing of any element here";
  }
  detail::judge_findings(findings, outcome);
  return outcome;
}

/// How relation cases are made.
struct RelationSuiteOptions {
  std::vector<ElementFormat> formats = {element_format<float32>(), element_format<bfloat16>(),
                                        element_format<float16>()};
  std::vector<std::string> contracts;  ///< what the kernel promises beyond mathematics: relations that ask for it run
};

/// Adds a case for each relation and problem of the default suite of which it says something. Ids end in
/// `/normal/relation-<name>`; the labels "check" and "relation" tell them apart.
template <Operation Op, ParallelBackend W>
void add_relation_cases(Suite& suite, W worker, OperationSubject<Op> subject,
                        const RelationSuiteOptions& options = {}) {
  const auto shared_worker = std::make_shared<W>(std::move(worker));
  const auto shared_subject = std::make_shared<const OperationSubject<Op>>(std::move(subject));
  for (const Relation<Op>& own : OperationRelations<Op>::all()) {
    const auto relation = std::make_shared<const Relation<Op>>(own);
    if (!own.contract.empty() &&
        std::find(options.contracts.begin(), options.contracts.end(), own.contract) == options.contracts.end())
      continue;
    std::vector<std::string> ids;
    for (const ElementFormat& format : options.formats)
      for (const auto& shape : Op::shapes(format)) {
        if (shape.large || !own.holds(shape.problem)) continue;
        Case entry = detail::operation_case<Op>(shared_subject->name, shape.problem, "normal");
        entry.labels["check"] = "relations";
        entry.labels["relation"] = own.name;
        entry.id += "/relation-" + own.name;
        if (std::find(ids.begin(), ids.end(), entry.id) != ids.end()) continue;
        ids.push_back(entry.id);
        entry.run = [shared_worker, shared_subject, relation, problem = shape.problem](const CaseContext& context) {
          return check_relation<Op>(*shared_worker, *shared_subject, problem, *relation, FillKind::normal, context);
        };
        entry.explain = [relation](const CaseContext&) {
          return std::vector<std::string>{relation->statement, "cannot see " + relation->blind_to};
        };
        suite.push_back(std::move(entry));
      }
  }
}

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/validators/relations/check_relation.ipp"
#endif
