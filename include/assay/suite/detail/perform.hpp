#pragma once

#include <chrono>
#include <exception>
#include <new>
#include <string>
#include <utility>

#include "assay/core/config.hpp"
#include "assay/core/floating_point_guard.hpp"
#include "assay/core/outcome.hpp"
#include "assay/suite/case.hpp"
#include "assay/suite/detail/attempts.hpp"
#include "assay/suite/run_options.hpp"
#include "assay/suite/seed.hpp"
#include "assay/suite/single_process.hpp"

namespace assay::inline v0::detail {

[[nodiscard]] inline bool stop_requested(const RunOptions& options) {
  return options.stop != nullptr && options.stop->load();
}

[[nodiscard]] inline Outcome error_outcome(std::string reason) {
  Outcome outcome;
  outcome.verdict = Verdict::error;
  outcome.reason = std::move(reason);
  return outcome;
}

inline namespace ASSAY_DETAIL_EXCEPTIONS {

/// Calls the case; an exception becomes the verdict `error`.
[[nodiscard]] inline Outcome call(const Case& entry, const CaseContext& context) {
#if defined(__cpp_exceptions)
  try {
    return entry.run(context);
  } catch (const std::bad_alloc&) {
    return error_outcome("the case ran out of host memory (std::bad_alloc); run fewer cases at a time or smaller ones");
  } catch (const std::exception& exception) {
    const std::string message = exception.what();
    return error_outcome("the case threw an exception" +
                         (message.empty() ? std::string(" without a message") : ": " + message));
  } catch (...) {
    return error_outcome("the case threw something that is not a std::exception");
  }
#else
  return entry.run(context);
#endif
}

}  // namespace ASSAY_DETAIL_EXCEPTIONS

/// What every outcome must have: its case's id, its labels, and a reason unless it passed.
void settle(Outcome& outcome, const Case& entry);

/// The text in single quotes, as a shell reads it.
[[nodiscard]] inline std::string quoted_for_shell(const std::string& text) {
  std::string quoted = "'";
  for (const char character : text) quoted += character == '\'' ? std::string("'\\''") : std::string(1, character);
  return quoted + "'";
}

[[nodiscard]] inline std::string reproduce_command(const Case& entry, const RunOptions& options) {
  if (options.reproduce_with.empty()) return {};
  std::string command =
      options.reproduce_with + " --only " + quoted_for_shell(entry.id) + " --seed " + std::to_string(options.seed);
  if (options.repetitions > 1) command += " --repeat " + std::to_string(options.repetitions);
  return command;
}

/// A finding about an environment that is not the default one any more.
[[nodiscard]] std::string changed_environment(const FloatingPointState& state);

/// Fills what the case left empty.
inline void complete(Outcome& outcome, const Case& entry, const RunOptions& options, double seconds) {
  settle(outcome, entry);
  if (outcome.seed == 0) outcome.seed = case_seed(options.seed, entry.id);
  if (outcome.duration_seconds == 0) outcome.duration_seconds = seconds;
  if (outcome.reproduce.empty()) outcome.reproduce = reproduce_command(entry, options);
}

inline namespace ASSAY_DETAIL_EXCEPTIONS {

/// Runs one case once, its first attempt or another, in the default floating-point environment of this thread, and
/// completes its outcome.
[[nodiscard]] inline Outcome perform_once(const Case& entry, const RunOptions& options, bool first = true) {
  const OutputObserver observer = [&](const ObservedOutput& output) { options.outputs(entry, output); };
  const CaseContext context{case_seed(options.seed, entry.id), options.repetitions,
                            first && options.outputs ? &observer : nullptr};
  const auto begin = std::chrono::steady_clock::now();
  Outcome outcome;
  FloatingPointState left_behind;
  {
    const SingleProcess forked_by_the_case_ends;
    const FloatingPointGuard guard;
    outcome = call(entry, context);
    left_behind = FloatingPointState::current();
  }
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  complete(outcome, entry, options, elapsed.count());
  if (left_behind != FloatingPointState{}) outcome.diagnosis.push_back(changed_environment(left_behind));
  return outcome;
}

/// Runs one case, and its retries if it fails.
[[nodiscard]] inline Outcome perform(const Case& entry, const RunOptions& options) {
  Attempts attempts;
  bool first = true;
  do attempts.add(perform_once(entry, options, std::exchange(first, false)), options.retries);
  while (attempts.another() && !stop_requested(options));
  return attempts.conclude(options.retries);
}

}  // namespace ASSAY_DETAIL_EXCEPTIONS
}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/suite/detail/perform.ipp"
#endif
