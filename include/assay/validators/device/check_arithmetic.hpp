#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/floating_point_guard.hpp"
#include "assay/suite/seed.hpp"
#include "assay/validators/device/detail/device_check.hpp"

namespace assay::inline v0 {

namespace detail {

/// What arithmetic gives that options of compilers make less than IEEE 754's.
struct ArithmeticProbe {
  static constexpr std::size_t kinds = 3;  ///< subnormal results, numbers made of subnormal operands, quotients

  const float* values;  ///< `count` in [1, 2), then as many that are subnormal
  float* results;
  std::size_t count;
  float small;  ///< 2⁻⁷⁰, told at run time so that nothing is folded

  ASSAY_FUNCTION void operator()(std::size_t index) const {
    const float value = values[index], subnormal = values[count + index];
    results[index] = value * small * small;
    results[count + index] = static_cast<float>(static_cast<double>(subnormal) * 0x1p126);
    results[2 * count + index] = value / values[(index + 1) % count];
  }
};

}  // namespace detail

/// Whether the device code of this unit, by which references are made, computes as IEEE 754 asks: subnormal results and
/// operands are kept, quotients rounded to nearest. nvcc's -use_fast_math and -ftz=true break that and define nothing
/// by which a header could refuse them; a reference that takes subnormal inputs for 0 accuses right kernels, and passes
/// wrong ones. Label "fault": `flushed_results`, `flushed_operands` or `approximate_quotients`, the first that differs.
/// Some kilobytes and one launch.
template <ParallelBackend B>
[[nodiscard]] Outcome check_arithmetic(B& backend) {
  constexpr std::size_t count = 1024, all = detail::ArithmeticProbe::kinds * count;
  Outcome outcome = detail::begun_outcome("arithmetic", backend.name(), "");
  const detail::Stopwatch watch;
  std::vector<float> values(2 * count), due(all), given(all);
  for (std::size_t i = 0; i < count; ++i) {
    const auto fraction = static_cast<std::uint32_t>(detail::splitmix64_finalize(i + 1) & 0x7FFFFF);
    values[i] = std::bit_cast<float>(0x3F800000u | fraction);
    values[count + i] = std::bit_cast<float>(fraction);
  }
  with_floating_point_state({}, [&] {
    const detail::ArithmeticProbe probe{values.data(), due.data(), count, 0x1p-70f};
    for (std::size_t i = 0; i < count; ++i) probe(i);
  });

  auto stream = backend.make_stream();
  if (!stream) return detail::refuse(outcome, stream.error());
  auto in = backend.template allocate<float>(values.size());
  if (!in) return detail::refuse(outcome, in.error());
  auto out = backend.template allocate<float>(all);
  if (!out) return detail::refuse(outcome, out.error());
  Result<void> run = backend.copy_to_device(stream.value(), in.value().data(), values.data(), values.size());
  if (run)
    detail::assign(run, detail::launch_alone(backend, stream.value(), "the check of arithmetic", [&] {
                     return backend.parallel_for(
                         stream.value(), count,
                         detail::ArithmeticProbe{in.value().data(), out.value().data(), count, 0x1p-70f});
                   }));
  if (run) detail::assign(run, backend.copy_to_host(stream.value(), given.data(), out.value().data(), all));
  if (auto done = backend.synchronize(stream.value()); run) detail::assign(run, std::move(done));
  outcome.duration_seconds = watch.seconds();
  if (!run) return detail::refuse(outcome, run.error());

  struct Kind {
    const char* fault;
    const char* what;
  };
  constexpr Kind kinds[] = {{"flushed_results", "results that should be subnormal"},
                            {"flushed_operands", "numbers made of subnormal operands"},
                            {"approximate_quotients", "quotients"}};
  for (std::size_t kind = 0; kind < detail::ArithmeticProbe::kinds; ++kind) {
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < count; ++i)
      wrong +=
          std::bit_cast<std::uint32_t>(given[kind * count + i]) != std::bit_cast<std::uint32_t>(due[kind * count + i])
              ? 1
              : 0;
    if (wrong > 0)
      return detail::fail(outcome, kinds[kind].fault,
                          std::to_string(wrong) + " of " + std::to_string(count) + " " + kinds[kind].what +
                              " are not what IEEE 754 asks for; compile units that make references without "
                              "-use_fast_math, -ftz=true and "
                              "-prec-div=false (nvcc), or -fgpu-flush-denormals-to-zero (hipcc)");
  }
  outcome.verdict = Verdict::pass;
  outcome.reason = "subnormal numbers are kept, and quotients rounded to nearest";
  return outcome;
}

}  // namespace assay::inline v0
