#pragma once

#include "assay/core/processor.hpp"

#include <cstdio>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE std::string processor_name() {
  std::string name;
  if (std::FILE* file = std::fopen("/proc/cpuinfo", "r"); file != nullptr) {
    char line[512];
    while (name.empty() && std::fgets(line, sizeof line, file) != nullptr) {
      if (std::strncmp(line, "model name", 10) != 0 && std::strncmp(line, "Model", 5) != 0) continue;
      if (const char* colon = std::strchr(line, ':'); colon != nullptr) name = colon + 1;
    }
    std::fclose(file);
  }
  while (!name.empty() && (name.back() == '\n' || name.back() == ' ')) name.pop_back();
  while (!name.empty() && (name.front() == ' ' || name.front() == '\t')) name.erase(0, 1);
  if (!name.empty()) return name;
#if defined(__x86_64__)
  return "x86_64";
#elif defined(__aarch64__)
  return "aarch64";
#elif defined(__riscv)
  return "riscv";
#elif defined(__powerpc64__)
  return "ppc64";
#else
  return "unknown processor";
#endif
}

ASSAY_DETAIL_HEADER_INLINE double host_memory_bytes() {
#if defined(_SC_PHYS_PAGES) && defined(_SC_PAGESIZE)
  const long pages = ::sysconf(_SC_PHYS_PAGES);
  const long page = ::sysconf(_SC_PAGESIZE);
  if (pages > 0 && page > 0) return static_cast<double>(pages) * static_cast<double>(page);
#endif
  return 0;
}

}  // namespace assay::inline v0::detail
