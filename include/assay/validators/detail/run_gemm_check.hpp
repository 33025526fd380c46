#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/outcome.hpp"
#include "assay/suite/case.hpp"
#include "assay/validators/check_steps.hpp"
#include "assay/validators/detail/show_output.hpp"
#include "assay/validators/failures/add_diagnoses.hpp"
#include "assay/validators/failures/diagnose_gemm.hpp"
#include "assay/validators/gemm_check_options.hpp"
#include "assay/validators/gemm_operands.hpp"
#include "assay/validators/gemm_subject.hpp"

namespace assay::inline v0::detail {

/// What every check of a GEMM does around its own judgment: fills the operands, poisons the output, runs the subject,
/// verifies that inputs, canaries and gaps are untouched, has the output judged, and again for each repetition that
/// gives other bits.
///
/// `judge(stream, arguments, before, outcome)` is given the operands (C is the output) and C as it was before (null
/// where β = 0); it puts verdict, reason and findings into the outcome, and what its own work took. The rest of the
/// outcome is this function's.
template <class Op, ParallelBackend W, class Judge>
[[nodiscard]] Outcome run_gemm_check(W& worker, const GemmSubject<Op>& subject, const GemmProblem& problem,
                                     const GemmData& data, const GemmCheckOptions& options, const CaseContext& context,
                                     Judge&& judge) {
  Outcome outcome;
  const auto layout = lay_out(problem);
  if (!layout) return refused(std::move(outcome), layout.error());
  auto stream = worker.make_stream();
  if (!stream) return refused(std::move(outcome), stream.error());
  auto prepared = GemmOperands<Op, W>::create(worker, stream.value(), problem, layout.value(), data);
  if (!prepared) return refused(std::move(outcome), prepared.error());
  GemmOperands<Op, W>& operands = prepared.value();

  auto clock = std::chrono::steady_clock::now();
  double kernel_seconds = 0;
  const auto run_subject = [&]() -> Result<std::uint64_t> {
    if (auto ready = worker.synchronize(stream.value()); !ready) return ready.propagate();
    lap(clock);
    if (auto run = subject.run(problem, operands.arguments()); !run) return run.propagate();
    const double seconds = lap(clock);
    kernel_seconds = kernel_seconds == 0 || seconds < kernel_seconds ? seconds : kernel_seconds;
    return operands.output_fingerprint();
  };
  const auto judge_run = [&](const MemoryFindings& findings, [[maybe_unused]] bool differs,
                             [[maybe_unused]] const OutputObserver* observer, Outcome& judged) -> Result<void> {
    auto before = operands.arguments_before();  // which mends inputs that were modified
    if (!before) return before.propagate();
    if (auto done = judge(stream.value(), operands.arguments(), before.value().c, judged); !done) return done;
    if constexpr (backend_runs_on_host<W>) {
      if (observer != nullptr) {
        const Operand output = operand_of(operands.arguments().c);
        if constexpr (requires { judge.expected(); }) {
          const auto expected = judge.expected();
          const AnyExpectation any(expected);
          show_output(*observer, "C", output, &any, options.tolerance);
        } else {
          show_output(*observer, "C", output, nullptr, options.tolerance);
        }
      }
    }
    std::vector<Diagnosis> causes;
    if constexpr (backend_runs_on_host<W> && requires { judge.expected(); }) {
      if (options.diagnosis.by != nullptr) {
        Outcome memory;
        judge_memory(findings, memory);
        if (judged.verdict == Verdict::fail || memory.verdict == Verdict::fail)
          causes = diagnose_gemm<Op>(subject, problem, data, before.value(), operands.arguments().c, judge.expected(),
                                     options.tolerance, memory.diagnosis, differs, options.diagnosis);
      }
    }
    judge_memory(findings, judged);
    add_diagnoses(std::move(causes), judged);
    return {};
  };

  const auto first_run = run_subject();
  if (!first_run) return refused(std::move(outcome), first_run.error());
  const auto memory = operands.inspect_memory();
  if (!memory) return refused(std::move(outcome), memory.error());
  if (auto judged = judge_run(memory.value(), false, context.outputs, outcome); !judged)
    return refused(std::move(outcome), judged.error());

  unsigned differing_runs = 0;
  for (unsigned run = 2; run <= context.repetitions; ++run) {
    if (auto reset = operands.reset_output(); !reset) return refused(std::move(outcome), reset.error());
    const auto bits = run_subject();
    if (!bits) return refused(std::move(outcome), bits.error());
    const bool differs = bits.value() != first_run.value();
    if (differs) ++differing_runs;
    const auto findings = operands.inspect_memory();
    if (!findings) return refused(std::move(outcome), findings.error());
    if ((!differs && !findings.value().a_modified && !findings.value().b_modified) || outcome.verdict == Verdict::fail)
      continue;
    Outcome again;
    if (auto judged = judge_run(findings.value(), differs, nullptr, again); !judged)
      return refused(std::move(outcome), judged.error());
    if (again.verdict != Verdict::fail) continue;
    again.reason = "run " + std::to_string(run) + " of " + std::to_string(context.repetitions) + ": " + again.reason;
    outcome = std::move(again);
  }
  judge_repetitions(kernel_seconds, differing_runs, context.repetitions, options.require_determinism, outcome);
  return outcome;
}

}  // namespace assay::inline v0::detail
