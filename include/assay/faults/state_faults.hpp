#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "assay/core/fault.hpp"
#include "assay/faults/output_launch.hpp"
#include "assay/suite/seed.hpp"

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
[[nodiscard]] const std::vector<StateFault>& state_faults();

/// How often a case has to run to see a fault with a chance of 99 %: 1 for those that strike always.
[[nodiscard]] inline unsigned launches_to_see(std::string_view fault) {
  for (const StateFault& known : state_faults())
    if (known.fault.name == fault) return known.launches;
  return 1;
}

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/faults/state_faults.ipp"
#endif
