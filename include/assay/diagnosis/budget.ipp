#pragma once

#include "assay/diagnosis/budget.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "assay/core/config.hpp"
#include "assay/core/printed_number.hpp"
#include "assay/diagnosis/diagnose.hpp"

namespace assay::inline v0 {

namespace detail {

/// What a budget has for a diagnosis.
struct DiagnosisShare {
  double seconds = 0;   ///< that it may take; 0 where none is to be made
  std::string refusal;  ///< which limit is why
};

/// What the cases of a suite have spent so far.
class SpentDiagnoses {
 public:
  explicit SpentDiagnoses(const DiagnosisBudget& budget) : budget_(budget) {}

  [[nodiscard]] DiagnosisShare take(const std::string& kernel, const std::string& signature) {
    const std::lock_guard lock(mutex_);
    const double kernel_left = budget_.seconds_per_kernel - kernel_seconds_[kernel];
    if (budget_.seconds <= 0 || budget_.seconds_per_kernel <= 0 || budget_.per_signature == 0)
      return {0, "the budget has no diagnoses"};
    if (budget_.seconds <= seconds_)
      return {0, "the diagnoses before it have taken the " + printed_number(budget_.seconds, 3) +
                     " s that this process has for all" + diagnosed_alone};
    if (kernel_left <= 0)
      return {0, "the diagnoses before it have taken the " + printed_number(budget_.seconds_per_kernel, 3) +
                     " s that this operation of this backend has" + diagnosed_alone};
    Signature& known = signatures_[signature];
    if (known.taken >= budget_.per_signature)
      return {0, counted_failures(known.taken) + " of this operation, backend, formats and data were diagnosed before" +
                     diagnosed_alone};
    if (known.same_cause > 0 && known.same_cause >= budget_.of_one_cause)
      return {0, counted_failures(known.same_cause) +
                     " of this operation, backend, formats and data, one after the other, had the same cause" +
                     diagnosed_alone};
    ++known.taken;
    return {std::min(kernel_left, budget_.seconds - seconds_), {}};
  }
  void add(const std::string& kernel, const std::string& signature, double seconds,
           const std::vector<Diagnosis>& causes) {
    const std::lock_guard lock(mutex_);
    kernel_seconds_[kernel] += seconds;
    seconds_ += seconds;
    Signature& known = signatures_[signature];
    const std::string cause = causes.empty() ? std::string() : causes.front().kind;
    known.same_cause = cause.empty() ? 0 : cause == known.cause ? known.same_cause + 1 : 1;
    known.cause = cause;
  }

 private:
  struct Signature {
    unsigned taken = 0;
    std::string cause;        ///< that the last diagnosis named
    unsigned same_cause = 0;  ///< diagnoses in a row that did
  };

  static constexpr const char* diagnosed_alone = "; run alone, this case is diagnosed";

  [[nodiscard]] static std::string counted_failures(unsigned number) {
    return std::to_string(number) + (number == 1 ? " failure" : " failures");
  }

  DiagnosisBudget budget_;
  std::mutex mutex_;
  std::map<std::string, double> kernel_seconds_;
  std::map<std::string, Signature> signatures_;
  double seconds_ = 0;
};

/// The case that runs in this thread, and what its suite has left.
struct BudgetedCase {
  SpentDiagnoses* spent = nullptr;
  std::string kernel, signature;
  std::string refusal;  ///< of a diagnosis: which limit is why; empty: none was refused
};

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE BudgetedCase*& budgeted_case() {
  thread_local BudgetedCase* current = nullptr;
  return current;
}

/// Makes a case the one of this thread while it lives.
class RunningBudgetedCase {
 public:
  explicit RunningBudgetedCase(BudgetedCase& entry) : before_(std::exchange(budgeted_case(), &entry)) {}
  RunningBudgetedCase(const RunningBudgetedCase&) = delete;
  RunningBudgetedCase& operator=(const RunningBudgetedCase&) = delete;
  ~RunningBudgetedCase() { budgeted_case() = before_; }

 private:
  BudgetedCase* before_;
};

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE std::vector<Diagnosis> diagnose_within_budget(const DiagnosedCase& given,
                                                                         const DiagnosisOptions& options) {
  detail::BudgetedCase* const running = detail::budgeted_case();
  if (running == nullptr) return diagnose(given, options);
  const detail::DiagnosisShare share = running->spent->take(running->kernel, running->signature);
  running->refusal = share.refusal;
  if (!share.refusal.empty()) return {};
  DiagnosisOptions limited = options;
  limited.seconds = std::min(options.seconds, share.seconds / 2);  // as long on hypotheses as on re-runs
  const auto begin = std::chrono::steady_clock::now();
  std::vector<Diagnosis> causes = diagnose(given, limited);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
  running->spent->add(running->kernel, running->signature, taken.count(), causes);
  return causes;
}

ASSAY_DETAIL_HEADER_INLINE void limit_diagnoses(Suite& suite, const DiagnosisBudget& budget) {
  const auto spent = std::make_shared<detail::SpentDiagnoses>(budget);
  for (Case& entry : suite) {
    if (!entry.run) continue;
    const auto label = [&](const char* name) {
      const auto found = entry.labels.find(name);
      return found == entry.labels.end() ? std::string() : found->second;
    };
    const std::string kernel = label("operation") + "/" + label("backend");
    entry.run = [run = std::move(entry.run), spent, kernel,
                 signature = kernel + "/" + label("formats") + "/" + label("data")](const CaseContext& context) {
      detail::BudgetedCase running{spent.get(), kernel, signature, {}};
      const detail::RunningBudgetedCase here(running);
      Outcome outcome = run(context);
      if (!running.refusal.empty() && outcome.verdict == Verdict::fail) {
        outcome.labels["diagnosis"] = "omitted";
        outcome.diagnosis.push_back("not diagnosed: " + running.refusal);
      }
      return outcome;
    };
  }
}

}  // namespace assay::inline v0
