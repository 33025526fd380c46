#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <utility>

#include "assay/core/outcome.hpp"
#include "assay/core/result.hpp"
#include "assay/validators/device/detail/kernel_memory.hpp"

namespace assay::inline v0::detail {

/// The outcome of a check of a kernel (or of a device) that has not been judged yet.
[[nodiscard]] inline Outcome begun_outcome(const std::string& check, std::string_view backend,
                                           const std::string& subject) {
  Outcome outcome;
  outcome.id = check + "/" + std::string(backend) + (subject.empty() ? "" : "/" + subject);
  outcome.labels = {{"check", check}, {"backend", std::string(backend)}};
  if (!subject.empty()) outcome.labels["operation"] = subject;
  return outcome;
}

/// The verdict for what the environment refused.
inline Outcome& refuse(Outcome& outcome, const Error& error) {
  outcome.verdict = error.kind == ErrorKind::unsupported ? Verdict::unsupported
                    : error.kind == ErrorKind::timed_out ? Verdict::inconclusive
                                                         : Verdict::error;
  outcome.reason = error.message;
  return outcome;
}

inline Outcome& fail(Outcome& outcome, const std::string& fault, const std::string& reason) {
  outcome.verdict = Verdict::fail;
  outcome.labels["fault"] = fault;
  outcome.reason = reason;
  return outcome;
}

/// One launch, with everything before and after it waited for, so that an error is this launch's own.
template <ParallelBackend B, class Launch>
[[nodiscard]] Result<void> launch_alone(B& backend, typename B::Stream& stream, const std::string& name,
                                        const Launch& launch) {
  if (auto before = backend.synchronize(stream); !before)
    return failure(before.error().kind,
                   "before " + name + " was launched, earlier work failed: " + before.error().message);
  if (auto launched = launch(); !launched)
    return failure(launched.error().kind, name + " could not be launched: " + launched.error().message);
  if (auto after = backend.synchronize(stream); !after)
    return failure(after.error().kind, name + " was launched and then failed: " + after.error().message);
  return {};
}

/// Prepares the memory, and runs the kernel on it once.
template <ParallelBackend B>
[[nodiscard]] Result<void> run_once(B& backend, typename B::Stream& stream, const DeviceKernel<B>& kernel,
                                    KernelMemory<B>& memory, unsigned char poison = 0xFF) {
  if (auto prepared = memory.prepare(backend, stream, poison); !prepared) return prepared;
  return launch_alone(backend, stream, kernel.name, [&] { return kernel.launch(backend, stream, memory.operands()); });
}

template <Backend B>
void expect_kernel(const DeviceKernel<B>& kernel) {
  expect(static_cast<bool>(kernel.launch),
         [&] { return "the kernel '" + kernel.name + "' has no function launch; set DeviceKernel::launch"; });
  std::size_t elements = 0;
  for (const KernelOutput& output : kernel.outputs) {
    elements += output.elements;
    expect(output.element_bytes > 0 && (output.allowed_ulps == 0 || output.element_bytes <= 8), [&] {
      return "an output of the kernel '" + kernel.name + "' has elements of " + std::to_string(output.element_bytes) +
             " bytes; give 1 or more, and at most 8 where units in the last place are allowed";
    });
  }
  for (const KernelInput& input : kernel.inputs)
    expect(input.element_bytes > 0,
           [&] { return "an input of the kernel '" + kernel.name + "' has elements of no bytes"; });
  expect(elements > 0, [&] { return "the kernel '" + kernel.name + "' has no output: there is nothing to compare"; });
}

class Stopwatch {
 public:
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace assay::inline v0::detail
