#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <exception>
#include <mutex>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "assay/core/config.hpp"
#include "assay/core/environment.hpp"
#include "assay/core/misuse.hpp"
#include "assay/core/run.hpp"
#include "assay/suite/case.hpp"
#include "assay/suite/detail/perform.hpp"
#include "assay/suite/run_observer.hpp"
#include "assay/suite/run_options.hpp"
#include "assay/suite/selection.hpp"

namespace assay::inline v0 {

namespace detail {

void check_run(const Suite& suite, const std::vector<std::size_t>& chosen, const RunOptions& options);

/// A run of which only the frame is known.
[[nodiscard]] Run begun_run(const RunOptions& options, Environment environment, std::size_t planned_cases);

/// Enters what came of the cases at the positions `order`, and which of them none came of.
void enter_outcomes(Run& run, std::vector<Outcome> outcomes, const Suite& suite, const std::vector<std::size_t>& order);

inline namespace ASSAY_DETAIL_EXCEPTIONS {

/// The state that the workers of one run share.
template <RunObserver Observer>
class RunInProgress {
 public:
  RunInProgress(const Suite& suite, std::vector<std::size_t> order, const RunOptions& options, Observer& observer)
      : suite_(suite), order_(std::move(order)), options_(options), observer_(observer), slots_(order_.size()) {}

  /// Runs the cases in as many threads as asked for. The calling thread is one of them, and does all where no other can
  /// be started.
  void work_in_threads() {
    std::vector<std::thread> helpers;
    const std::size_t wanted = order_.size() < options_.jobs ? order_.size() : options_.jobs;
    for (std::size_t i = 1; i < wanted; ++i)
      if (!start_helper(helpers)) break;
    work();
    for (std::thread& helper : helpers) helper.join();
    if (broken_) std::rethrow_exception(broken_);
  }

  [[nodiscard]] std::vector<Outcome> take_outcomes() {
    std::vector<Outcome> outcomes;
    for (std::optional<Outcome>& slot : slots_)
      if (slot) outcomes.push_back(std::move(*slot));
    return outcomes;
  }

 private:
  [[nodiscard]] bool start_helper(std::vector<std::thread>& helpers) {
#if defined(__cpp_exceptions)
    try {
      helpers.emplace_back([this] { work(); });
    } catch (const std::system_error&) {
      return false;
    }
#else
    helpers.emplace_back([this] { work(); });
#endif
    return true;
  }

  void work() {
#if defined(__cpp_exceptions)
    try {
      work_through();
    } catch (...) {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (!broken_) broken_ = std::current_exception();
      ended_ = true;
    }
#else
    work_through();
#endif
  }

  void work_through() {
    while (!ended_ && !stop_requested(options_)) {
      const std::size_t turn = next_.fetch_add(1);
      if (turn >= order_.size()) return;
      const Case& entry = suite_[order_[turn]];
      {
        const std::lock_guard<std::mutex> lock(mutex_);
        observer_.case_started(entry.id);
      }
      Outcome outcome = perform(entry, options_);
      const std::lock_guard<std::mutex> lock(mutex_);
      observer_.case_finished(outcome);
      slots_[turn] = std::move(outcome);
    }
  }

  const Suite& suite_;
  const std::vector<std::size_t> order_;
  const RunOptions& options_;
  Observer& observer_;
  std::vector<std::optional<Outcome>> slots_;
  std::atomic<std::size_t> next_{0};
  std::atomic<bool> ended_{false};
  std::exception_ptr broken_;
  std::mutex mutex_;
};

}  // namespace ASSAY_DETAIL_EXCEPTIONS
}  // namespace detail

inline namespace ASSAY_DETAIL_EXCEPTIONS {

/// Runs the cases of `suite` at the positions `chosen` and returns what came of them, in the order of the suite
/// whatever the order of execution.
///
/// - An exception out of a case becomes the verdict `error` with its message; the run goes on. (In a unit compiled
///   without exceptions nothing catches it: it ends the program.)
/// - Outcomes are completed with what the case left empty: id, labels, seed, duration, reproduce. An outcome other than
///   a pass needs a reason: a fail, error or inconclusive without one gets "no reason given"; a skipped, unsupported or
///   new_baseline without one becomes an error, because an unexplained excuse is no excuse.
/// - Every case runs in the default floating-point environment. One that leaves it changed is told of in its diagnosis,
///   and the environment is restored: the next case does not suffer for it.
/// - A process that a case forks and that returns from it ends there.
/// - A case that failed or erred runs again `RunOptions::retries` times; its outcome stays the first.
/// - After a stop request `outcomes` holds what ran, fewer than `planned_cases`, and `cases_not_run` names the rest.
///
/// Misuse: ids that are empty or occur twice, a case without a function, a position out of range or chosen twice, no
/// jobs or repetitions.
template <RunObserver Observer>
[[nodiscard]] Run run_suite(const Suite& suite, const std::vector<std::size_t>& chosen, const RunOptions& options,
                            Environment environment, Observer& observer) {
  detail::check_run(suite, chosen, options);
  const auto begin = std::chrono::steady_clock::now();
  Run run = detail::begun_run(options, std::move(environment), chosen.size());
  observer.started(std::as_const(run));

  std::vector<std::size_t> order = chosen;
  std::sort(order.begin(), order.end());
  detail::RunInProgress<Observer> progress(suite, order, options, observer);
  progress.work_in_threads();
  detail::enter_outcomes(run, progress.take_outcomes(), suite, order);
  run.duration_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  observer.finished(std::as_const(run));
  return run;
}

/// Runs the default selection: every case that is not tagged "large". An empty suite gives a run that decided nothing.
template <RunObserver Observer>
[[nodiscard]] Run run_suite(const Suite& suite, const RunOptions& options, Environment environment,
                            Observer& observer) {
  std::vector<std::size_t> chosen;
  if (auto selected = select(suite, Selection{})) chosen = std::move(selected).value();
  return run_suite(suite, chosen, options, std::move(environment), observer);
}

}  // namespace ASSAY_DETAIL_EXCEPTIONS
}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/suite/runner.ipp"
#endif
