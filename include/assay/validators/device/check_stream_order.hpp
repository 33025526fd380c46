#pragma once

#include <concepts>
#include <string>
#include <vector>

#include "assay/core/printed_number.hpp"
#include "assay/validators/device/detail/delay.hpp"
#include "assay/validators/device/detail/device_check.hpp"
#include "assay/validators/device/detail/reversed_inputs.hpp"
#include "assay/validators/device/streamed_kernel.hpp"

namespace assay::inline v0 {

/// How the order of streams is checked.
struct StreamOrderOptions {
  double delay_seconds = 0.002;  ///< by which a stream is held up; longer than all of the work takes
  unsigned repetitions = 5;      ///< with each stream held up, and with none
  /// What the work is given before each launch that counts, so that what is old differs from what is right; empty: the
  /// elements of the inputs in the opposite order.
  std::vector<KernelInput> old_inputs;
};

/// Whether work on several streams waits for what it must wait for. It runs on one stream first, which tells what is
/// right, then on streams of its own, with each of them held up in turn, and with other inputs on one stream before
/// each: whoever should have waited for the stream that is held up, and does not, reads what is old. The outcome names
/// that stream. A dependency that is not on a path from a held stream to the last one is not seen, nor is work that
/// overwrites too early what the launch before it still reads. `inconclusive` where other inputs give the same outputs.
///
/// Label "fault": `missing_wait`, or `nondeterministic` where even one stream gives different bits. Measurement
/// "stale_launches". Takes about (streams + 1) · repetitions · delay. Memory: four times the operands. Misuse: no
/// `submit`, no output, fewer than 2 streams, no repetition.
template <ParallelBackend B>
requires std::copy_constructible<typename B::Stream>
[[nodiscard]] Outcome check_stream_order(B& backend, const StreamedKernel<B>& subject,
                                         const StreamOrderOptions& options = {}) {
  using Streams = std::vector<typename B::Stream>;
  expect(static_cast<bool>(subject.submit) && subject.streams >= 2 && options.repetitions >= 1, [&] {
    return "a check of the order of streams was given " + std::to_string(subject.streams) + " streams and " +
           std::to_string(options.repetitions) + " repetitions" + (subject.submit ? "" : ", and no function submit") +
           "; the least are 2 and 1";
  });
  DeviceKernel<B> kernel{subject.name, subject.inputs, subject.outputs, nullptr, nullptr, 0};
  kernel.launch = [&](B& on, typename B::Stream& stream, const KernelOperands& operands) {
    Streams same(subject.streams, stream);
    return subject.submit(on, same, operands);
  };
  detail::expect_kernel(kernel);
  Outcome outcome = detail::begun_outcome("stream_order", backend.name(), subject.name);
  const detail::Stopwatch watch;

  Streams streams;
  for (std::size_t i = 0; i <= subject.streams; ++i) {  // one more, on which to prepare and compare
    auto made = backend.make_stream();
    if (!made) return detail::refuse(outcome, made.error());
    streams.push_back(std::move(made).value());
  }
  typename B::Stream own = streams.back();
  streams.pop_back();
  auto memory = detail::KernelMemory<B>::make(backend, own, kernel),
       expected = detail::KernelMemory<B>::make(backend, own, kernel);
  if (!memory) return detail::refuse(outcome, memory.error());
  if (!expected) return detail::refuse(outcome, expected.error());
  if (auto run = detail::run_once(backend, own, kernel, expected.value()); !run)
    return detail::refuse(outcome, run.error());
  if (auto run = detail::run_once(backend, own, kernel, memory.value()); !run)
    return detail::refuse(outcome, run.error());
  auto repeated = memory.value().compare(backend, own, kernel, expected.value(), false);
  if (!repeated) return detail::refuse(outcome, repeated.error());
  if (!repeated.value().same())
    return detail::fail(outcome, "nondeterministic",
                        "two runs on one stream differ in " + repeated.value().text() + "; see check_determinism");

  DeviceKernel<B> old = kernel;
  old.inputs = options.old_inputs.empty() ? detail::reversed(kernel.inputs) : options.old_inputs;
  auto before = detail::KernelMemory<B>::make(backend, own, old);
  if (!before) return detail::refuse(outcome, before.error());
  if (auto run = detail::run_once(backend, own, old, before.value()); !run) return detail::refuse(outcome, run.error());
  auto unlike = before.value().compare(backend, own, kernel, expected.value(), false);
  if (!unlike) return detail::refuse(outcome, unlike.error());
  if (unlike.value().same()) {
    outcome.verdict = Verdict::inconclusive;
    outcome.reason =
        subject.name +
        " gives the same from other inputs, so old data would not show; give old_inputs that change what it gives";
    return outcome;
  }

  // A launch whose last stream is done while others may not be. Those are waited for afterwards, so that none outlives
  // the buffers.
  const auto stale = [&](std::size_t held, detail::OutputDifferences& found) -> Result<void> {
    if (auto run = detail::run_once(backend, own, old, before.value()); !run) return run;
    if (auto prepared = memory.value().prepare(backend, own); !prepared) return prepared;
    if (auto ready = backend.synchronize(own); !ready) return ready;
    Result<void> done =
        held < streams.size() ? detail::delay(backend, streams[held], options.delay_seconds) : Result<void>();
    if (done) detail::assign(done, subject.submit(backend, streams, memory.value().operands()));
    if (!done)
      detail::assign(done,
                     failure(done.error().kind, subject.name + " could not be submitted: " + done.error().message));
    if (done) detail::assign(done, backend.synchronize(streams.back()));
    if (done) {
      auto compared = memory.value().compare(backend, own, kernel, expected.value(), false);
      if (compared)
        found = compared.value();
      else
        detail::assign(done, compared.propagate());
    }
    for (typename B::Stream& stream : streams)
      if (auto ended = backend.synchronize(stream); !ended && done) detail::assign(done, ended);
    return done;
  };

  Table table{"streams held up", {"stream", "launches", "with old data", "first difference"}, {}};
  std::size_t all = 0, wrong = 0;
  for (std::size_t turn = 0; turn <= streams.size(); ++turn) {
    const std::size_t held = turn == 0 ? streams.size() : turn - 1;
    const std::string name =
        held == streams.size() ? "none" : std::to_string(held) + (held + 1 == streams.size() ? " (the last)" : "");
    std::size_t old = 0;
    std::string first;
    for (unsigned i = 0; i < options.repetitions; ++i) {
      detail::OutputDifferences found;
      if (auto run = stale(held, found); !run) return detail::refuse(outcome, run.error());
      ++all;
      if (found.same()) continue;
      ++old;
      if (first.empty()) first = found.text();
    }
    table.rows.push_back({name, std::to_string(options.repetitions), std::to_string(old), first});
    wrong += old;
    if (old == 0) continue;
    const std::string when = held == streams.size() ? "without any stream held up"
                                                    : "with stream " + name + " held up by " +
                                                          detail::printed_number(options.delay_seconds * 1e3) + " ms";
    if (outcome.label("fault").empty())
      detail::fail(outcome, "missing_wait",
                   when + ", " + std::to_string(old) + " of " + std::to_string(options.repetitions) +
                       " launches gave other data than on one stream: " + first);
    if (held < streams.size())
      outcome.diagnosis.push_back("something that reads what stream " + std::to_string(held) +
                                  " makes does not wait for it: record an event there and wait for it");
  }
  outcome.tables.push_back(std::move(table));
  outcome.measure("launches", static_cast<double>(all), "launches");
  outcome.measure("stale_launches", static_cast<double>(wrong), "launches");
  outcome.duration_seconds = watch.seconds();
  if (wrong > 0) return outcome;
  outcome.verdict = Verdict::pass;
  outcome.reason = std::to_string(all) + " launches with each of " + std::to_string(streams.size()) +
                   " streams held up by " + detail::printed_number(options.delay_seconds * 1e3) +
                   " ms gave the same bits as on one stream";
  return outcome;
}

}  // namespace assay::inline v0
