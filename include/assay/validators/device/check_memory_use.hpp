#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "assay/backends/resource_usage.hpp"
#include "assay/validators/device/detail/device_check.hpp"

namespace assay::inline v0 {

/// What memory use is right.
struct MemoryUseOptions {
  std::size_t workspace_bytes = SIZE_MAX;  ///< that the kernel may take beyond its operands
  unsigned launches = 6;                   ///< the first may take what it keeps; 3 at least
};

namespace detail {

/// What one launch did to a count of memory in use.
struct MemoryStep {
  std::int64_t before = 0, during = 0, after = 0;  ///< bytes in use; during: the most
};

template <class B>
concept CountsMemory = requires(B& backend, ResourceUsage& usage) {
  usage = backend.memory_resource().usage();
  backend.memory_resource().forget_peak();
};
template <class B>
concept GuardsMemory = requires(B& backend) {
  backend.memory_resource().check();
  backend.memory_resource().findings();
  backend.memory_resource().errors();
};

/// Bytes in use by the driver's count, with the sign turned: less is free. 0 where it cannot be asked.
template <class B>
[[nodiscard]] Result<std::int64_t> driver_bytes(B& backend) {
  if constexpr (requires { backend.free_memory_bytes(); }) {
    auto free = backend.free_memory_bytes();
    if (!free) return free.propagate();
    return -static_cast<std::int64_t>(free.value());
  } else {
    return std::int64_t{0};
  }
}

/// Puts what the launches took into the outcome. `exact`: the count is that of a resource, in which nobody else takes
/// part.
void judge_memory(const std::vector<MemoryStep>& steps, const std::string& count, bool exact, std::size_t workspace,
                  Outcome& outcome);

/// A launch that is refused all memory must say so, or need none.
template <ParallelBackend B>
[[nodiscard]] Result<void> refuse_memory(B& backend, typename B::Stream& stream, const DeviceKernel<B>& kernel,
                                         KernelMemory<B>& memory, Outcome& outcome) {
  auto& resource = backend.memory_resource();
  const ResourceUsage before = resource.usage();
  if (auto prepared = memory.prepare(backend, stream); !prepared) return prepared;
  if (auto ready = backend.synchronize(stream); !ready) return ready;
  resource.set_limit(before.current_bytes);
  Result<void> launched = kernel.launch(backend, stream, memory.operands());
  const Result<void> done = backend.synchronize(stream);
  resource.set_limit(SIZE_MAX);
  const ResourceUsage after = resource.usage();
  if (launched && !done) detail::assign(launched, done);
  const bool refused = after.refusals > before.refusals;
  outcome.labels["without_memory"] = !refused ? "asks for none" : launched ? "says nothing" : "says so";
  if (refused && after.current_bytes > before.current_bytes)
    fail(outcome, "memory_leak",
         std::to_string(after.current_bytes - before.current_bytes) +
             " bytes stay in use after a launch that was refused memory");
  if (refused && launched)
    fail(outcome, "ignores_refusal",
         "a launch that was refused memory succeeded all the same; " + kernel.name +
             " does not look at what it is given");
  return {};
}

}  // namespace detail

/// How much memory a kernel takes beyond its operands, whether it gives it back, and whether it stays in it: by the
/// count of the backend's resource, where it is a `CountingResource`, by the driver's (`free_memory_bytes`) where the
/// backend has it, and by the canaries of a `GuardedResource` around what the kernel allocates through the backend. A
/// counted kernel is also launched without memory: it must say so.
///
/// Measurements: "peak_bytes", "kept_bytes" after the first launch, "leaked_bytes" over the others, the driver's with
/// the prefix "driver_". The driver counts in steps of 2 MiB and more, while the launch runs, and others' use of the
/// device: it is taken for a leak only where every launch adds to it. Label "fault": `memory_leak`, `too_much_memory`,
/// `ignores_refusal`, `out_of_bounds_write`. `unsupported` where nothing is counted. Misuse: a kernel without outputs
/// or without `launch`; fewer than 3 launches.
template <ParallelBackend B>
[[nodiscard]] Outcome check_memory_use(B& backend, const DeviceKernel<B>& kernel,
                                       const MemoryUseOptions& options = {}) {
  detail::expect_kernel(kernel);
  expect(options.launches >= 3, [&] {
    return "a check of memory use was given " + std::to_string(options.launches) + " launches; the least is 3";
  });
  Outcome outcome = detail::begun_outcome("memory_use", backend.name(), kernel.name);
  constexpr bool counted = detail::CountsMemory<B>, guarded = detail::GuardsMemory<B>, driver = requires {
    backend.free_memory_bytes();
  };
  if constexpr (!counted && !driver && !guarded) {
    return detail::refuse(outcome, {ErrorKind::unsupported,
                                    std::string(backend.name()) +
                                        " does not count memory; give it a CountingResource or a GuardedResource"});
  } else {
    const detail::Stopwatch watch;
    auto stream = backend.make_stream();
    if (!stream) return detail::refuse(outcome, stream.error());
    auto memory = detail::KernelMemory<B>::make(backend, stream.value(), kernel);
    if (!memory) return detail::refuse(outcome, memory.error());
    std::vector<detail::MemoryStep> exact, driven;
    [[maybe_unused]] std::size_t known_findings = 0, known_errors = 0;
    if constexpr (guarded)
      known_findings = backend.memory_resource().findings().size(),
      known_errors = backend.memory_resource().errors().size();
    for (unsigned launch = 0; launch < options.launches; ++launch) {
      if (auto prepared = memory.value().prepare(backend, stream.value()); !prepared)
        return detail::refuse(outcome, prepared.error());
      if (auto ready = backend.synchronize(stream.value()); !ready) return detail::refuse(outcome, ready.error());
      detail::MemoryStep own;
      if constexpr (counted) {
        backend.memory_resource().forget_peak();
        own.before = static_cast<std::int64_t>(backend.memory_resource().usage().current_bytes);
      }
      const auto before = detail::driver_bytes(backend);
      Result<std::int64_t> during = before;
      const auto run = detail::launch_alone(backend, stream.value(), kernel.name, [&] {
        auto launched = kernel.launch(backend, stream.value(), memory.value().operands());
        detail::assign(during, detail::driver_bytes(backend));
        return launched;
      });
      if (!run) return detail::refuse(outcome, run.error());
      const auto after = detail::driver_bytes(backend);
      for (const Result<std::int64_t>* count : {&before, &std::as_const(during), &after})
        if (!*count) return detail::refuse(outcome, count->error());
      driven.push_back({before.value(), std::max(during.value(), before.value()), after.value()});
      if constexpr (counted) {
        const ResourceUsage usage = backend.memory_resource().usage();
        own.during = static_cast<std::int64_t>(usage.peak_bytes);
        own.after = static_cast<std::int64_t>(usage.current_bytes);
        exact.push_back(own);
      }
    }
    if constexpr (driver) detail::judge_memory(driven, "the driver", false, options.workspace_bytes, outcome);
    if constexpr (counted) {
      detail::judge_memory(exact, "the resource", true, options.workspace_bytes, outcome);
      if constexpr (requires { backend.memory_resource().set_limit(std::size_t{}); })
        if (auto tried = detail::refuse_memory(backend, stream.value(), kernel, memory.value(), outcome); !tried)
          return detail::refuse(outcome, tried.error());
    }
    auto margin = memory.value().altered_margin(backend, stream.value());
    if (!margin) return detail::refuse(outcome, margin.error());
    if (!margin.value().empty()) detail::fail(outcome, "out_of_bounds_write", margin.value());
    if constexpr (guarded) {
      backend.memory_resource().check();
      const auto errors = backend.memory_resource().errors();
      if (errors.size() > known_errors)
        return detail::refuse(outcome, {ErrorKind::device, "canaries could not be checked: " + errors[known_errors]});
      const auto findings = backend.memory_resource().findings();
      for (std::size_t i = known_findings; i < findings.size(); ++i) {
        outcome.diagnosis.push_back(findings[i].text());
        detail::fail(outcome, "out_of_bounds_write", findings[i].text());
      }
    }
    outcome.duration_seconds = watch.seconds();
    if (!outcome.label("fault").empty()) return outcome;
    outcome.verdict = Verdict::pass;
    outcome.reason = std::to_string(options.launches) + " launches gave back what they took" +
                     (counted  ? ""
                      : driver ? ", as far as the driver's count shows"
                               : ", as far as canaries show: nothing counts memory");
    if (!counted && !driver)
      outcome.reason =
          std::to_string(options.launches) + " launches left canaries as they were; nothing counts memory here";
    return outcome;
  }
}

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/validators/device/check_memory_use.ipp"
#endif
