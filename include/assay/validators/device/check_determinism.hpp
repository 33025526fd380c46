#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/printed_number.hpp"
#include "assay/statistics/rate_interval.hpp"
#include "assay/validators/device/detail/device_check.hpp"

namespace assay::inline v0 {

/// How often a kernel is run beside itself.
struct DeterminismOptions {
  std::uint64_t launches = 20;  ///< 3 at least; what happens in one of n launches shows in 3·n with a chance of 95 %
  double budget_seconds = 0;    ///< no further launch once this has passed; 0: no limit
  std::uint64_t most_failures = 16;  ///< no further launch after so many that differ
  bool bitwise = true;               ///< else within what the kernel's outputs allow
};

namespace detail {

/// What a check of determinism knows while it goes on.
template <ParallelBackend B>
class RepeatedLaunches {
 public:
  RepeatedLaunches(B& backend, typename B::Stream& stream, const DeviceKernel<B>& kernel, bool bitwise)
      : backend_(backend), stream_(stream), kernel_(kernel), bitwise_(bitwise) {}

  std::uint64_t launches = 0, differing = 0;
  Table table{"launches that differ", {"launch", "elements", "first element", "of output", "farthest (ulp)"}, {}};
  std::string first, unwritten, outside;

  /// What two of the first three launches agree on becomes what is expected; of three that differ, the first.
  [[nodiscard]] Result<void> begin() {
    std::array<OutputDifferences, 3> found;
    for (std::size_t i = 0; i < 3; ++i) {
      auto made = KernelMemory<B>::make(backend_, stream_, kernel_);
      if (!made) return made.propagate();
      memories_.push_back(std::move(made).value());
      if (auto run = launch(memories_[i]); !run) return run;
      if (i == 0) continue;
      auto compared = memories_[i].compare(backend_, stream_, kernel_, memories_[0], bitwise_);
      if (!compared) return compared.propagate();
      found[i] = compared.value();
      if (i == 1 && found[i].same()) return {};
      if (i == 1)
        if (auto looked = look_for_unwritten(found[i]); !looked) return looked;
    }
    if (found[2].same()) return note(1, found[1]), Result<void>();
    auto last_two = memories_[2].compare(backend_, stream_, kernel_, memories_[1], bitwise_);
    if (!last_two) return last_two.propagate();
    if (last_two.value().same()) {
      std::swap(memories_[0], memories_[1]);
      note(0, found[1]);
    } else {
      note(1, found[1]);
      note(2, found[2]);
    }
    return {};
  }

  [[nodiscard]] Result<void> go_on() {
    const std::uint64_t number = launches;
    if (auto run = launch(memories_[1]); !run) return run;
    auto compared = memories_[1].compare(backend_, stream_, kernel_, memories_[0], bitwise_);
    if (!compared) return compared.propagate();
    if (!compared.value().same()) note(number, compared.value());
    return {};
  }

  [[nodiscard]] Result<void> look_beside() {
    auto margin = memories_.back().altered_margin(backend_, stream_);
    if (margin && margin.value().empty() && memories_.size() > 2)
      detail::assign(margin, memories_[1].altered_margin(backend_, stream_));
    if (!margin) return margin.propagate();
    outside = margin.value();
    return {};
  }

 private:
  [[nodiscard]] static unsigned char poison(std::uint64_t launch) { return launch % 2 == 0 ? 0xFF : 0x00; }
  [[nodiscard]] Result<void> launch(KernelMemory<B>& memory) {
    const std::uint64_t number = launches++;
    return run_once(backend_, stream_, kernel_, memory, poison(number));
  }

  void note(std::uint64_t launch, const OutputDifferences& found) {
    ++differing;
    const std::uint64_t farthest = found.differences.farthest;
    if (table.rows.size() < 64)
      table.rows.push_back({std::to_string(launch), std::to_string(found.differences.count),
                            std::to_string(found.differences.first), std::to_string(found.output),
                            farthest == ElementDifferences::none ? "no number" : std::to_string(farthest)});
    if (first.empty()) first = "launch " + std::to_string(launch) + " in " + found.text();
  }

