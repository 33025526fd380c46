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
#include "assay/diagnosis/diagnose.hpp"

namespace assay::inline v0 {

namespace detail {

/// What the cases of a suite have spent so far.
class SpentDiagnoses {
 public:
  explicit SpentDiagnoses(const DiagnosisBudget& budget) : budget_(budget) {}

  /// Seconds that a diagnosis may take; 0 where none is to be made.
  [[nodiscard]] double take(const std::string& kernel, const std::string& signature) {
    const std::lock_guard lock(mutex_);
    const Kernel& known = kernels_[kernel];
    const double left = std::min(budget_.seconds_per_kernel - known.seconds, budget_.seconds - seconds_);
    if (left <= 0 || known.same_cause >= budget_.of_one_cause) return 0;
    return ++signatures_[signature] <= budget_.per_signature ? left : 0;
  }
  void add(const std::string& kernel, double seconds, const std::vector<Diagnosis>& causes) {
    const std::lock_guard lock(mutex_);
    Kernel& known = kernels_[kernel];
    known.seconds += seconds;
    seconds_ += seconds;
    const std::string cause = causes.empty() ? std::string() : causes.front().kind;
    known.same_cause = cause.empty() ? 0 : cause == known.cause ? known.same_cause + 1 : 1;
    known.cause = cause;
  }

 private:
  struct Kernel {
    double seconds = 0;
    std::string cause;
    unsigned same_cause = 0;
  };

  DiagnosisBudget budget_;
  std::mutex mutex_;
  std::map<std::string, Kernel> kernels_;
  std::map<std::string, unsigned> signatures_;
  double seconds_ = 0;
};

/// The case that runs in this thread, and what its suite has left.
struct BudgetedCase {
  SpentDiagnoses* spent = nullptr;
  std::string kernel, signature;
  bool refused = false;  ///< a diagnosis
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
  const double left = running->spent->take(running->kernel, running->signature);
  running->refused = left <= 0;
  if (running->refused) return {};
  DiagnosisOptions limited = options;
  limited.seconds = std::min(options.seconds, left / 2);  // as long on hypotheses as on re-runs
  const auto begin = std::chrono::steady_clock::now();
  std::vector<Diagnosis> causes = diagnose(given, limited);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
  running->spent->add(running->kernel, taken.count(), causes);
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
      detail::BudgetedCase running{spent.get(), kernel, signature};
      const detail::RunningBudgetedCase here(running);
      Outcome outcome = run(context);
      if (running.refused && outcome.verdict == Verdict::fail)
        outcome.diagnosis.emplace_back(
            "not diagnosed: enough failures of this kernel were before it; run alone, this case is diagnosed");
      return outcome;
    };
  }
}

}  // namespace assay::inline v0
