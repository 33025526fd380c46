#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "assay/backends/graph_backend.hpp"
#include "assay/validators/device/detail/device_check.hpp"
#include "assay/validators/device/detail/reversed_inputs.hpp"

namespace assay::inline v0 {

/// How replays of graphs are checked.
struct GraphReplayOptions {
  unsigned replays = 5;  ///< with each set of inputs
  /// Inputs that take the place of the first ones, after the capture; empty: the first ones with their elements
  /// reversed.
  std::vector<std::vector<KernelInput>> other_inputs;
  /// Tells the subject's host side which inputs come next: 0 for the first, 1 and so on for the others. May be empty.
  std::function<void(std::size_t)> inputs_change;
};

namespace detail {

/// Memory that was freed during a capture is taken by others afterwards: some blocks of each likely size, filled.
template <ParallelBackend B>
[[nodiscard]] Result<void> occupy_freed_memory(B& backend, typename B::Stream& stream, const DeviceKernel<B>& kernel,
                                               std::vector<typename B::template Buffer<unsigned char>>& taken) {
  std::vector<std::size_t> sizes;
  for (const KernelInput& input : kernel.inputs) sizes.push_back(input.content.size());
  for (const KernelOutput& output : kernel.outputs) sizes.push_back(output.bytes());
  for (const std::size_t bytes : sizes)
    for (int i = 0; i < 4; ++i) {
      auto buffer = backend.template allocate<unsigned char>(bytes);
      if (!buffer) return {};  // nothing left that could be taken
      if (auto filled = fill_bytes(backend, stream, buffer.value().data(), bytes, 0xFD); !filled) return filled;
      taken.push_back(std::move(buffer).value());
    }
  return backend.synchronize(stream);
}

}  // namespace detail

/// Whether a kernel that was captured into a graph gives, each time the graph is launched, what a call gives: also
/// after its inputs were changed in place. One that took a host's value, a pointer to memory that it freed since, or
/// the data itself when it was captured gives old results.
///
/// `unsupported` where the backend has no graphs, or the kernel cannot be captured (it waits, allocates, or uses
/// another stream), with the runtime's reason. Label "fault": `stale_graph`, `graph_differs` where the first inputs
/// give other data already, `nondeterministic`. Memory: twice the operands, and what is taken to write over freed
/// memory, four times that. Misuse: a kernel without outputs or without `launch`; no replay; other inputs of other
/// sizes.
template <ParallelBackend B>
[[nodiscard]] Outcome check_graph_replay(B& backend, const DeviceKernel<B>& kernel,
                                         const GraphReplayOptions& options = {}) {
  detail::expect_kernel(kernel);
  expect(options.replays >= 1, [] { return "a check of graphs was given no replays; the least is 1"; });
  Outcome outcome = detail::begun_outcome("graph_replay", backend.name(), kernel.name);
  if constexpr (!GraphBackend<B>) {
    outcome.verdict = Verdict::unsupported;
    outcome.reason = std::string(backend.name()) + " has no graphs: it is no GraphBackend";
    return outcome;
  } else {
    const detail::Stopwatch watch;
    auto stream = backend.make_stream();
    if (!stream) return detail::refuse(outcome, stream.error());
    auto captured = detail::KernelMemory<B>::make(backend, stream.value(), kernel),
         direct = detail::KernelMemory<B>::make(backend, stream.value(), kernel);
    if (!captured) return detail::refuse(outcome, captured.error());
    if (!direct) return detail::refuse(outcome, direct.error());
    if (options.inputs_change) options.inputs_change(0);
    // Twice by a call, which also loads what is loaded lazily and may not be loaded while a stream is captured.
    for (auto* memory : {&direct.value(), &captured.value()})
      if (auto run = detail::run_once(backend, stream.value(), kernel, *memory); !run)
        return detail::refuse(outcome, run.error());
    auto repeated = captured.value().compare(backend, stream.value(), kernel, direct.value(), false);
    if (!repeated) return detail::refuse(outcome, repeated.error());
    if (!repeated.value().same())
      return detail::fail(outcome, "nondeterministic",
                          "two calls differ in " + repeated.value().text() + "; see check_determinism");

    if (auto begun = backend.begin_capture(stream.value()); !begun) return detail::refuse(outcome, begun.error());
    const Result<void> submitted = kernel.launch(backend, stream.value(), captured.value().operands());
    auto graph = backend.end_capture(stream.value());
    if (!submitted || !graph) {
      outcome.verdict = Verdict::unsupported;
      outcome.reason = kernel.name + " cannot be captured into a graph: " +
                       (!submitted ? submitted.error().message : graph.error().message);
      return outcome;
    }
    std::vector<typename B::template Buffer<unsigned char>> taken;
    if (auto occupied = detail::occupy_freed_memory(backend, stream.value(), kernel, taken); !occupied)
      return detail::refuse(outcome, occupied.error());

    std::vector<std::vector<KernelInput>> sets{kernel.inputs};
    if (options.other_inputs.empty() && !kernel.inputs.empty()) sets.push_back(detail::reversed(kernel.inputs));
    sets.insert(sets.end(), options.other_inputs.begin(), options.other_inputs.end());

    Table table{"replays", {"inputs", "replay", "differing elements", "first"}, {}};
    std::size_t launches = 0, stale = 0;
    bool changes = false;  // whether other inputs give other outputs, without which nothing old could show
    for (std::size_t set = 0; set < sets.size(); ++set) {
      if (set > 0) {
        if (options.inputs_change) options.inputs_change(set);
        for (auto* memory : {&direct.value(), &captured.value()})
          if (auto changed = memory->change_inputs(backend, stream.value(), sets[set]); !changed)
            return detail::refuse(outcome, changed.error());
        auto before = detail::KernelMemory<B>::make(backend, stream.value(), kernel);
        if (!before) return detail::refuse(outcome, before.error());
        if (auto kept = before.value().take_outputs(backend, stream.value(), direct.value()); !kept)
          return detail::refuse(outcome, kept.error());
        if (auto run = detail::run_once(backend, stream.value(), kernel, direct.value()); !run)
          return detail::refuse(outcome, run.error());
        auto changed = direct.value().compare(backend, stream.value(), kernel, before.value(), true);
        if (!changed) return detail::refuse(outcome, changed.error());
        changes = changes || !changed.value().same();
      }
      for (unsigned replay = 0; replay < options.replays; ++replay) {
        if (auto prepared = captured.value().prepare(backend, stream.value(), replay % 2 == 0 ? 0xFF : 0x00); !prepared)
          return detail::refuse(outcome, prepared.error());
        if (auto run = detail::launch_alone(backend, stream.value(), "the graph of " + kernel.name,
                                            [&] { return backend.launch(stream.value(), graph.value()); });
            !run)
          return detail::refuse(outcome, run.error());
        ++launches;
        auto found = captured.value().compare(backend, stream.value(), kernel, direct.value(), false);
        if (!found) return detail::refuse(outcome, found.error());
        if (found.value().same()) continue;
        ++stale;
        if (table.rows.size() < 64)
          table.rows.push_back({std::to_string(set), std::to_string(replay),
                                std::to_string(found.value().differences.count),
                                std::to_string(found.value().differences.first)});
        if (outcome.label("fault").empty())
          detail::fail(outcome, set == 0 ? "graph_differs" : "stale_graph",
                       "replay " + std::to_string(replay) +
                           (set == 0 ? " with the inputs of the capture" : " after the inputs were changed") +
                           " differs from a call in " + found.value().text());
      }
    }
    if (outcome.label("fault") == "stale_graph")
      outcome.diagnosis.push_back(
          "the graph holds what was true when it was captured: a value of the host, a pointer, or data; pass it in "
          "memory of the device");
    if (outcome.label("fault") == "graph_differs")
      outcome.diagnosis.push_back(
          "the graph uses memory that was freed since its capture, or lacks a part of the work: keep scratch memory as "
          "long as the graph, "
          "and submit to the stream that is given");
    if (!table.rows.empty()) outcome.tables.push_back(std::move(table));
    outcome.measure("launches", static_cast<double>(launches), "launches");
    outcome.measure("differing_launches", static_cast<double>(stale), "launches");
    outcome.duration_seconds = watch.seconds();
    if (stale > 0) return outcome;
    outcome.verdict = changes ? Verdict::pass : Verdict::inconclusive;
    outcome.reason = std::to_string(launches) + " replays gave what calls give";
    if (!changes)
      outcome.reason += ", but other inputs changed nothing, so old data would not show; give other_inputs that do";
    return outcome;
  }
}

}  // namespace assay::inline v0
