#pragma once

#include <string>

#include "assay/validators/device/detail/device_check.hpp"

namespace assay::inline v0 {

/// Whether a runtime tells of work that fails after its launch has succeeded, and tells it of that work: `failing` is a
/// kernel that is known to fail, `healthy` one that does not. Waiting for the stream must say so; a runtime that says
/// nothing, or says it to the next who comes, would let wrong results pass. Afterwards the healthy kernel tells whether
/// the device recovers, or is lost to this process (a sticky error): label "afterwards", `recovered` or `lost`. Label
/// "fault": `swallowed_error`, `misattributed_error`, `wrong_after_error`.
///
/// Run it isolated, by `device_case`: the kernel fails in earnest. `error` where the healthy one fails before. Misuse:
/// kernels without outputs or without `launch`.
template <ParallelBackend B>
[[nodiscard]] Outcome check_error_reporting(B& backend, const DeviceKernel<B>& failing,
                                            const DeviceKernel<B>& healthy) {
  detail::expect_kernel(failing);
  detail::expect_kernel(healthy);
  Outcome outcome = detail::begun_outcome("error_reporting", backend.name(), failing.name);
  const detail::Stopwatch watch;
  auto stream = backend.make_stream();
  if (!stream) return detail::refuse(outcome, stream.error());
  auto expected = detail::KernelMemory<B>::make(backend, stream.value(), healthy),
       again = detail::KernelMemory<B>::make(backend, stream.value(), healthy);
  auto memory = detail::KernelMemory<B>::make(backend, stream.value(), failing);
  for (const auto* made : {&expected, &again, &memory})
    if (!*made) return detail::refuse(outcome, made->error());
  if (auto run = detail::run_once(backend, stream.value(), healthy, expected.value()); !run)
    return detail::refuse(outcome, run.error());
  if (auto prepared = memory.value().prepare(backend, stream.value()); !prepared)
    return detail::refuse(outcome, prepared.error());
  if (auto ready = backend.synchronize(stream.value()); !ready) return detail::refuse(outcome, ready.error());

  const Result<void> launched = failing.launch(backend, stream.value(), memory.value().operands());
  const Result<void> waited = backend.synchronize(stream.value());
  const bool told = !launched || !waited;
  outcome.labels["told"] = !launched ? "at the launch" : !waited ? "when waited for" : "not";
  if (told) outcome.diagnosis.push_back((!launched ? launched : waited).error().message);

  Result<void> after = detail::run_once(backend, stream.value(), healthy, again.value());
  bool same = false;
  if (after) {
    auto compared = again.value().compare(backend, stream.value(), healthy, expected.value(), false);
    if (compared)
      same = compared.value().same();
    else
      detail::assign(after, compared.propagate());
  }
  outcome.labels["afterwards"] = after ? "recovered" : "lost";
  outcome.duration_seconds = watch.seconds();
  if (!told && !after)
    return detail::fail(outcome, "misattributed_error",
                        failing.name + " failed without a word, and " + healthy.name +
                            ", which came next, was told: " + after.error().message);
  if (!told)
    return detail::fail(outcome, "swallowed_error",
                        failing.name + " is known to fail, and neither its launch nor the wait for its stream says so");
  if (after && !same)
    return detail::fail(
        outcome, "wrong_after_error",
        "after " + failing.name + " had failed, " + healthy.name + " succeeded with other results than before");
  outcome.verdict = Verdict::pass;
  outcome.reason = "the failure of " + failing.name + " was told " + outcome.label("told") +
                   "; afterwards the device " +
                   (after ? "went on" : "was lost to this process, which must be replaced");
  return outcome;
}

}  // namespace assay::inline v0
