#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "assay/core/config.hpp"
#include "assay/core/result.hpp"

namespace assay::inline v0 {

/// How requests arrive at a server that nobody waits for: an open loop.
enum class ArrivalProcess : std::uint8_t {
  constant,  ///< every 1/rate seconds
  poisson,   ///< independent users: exponential gaps
  gamma      ///< gamma gaps of shape `burstiness`: below 1 in bursts, 1 is Poisson, above 1 more even
};

/// A load whose rate may climb. The same seed gives the same times on every machine.
struct ArrivalOptions {
  ArrivalProcess process = ArrivalProcess::poisson;
  double rate = 1;               ///< requests a second, at the start
  double final_rate = 0;         ///< at the end; 0: as at the start. In between it changes linearly
  double burstiness = 1;         ///< shape of gamma gaps
  double seconds = 60;           ///< how long requests arrive
  std::size_t most = 1'000'000;  ///< requests at most
  std::uint64_t seed = 1;
};

/// Arrival times in seconds from the start, ascending. Gaps of rate 1 are drawn first and then stretched by the
/// integral of the rate, so that a ramp is a Poisson process of that rate, too. O(requests).
/// Error `invalid`: a rate, burstiness or duration that is not positive and finite, or that makes no request.
[[nodiscard]] Result<std::vector<double>> arrival_times(const ArrivalOptions& options);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/serving/arrival_times.ipp"
#endif