  /// Whether the element in which the second launch differs from the first holds what was there before, in both.
  [[nodiscard]] Result<void> look_for_unwritten(const OutputDifferences& found) {
    const std::size_t bytes = kernel_.outputs[found.output].element_bytes;
    std::vector<unsigned char> element(bytes);
    for (std::size_t i = 0; i < 2; ++i) {
      const auto* const at = static_cast<const unsigned char*>(memories_[i].operands().outputs[found.output]) +
                             found.differences.first * bytes;
      if (auto copied = backend_.copy_to_host(stream_, element.data(), at, bytes); !copied) return copied;
      if (auto done = backend_.synchronize(stream_); !done) return done;
      if (element != std::vector<unsigned char>(bytes, poison(i))) return {};
    }
    unwritten = "element " + std::to_string(found.differences.first) + " of output " + std::to_string(found.output) +
                " still holds what the output was filled with before each launch: nobody writes it";
    return {};
  }

  B& backend_;
  typename B::Stream& stream_;
  const DeviceKernel<B>& kernel_;
  bool bitwise_;
  std::vector<KernelMemory<B>> memories_;  ///< the first holds what is expected
};

}  // namespace detail

/// Whether a kernel gives the same bits each time, and if not, how often, where and by how much: one that races, reads
/// what nobody wrote or depends on what its output held before shows so. With some ten thousand launches and a budget
/// it hunts what is rare. Outputs hold another byte before every second launch. What is right is what two of the first
/// three launches agree on. Everything is compared in the backend's memory.
///
/// Measurements: "launches", "differing_launches", "differing_rate" with "_lower" and "_upper" (95 %); label "fault":
/// `nondeterministic`, `unwritten_output` or `out_of_bounds_write`. A pass says below which rate differences must be.
/// Memory: twice the operands and more, on the backend. Misuse: a kernel without outputs or without `launch`; fewer
/// than 3 launches.
template <ParallelBackend B>
[[nodiscard]] Outcome check_determinism(B& backend, const DeviceKernel<B>& kernel,
                                        const DeterminismOptions& options = {}) {
  detail::expect_kernel(kernel);
  expect(options.launches >= 3, [&] {
    return "a check of determinism was given " + std::to_string(options.launches) + " launches; the least is 3";
  });
  Outcome outcome = detail::begun_outcome("determinism", backend.name(), kernel.name);
  const detail::Stopwatch watch;
  auto stream = backend.make_stream();
  if (!stream) return detail::refuse(outcome, stream.error());

  detail::RepeatedLaunches<B> repeated(backend, stream.value(), kernel, options.bitwise);
  Result<void> done = repeated.begin();
  if (done) detail::assign(done, repeated.look_beside());
  while (done && repeated.outside.empty() && repeated.launches < options.launches &&
         repeated.differing < options.most_failures &&
         (options.budget_seconds <= 0 || watch.seconds() < options.budget_seconds))
    detail::assign(done, repeated.go_on());
  if (done && repeated.outside.empty()) detail::assign(done, repeated.look_beside());

  const RateInterval interval = rate_interval(repeated.differing, repeated.launches);
  outcome.measure("launches", static_cast<double>(repeated.launches), "launches");
  outcome.measure("differing_launches", static_cast<double>(repeated.differing), "launches");
  outcome.measure(
      "differing_rate",
      repeated.launches > 0 ? static_cast<double>(repeated.differing) / static_cast<double>(repeated.launches) : 0);
  outcome.measure("differing_rate_lower", interval.lower);
  outcome.measure("differing_rate_upper", interval.upper);
  outcome.duration_seconds = watch.seconds();
  if (!repeated.table.rows.empty()) outcome.tables.push_back(repeated.table);
  if (!repeated.unwritten.empty()) outcome.diagnosis.push_back(repeated.unwritten);
  if (!done) return detail::refuse(outcome, done.error());
  if (!repeated.outside.empty()) return detail::fail(outcome, "out_of_bounds_write", repeated.outside);
  if (repeated.differing > 0)
    return detail::fail(outcome, repeated.unwritten.empty() ? "nondeterministic" : "unwritten_output",
                        std::to_string(repeated.differing) + " of " + std::to_string(repeated.launches) +
                            " launches differ from what is expected; the first is " + repeated.first);
  outcome.verdict = Verdict::pass;
  outcome.reason = std::to_string(repeated.launches) + " launches gave the same " +
                   (options.bitwise ? "bits" : "numbers within what is allowed") +
                   "; a difference comes in fewer than " + detail::printed_number(interval.upper) +
                   " of launches (95 %)";
  return outcome;
}

}  // namespace assay::inline v0
