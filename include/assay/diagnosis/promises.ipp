#pragma once

#include "assay/diagnosis/promises.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "assay/core/config.hpp"
#include "assay/diagnosis/budget.hpp"
#include "assay/validators/failures/judge_by_promises.hpp"

namespace assay::inline v0 {

namespace detail {

/// The case that runs in this thread, and what its promises explained of its launches.
struct PromisedCase {
  const std::vector<UnitPromise>* promises = nullptr;
  unsigned asked = 0, explained = 0;
  PromiseJudgment last;
};

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE PromisedCase*& promised_case() {
  thread_local PromisedCase* current = nullptr;
  return current;
}

/// Makes a case the one of this thread while it lives.
class RunningPromisedCase {
 public:
  explicit RunningPromisedCase(PromisedCase& entry) : before_(std::exchange(promised_case(), &entry)) {}
  RunningPromisedCase(const RunningPromisedCase&) = delete;
  RunningPromisedCase& operator=(const RunningPromisedCase&) = delete;
  ~RunningPromisedCase() { promised_case() = before_; }

 private:
  PromisedCase* before_;
};

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE bool promises_explain(const DiagnosedCase& given) {
  PromisedCase* const running = promised_case();
  if (running == nullptr) return false;
  ++running->asked;
  PromiseJudgment judgment = judge_by_promises(given, *running->promises);
  if (!judgment.explains_all) return false;
  ++running->explained;
  running->last = std::move(judgment);
  return true;
}

/// Makes of a failure that promises explain what it is by them.
ASSAY_DETAIL_HEADER_INLINE void accept_by_promises(const PromisedCase& judged, bool require_determinism,
                                                   Outcome& outcome) {
  std::string promises;
  for (const std::string& promise : judged.last.promises) promises += (promises.empty() ? "" : "; ") + promise;
  outcome.labels["judged_with"] = promises;
  outcome.labels.erase("fault_class");
  outcome.diagnosis = {
      "judged with: " + promises + ": " + std::to_string(judged.last.accepted) + " of " +
      std::to_string(static_cast<std::uint64_t>(outcome.measurement(measurement::elements).value_or(0))) +
      " elements are right because of it"};
  outcome.tables.clear();
  outcome.heat_maps.clear();
  outcome.series.clear();
  const double undetermined = outcome.measurement("undetermined").value_or(0),
               differing = outcome.measurement("differing_runs").value_or(0);
  for (Measurement& entry : outcome.measurements) {
    if (entry.name == measurement::violations) entry.value = 0;
    if (entry.name == measurement::worst_error_ratio) entry.value = judged.last.worst_ratio;
  }
  outcome.measure("accepted_by_promise", static_cast<double>(judged.last.accepted), "elements");
  outcome.verdict = Verdict::pass;
  outcome.reason.clear();
  if (undetermined > 0) {
    outcome.verdict = Verdict::inconclusive;
    outcome.reason = "undecided: " + std::to_string(static_cast<std::uint64_t>(undetermined)) +
                     " elements cannot be refuted, because no bound holds for them";
  }
  if (differing > 0) outcome.diagnosis.push_back("repeated runs differ from the first in some bit");
  if (differing > 0 && require_determinism) {
    outcome.verdict = Verdict::fail;
    outcome.reason = outcome.diagnosis.back();
  }
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE std::vector<Diagnosis> diagnose_unless_promised(const DiagnosedCase& given,
                                                                           const DiagnosisOptions& options) {
  if (detail::promises_explain(given)) return {};
  return diagnose_within_budget(given, options);
}

ASSAY_DETAIL_HEADER_INLINE std::vector<Diagnosis> judge_promises_alone(const DiagnosedCase& given,
                                                                       const DiagnosisOptions&) {
  static_cast<void>(detail::promises_explain(given));
  return {};
}

namespace detail {

/// Whether a promise can make a case pass whose formats are those of a label, "bf16.f32.bf16".
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE bool forgives(const UnitPromise& promise, std::string_view formats) {
  if (promise.property == UnitProperty::keep_subnormals || promise.property == UnitProperty::keep_nan) return false;
  while (!formats.empty()) {
    const std::size_t end = std::min(formats.find_first_of(".-"), formats.size());
    if (promise.is_about(formats.substr(0, end))) return true;
    formats.remove_prefix(std::min(end + 1, formats.size()));
  }
  return false;
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE void judge_by_promises(Suite& suite, const std::vector<UnitPromise>& promises,
                                                  bool require_determinism) {
  for (Case& entry : suite) {
    if (!entry.run) continue;
    const auto label = [&](const char* name) {
      const auto found = entry.labels.find(name);
      return found == entry.labels.end() ? std::string() : found->second;
    };
    auto own = std::make_shared<std::vector<UnitPromise>>();
    for (const UnitPromise& promise : promises)
      if (promise.is_about(label("operation"), label("backend"))) own->push_back(promise);
    if (own->empty()) continue;
    entry.run = [run = std::move(entry.run), own, require_determinism](const CaseContext& context) {
      detail::PromisedCase judged;
      judged.promises = own.get();
      const detail::RunningPromisedCase here(judged);
      Outcome outcome = run(context);
      if (outcome.verdict != Verdict::fail || judged.asked == 0) return outcome;
      if (judged.explained == judged.asked) {
        detail::accept_by_promises(judged, require_determinism, outcome);
      } else {
        std::string known;
        for (const UnitPromise& promise : *own) known += (known.empty() ? "" : "; ") + described(promise);
        outcome.diagnosis.push_back("known properties of the unit do not explain it: " + known);
      }
      return outcome;
    };
    if (entry.explain)
      entry.explain = [explain = std::move(entry.explain), own,
                       formats = label("formats")](const CaseContext& context) {
        std::vector<std::string> steps = explain(context);
        for (const UnitPromise& promise : *own)
          if (detail::forgives(promise, formats)) steps.push_back("judged with: " + described(promise));
        return steps;
      };
  }
}

}  // namespace assay::inline v0
