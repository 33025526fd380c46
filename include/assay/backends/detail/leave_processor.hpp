#pragma once

#if defined(__linux__)
#include <sched.h>
#endif

namespace assay::inline v0::detail {

/// The logical processor that runs the calling thread; −1 where the system does not tell.
[[nodiscard]] inline int current_processor() noexcept {
#if defined(__linux__) && defined(__GLIBC__)
  return ::sched_getcpu();
#else
  return -1;
#endif
}

/// Moves the calling thread to another processor if it runs on `processor`; its affinity stays as it was. Some kernels,
/// in virtual machines, leave two busy threads on one processor for seconds while another one idles.
inline void leave_processor([[maybe_unused]] int processor) noexcept {
#if defined(__linux__) && defined(__GLIBC__)
  if (processor < 0 || processor >= CPU_SETSIZE || ::sched_getcpu() != processor) return;
  cpu_set_t allowed;
  if (::sched_getaffinity(0, sizeof allowed, &allowed) != 0 || CPU_COUNT(&allowed) < 2) return;
  cpu_set_t others = allowed;
  CPU_CLR(processor, &others);
  if (::sched_setaffinity(0, sizeof others, &others) == 0) ::sched_setaffinity(0, sizeof allowed, &allowed);
#endif
}

}  // namespace assay::inline v0::detail
