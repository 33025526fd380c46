#pragma once

namespace assay::inline v0::detail {

/// Looks for what another thread is about to do, for some twenty microseconds at most: a thread that sleeps takes
/// longer to be woken, in virtual machines several times as long, and small loops follow each other at once.
template <class Condition>
void look_a_while(const Condition& happened) noexcept {
  for (int look = 0; look < 400 && !happened(); ++look) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("isb");
#endif
  }
}

}  // namespace assay::inline v0::detail
