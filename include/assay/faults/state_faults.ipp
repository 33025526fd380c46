#pragma once

#include "assay/faults/state_faults.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE const std::vector<StateFault>& state_faults() {
  using enum FaultClass;
  static const auto take_former = [](const LaunchHistory& history, const OutputLaunch& launch, Index most) {
    for (Index e = 0; e < std::min(most, history.common(launch)); ++e)
      launch.write(e, history.codes[static_cast<std::size_t>(e)]);
  };
  static const std::vector<StateFault> all{
      {{"former_result", state, "returns the result of the launch before, as far as it reaches", {}},
       [](const LaunchHistory& history, const OutputLaunch& launch) { take_former(history, launch, launch.size()); }},
      {{"former_tile", state, "leaves the first 16 results of the launch before where they are", {}},
       [](const LaunchHistory& history, const OutputLaunch& launch) { take_former(history, launch, 16); }},
      {{"workspace_not_cleared", state, "adds its results to those of the launch before", {}},
       [](const LaunchHistory& history, const OutputLaunch& launch) {
         for (Index e = 0; e < history.common(launch); ++e)
           launch.output().store(
               e, launch.output().load(e) + history.format.decode(history.codes[static_cast<std::size_t>(e)]));
       }},
      {{"lost_race", state, "gives one element in 64 its neighbor's result, another one each time", {}},
       [](const LaunchHistory& history, const OutputLaunch& launch) {
         for (Index e = 1; e < launch.size(); ++e)
           if (detail::splitmix64_finalize(history.random() + static_cast<std::uint64_t>(e)) % 64 == 0)
             launch.write(e, launch.code(e - 1));
       }},
      {{"order_of_chance",
        state,
        "gives one element another last bit every second launch, as atomic additions do where the same bits are "
        "promised every time",
        {}},
       [](const LaunchHistory& history, const OutputLaunch& launch) {
         const Index e = static_cast<Index>(history.random() % static_cast<std::uint64_t>(launch.size()));
         if (history.launches % 2 == 1) launch.write(e, launch.code(e) ^ 1);
       },
       2},
      {{"flip_in_10000", state, "flips a high fraction bit in one of 10,000 launches", {}},
       [](const LaunchHistory& history, const OutputLaunch& launch) {
         if (history.random() % 10000 == 0)
           launch.write(launch.size() / 2, launch.code(launch.size() / 2) ^ launch.fraction_bit(0));
       },
       46050}};
  return all;
}

}  // namespace assay::inline v0
