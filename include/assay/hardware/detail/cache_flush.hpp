#pragma once

#include <cstddef>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace assay::inline v0::detail {

/// Bytes of a cache line, as far as flushing goes: flushing a line twice does no harm.
inline constexpr std::size_t flushed_line = 64;

/// Whether `flush_cache` does anything on this processor.
inline constexpr bool can_flush_cache =
#if defined(__x86_64__) || defined(__aarch64__)
    true;
#else
    false;
#endif

/// Writes the lines of [memory, memory + bytes) back and drops them from all caches, so that the next read comes from
/// memory; ordered with what this thread reads and writes before and after.
inline void flush_cache([[maybe_unused]] const void* memory, [[maybe_unused]] std::size_t bytes) noexcept {
#if defined(__x86_64__)
  static const bool optimized = [] {
    unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
    return __get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) != 0 &&
           (ebx >> 23 & 1) != 0;  // clflushopt, whose flushes do not wait for each other
  }();
  const auto* byte = static_cast<const char*>(memory);
  asm volatile("mfence" ::: "memory");
  for (std::size_t at = 0; at < bytes; at += flushed_line) {
    if (optimized)
      asm volatile("clflushopt %0" ::"m"(byte[at]) : "memory");
    else
      asm volatile("clflush %0" ::"m"(byte[at]) : "memory");
  }
  asm volatile("mfence" ::: "memory");
#elif defined(__aarch64__)
  const auto* byte = static_cast<const char*>(memory);
  for (std::size_t at = 0; at < bytes; at += flushed_line) asm volatile("dc civac, %0" ::"r"(byte + at) : "memory");
  asm volatile("dsb sy" ::: "memory");
#endif
}

}  // namespace assay::inline v0::detail
