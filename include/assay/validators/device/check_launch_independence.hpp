#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "assay/validators/device/detail/device_check.hpp"
#include "assay/validators/device/launch_determinism.hpp"

namespace assay::inline v0 {

/// What a kernel is launched with.
struct LaunchIndependenceOptions {
  /// For kernels that take a shape.
  std::vector<LaunchShape> shapes{{1, 32}, {1, 1024}, {3, 96}, {64, 128}, {1000, 256}, {4096, 64}};
  unsigned repetitions = 3;  ///< of the launch that the others are compared with
  /// The bits must be the same up to this level, whatever the kernel's outputs allow.
  LaunchDeterminism required = LaunchDeterminism::run_to_run;
};

namespace detail {

/// A launch that differs from the usual one in one respect.
struct LaunchVariant {
  LaunchDeterminism level = LaunchDeterminism::run_to_run;
  std::string name;
  std::vector<std::size_t> shifts;  ///< bytes, of each operand
  bool own_stream = false;
  std::ptrdiff_t shape = -1;
};

/// Addresses that the kernel's alignment allows and 64 bytes do not give: all operands moved by 1, 2, … alignments up
/// to 15 bytes, and each alone by one.
template <Backend B>
[[nodiscard]] std::vector<LaunchVariant> misaligned_variants(const DeviceKernel<B>& kernel) {
  std::vector<std::size_t> steps;
  for (const KernelInput& input : kernel.inputs)
    steps.push_back(kernel.alignment > 0 ? kernel.alignment : input.element_bytes);
  for (const KernelOutput& output : kernel.outputs)
    steps.push_back(kernel.alignment > 0 ? kernel.alignment : output.element_bytes);
  std::vector<LaunchVariant> variants;
  const std::size_t least = *std::min_element(steps.begin(), steps.end());
  for (std::size_t shift = least; shift < 16; shift += least) {
    LaunchVariant variant{LaunchDeterminism::across_alignments,
                          "all operands moved by " + std::to_string(shift) + " bytes, as far as their elements allow",
                          {},
                          false,
                          -1};
    for (const std::size_t step : steps) variant.shifts.push_back(shift / step * step);
    variants.push_back(variant);
  }
  for (std::size_t i = 0; i < steps.size() && steps.size() > 1; ++i) {
    if (steps[i] >= 16) continue;
    const bool input = i < kernel.inputs.size();
    LaunchVariant variant{
        LaunchDeterminism::across_alignments,
        (input ? "input " + std::to_string(i) : "output " + std::to_string(i - kernel.inputs.size())) +
            " alone moved by " + std::to_string(steps[i]) + " bytes",
        {},
        false,
        -1};
    variant.shifts.assign(steps.size(), 0);
    variant.shifts[i] = steps[i];
    variants.push_back(variant);
  }
  return variants;
}

template <Backend B>
[[nodiscard]] std::vector<LaunchVariant> launch_variants(const DeviceKernel<B>& kernel,
                                                         const LaunchIndependenceOptions& options) {
  std::vector<LaunchVariant> variants;
  for (unsigned i = 1; i < options.repetitions; ++i)
    variants.push_back({LaunchDeterminism::run_to_run, "the same launch again", {}, false, -1});
  variants.push_back({LaunchDeterminism::across_addresses, "operands moved by 64 bytes",
                      std::vector<std::size_t>(kernel.inputs.size() + kernel.outputs.size(), 64), false, -1});
  variants.push_back({LaunchDeterminism::across_streams, "another stream", {}, true, -1});
  for (LaunchVariant& variant : misaligned_variants(kernel)) variants.push_back(std::move(variant));
  if (kernel.launch_shaped)
    for (std::size_t i = 0; i < options.shapes.size(); ++i)
      variants.push_back({LaunchDeterminism::across_shapes,
                          "blocks × threads " + options.shapes[i].text(),
                          {},
                          false,
                          static_cast<std::ptrdiff_t>(i)});
  return variants;
}

template <ParallelBackend B>
[[nodiscard]] Result<void> run_variant_once(B& backend, typename B::Stream& stream, const DeviceKernel<B>& kernel,
                                            const LaunchVariant& variant, const LaunchIndependenceOptions& options,
                                            KernelMemory<B>& memory) {
  if (auto prepared = memory.prepare(backend, stream); !prepared) return prepared;
  return launch_alone(backend, stream, kernel.name + " (" + variant.name + ")", [&] {
    return variant.shape < 0 ? kernel.launch(backend, stream, memory.operands())
                             : kernel.launch_shaped(backend, stream, memory.operands(),
                                                    options.shapes[static_cast<std::size_t>(variant.shape)]);
  });
}

}  // namespace detail

/// Whether what a kernel gives depends on how it is launched: on where its operands lie and how far they are aligned,
/// on the stream, and, where the kernel takes one, on the shape of the launch. All must give the same bits, or numbers
/// within what the kernel's outputs allow; the outcome's table tells of each launch. A launch that the kernel refuses
/// as `unsupported` or `invalid` is told of, and no failure: it did not pretend.
///
/// Label "determinism": the `LaunchDeterminism` that was reached bit for bit; "fault": `depends_on_alignment`,
/// `depends_on_shape`, `depends_on_stream`, `depends_on_address`, `nondeterministic`, `out_of_bounds_write`. Memory:
/// twice the operands. Misuse: a kernel without outputs or without `launch`.
template <ParallelBackend B>
[[nodiscard]] Outcome check_launch_independence(B& backend, const DeviceKernel<B>& kernel,
                                                const LaunchIndependenceOptions& options = {}) {
  detail::expect_kernel(kernel);
  Outcome outcome = detail::begun_outcome("launch_independence", backend.name(), kernel.name);
  const detail::Stopwatch watch;
  auto stream = backend.make_stream(), other = backend.make_stream();
  if (!stream) return detail::refuse(outcome, stream.error());
  if (!other) return detail::refuse(outcome, other.error());
  auto expected = detail::KernelMemory<B>::make(backend, stream.value(), kernel);
  if (!expected) return detail::refuse(outcome, expected.error());
  if (auto run = detail::run_once(backend, stream.value(), kernel, expected.value()); !run)
    return detail::refuse(outcome, run.error());

  Table table{"launches", {"launch", "bits", "differing elements", "first", "farthest (ulp)"}, {}};
  auto broken = static_cast<LaunchDeterminism>(static_cast<int>(LaunchDeterminism::across_shapes) +
                                               1);  // the first level whose bits are not the same
  std::size_t launches = 1, refused = 0, beyond = 0;
  const auto variants = detail::launch_variants(kernel, options);
  for (const detail::LaunchVariant& variant : variants) {
    typename B::Stream& used = variant.own_stream ? other.value() : stream.value();
    auto memory = detail::KernelMemory<B>::make(backend, used, kernel, variant.shifts);
    if (!memory) return detail::refuse(outcome, memory.error());
    if (auto run = detail::run_variant_once(backend, used, kernel, variant, options, memory.value()); !run) {
      if (run.error().kind != ErrorKind::unsupported && run.error().kind != ErrorKind::invalid)
        return detail::refuse(outcome, run.error());
      ++refused;
      table.rows.push_back({variant.name, "refused: " + run.error().message, "", "", ""});
      continue;
    }
    ++launches;
    auto bits = memory.value().compare(backend, used, kernel, expected.value(), true);
    auto numbers = memory.value().compare(backend, used, kernel, expected.value(), variant.level <= options.required);
    auto margin = memory.value().altered_margin(backend, used);
    if (!bits) return detail::refuse(outcome, bits.error());
    if (!numbers) return detail::refuse(outcome, numbers.error());
    if (!margin) return detail::refuse(outcome, margin.error());
    const auto& found = bits.value().differences;
    const bool same = bits.value().same(), right = numbers.value().same();
    table.rows.push_back(
        {variant.name,
         same    ? "same"
         : right ? "within what is allowed"
                 : "differ",
         std::to_string(found.count), same ? "" : std::to_string(found.first),
         found.farthest == detail::ElementDifferences::none ? "no number" : std::to_string(found.farthest)});
    if (!same) broken = std::min(broken, variant.level);
    if (!margin.value().empty() && outcome.label("fault").empty()) {
      detail::fail(outcome, "out_of_bounds_write", variant.name + ": " + margin.value());
    } else if (!right) {
      ++beyond;
      static constexpr const char* faults[] = {"nondeterministic",  "nondeterministic",     "depends_on_address",
                                               "depends_on_stream", "depends_on_alignment", "depends_on_shape"};
      if (outcome.label("fault").empty())
        detail::fail(outcome, faults[static_cast<int>(variant.level)],
                     variant.name + ": differs in " + numbers.value().text());
    }
  }
  outcome.labels["determinism"] = std::string(name_of(static_cast<LaunchDeterminism>(
      static_cast<int>(broken) - 1 - (broken > LaunchDeterminism::across_shapes && !kernel.launch_shaped ? 1 : 0))));
  outcome.tables.push_back(std::move(table));
  outcome.measure("launches", static_cast<double>(launches), "launches");
  outcome.measure("differing_launches", static_cast<double>(beyond), "launches");
  outcome.measure("refused_launches", static_cast<double>(refused), "launches");
  outcome.duration_seconds = watch.seconds();
  if (!outcome.label("fault").empty()) return outcome;
  outcome.verdict = Verdict::pass;
  outcome.reason = std::to_string(launches) + " launches gave the same " +
                   (broken > LaunchDeterminism::across_shapes ? "bits" : "numbers within what is allowed") +
                   (refused > 0 ? "; the kernel refused " + std::to_string(refused) + ", see the table" : "") +
                   (kernel.launch_shaped ? "" : "; the kernel takes no shape, so none was tried");
  return outcome;
}

}  // namespace assay::inline v0
