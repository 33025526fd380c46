#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <cstring>
#include <string>

#include "assay/collectives/flight/rank_flight.hpp"

namespace assay::inline v0::detail {

/// A process beyond doubt: numbers are given again after a while, and mean nothing in another container or on another
/// machine.
struct ProcessIdentity {
  std::int64_t number = 0;
  std::int64_t started = 0;  ///< clock ticks since the machine started; 0: the system does not tell
  std::int64_t space = 0;    ///< of numbers
  std::string host, boot;
};

/// When a process started and whether it runs, by /proc; a process that ended and was not waited for does not run.
struct ProcessStatus {
  std::int64_t started = 0;
  bool runs = false;
};
[[nodiscard]] ProcessIdentity this_process();

/// Whether that process lives; `unknown` where this process cannot see it.
[[nodiscard]] ProcessLife life_of(const ProcessIdentity& process);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/collectives/flight/detail/process_identity.ipp"
#endif
