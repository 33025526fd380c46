#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "assay/core/fault.hpp"
#include "assay/suite/seed.hpp"
#include "assay/validators/faults/output_launch.hpp"

namespace assay::inline v0 {

/// What a kernel with a state remembers: how often it ran, and what was right the last time.
struct LaunchHistory {
  std::uint64_t launches = 0;  ///< that ended before
  ElementFormat format{};
  std::vector<std::uint64_t> codes;  ///< of the first output, the last time

  /// A number that differs from launch to launch, the same in every run of the program.
  [[nodiscard]] std::uint64_t random() const { return detail::splitmix64_finalize(launches * 0x9E3779B97F4A7C15u + 1); }
  /// Elements that the former output had and this one has, in the same format.
  [[nodiscard]] Index common(const OutputLaunch& launch) const {
    return format == launch.output().format ? std::min(static_cast<Index>(codes.size()), launch.size()) : 0;
  }
};

/// A fault that kernels of every operation can have that depends on what ran before, or on chance.
struct StateFault {
  Fault fault;
  void (*spoil)(const LaunchHistory& history, const OutputLaunch& launch);  ///< changes outputs in place; never null
  /// How often a case has to run to see it with a chance of 99 %.
  unsigned launches = 1;
};

/// Faults of what lasts from launch to launch, which kernels of every operation can have.
[[nodiscard]] inline const std::vector<StateFault>& state_faults() {
  using enum FaultClass;
  static const auto take_former = [](const LaunchHistory& history, const OutputLaunch& launch, Index most) {
    for (Index e = 0; e < std::min(most, history.common(launch)); ++e) launch.write(e, history.codes[static_cast<std::size_t>(e)]);
  };
  static const std::vector<StateFault> all{
      {{"former_result", state, "returns the result of the launch before, as far as it reaches", {}},
       [](const LaunchHistory& history, const OutputLaunch& launch) { take_former(history, launch, launch.size()); }},
      {{"former_tile", state, "leaves the first 16 results of the launch before where they are", {}},
       [](const LaunchHistory& history, const OutputLaunch& launch) { take_former(history, launch, 16); }},
      {{"workspace_not_cleared", state, "adds its results to those of the launch before", {}},
       [](const LaunchHistory& history, const OutputLaunch& launch) {
         for (Index e = 0; e < history.common(launch); ++e)
           launch.output().store(e, launch.output().load(e) + history.format.decode(history.codes[static_cast<std::size_t>(e)]));
       }},
      {{"lost_race", state, "gives one element in 64 its neighbour's result, another one each time", {}},
       [](const LaunchHistory& history, const OutputLaunch& launch) {
         for (Index e = 1; e < launch.size(); ++e)
           if (detail::splitmix64_finalize(history.random() + static_cast<std::uint64_t>(e)) % 64 == 0) launch.write(e, launch.code(e - 1));
       }},
      {{"order_of_chance",
        state,
        "gives one element another last bit every second launch, as atomic additions do where the same bits are promised every time",
        {}},
       [](const LaunchHistory& history, const OutputLaunch& launch) {
         const Index e = static_cast<Index>(history.random() % static_cast<std::uint64_t>(launch.size()));
         if (history.launches % 2 == 1) launch.write(e, launch.code(e) ^ 1);
       },
       2},
      {{"flip_in_10000", state, "flips a high fraction bit in one of 10,000 launches", {}},
       [](const LaunchHistory& history, const OutputLaunch& launch) {
         if (history.random() % 10000 == 0) launch.write(launch.size() / 2, launch.code(launch.size() / 2) ^ launch.fraction_bit(0));
       },
       46050}};
  return all;
}

/// How often a case has to run to see a fault with a chance of 99 %: 1 for those that strike always.
[[nodiscard]] inline unsigned launches_to_see(std::string_view fault) {
  for (const StateFault& known : state_faults())
    if (known.fault.name == fault) return known.launches;
  return 1;
}

}  // namespace assay::inline v0
