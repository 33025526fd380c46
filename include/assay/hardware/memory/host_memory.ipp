#pragma once

#include "assay/hardware/memory/host_memory.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <string>

#if defined(__unix__) || defined(__APPLE__)
#include <sys/mman.h>
#endif

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE std::size_t available_host_memory() {
  std::ifstream file("/proc/meminfo");
  std::string name, unit;
  for (std::size_t kibibytes = 0; file >> name >> kibibytes; std::getline(file, unit))
    if (name == "MemAvailable:") return kibibytes * 1024;
  return 0;
}

ASSAY_DETAIL_HEADER_INLINE Result<HostMemory> HostMemory::take([[maybe_unused]] std::size_t bytes) {
#if defined(__unix__) || defined(__APPLE__)
  constexpr std::size_t page = 4096;
  const std::size_t available = available_host_memory();
  const auto refuse = [&](const std::string& why) {
    return failure(ErrorKind::out_of_memory,
                   std::to_string(bytes) + " bytes to test cannot be had: " + why + "; test less, or free memory");
  };
  if (bytes == 0 || bytes > SIZE_MAX - page) return refuse("that is no size");
  if (available > 0 && bytes > available)
    return refuse("the system says that " + std::to_string(available) + " are available");
  const std::size_t rounded = (bytes + page - 1) / page * page;
  void* const memory = ::mmap(nullptr, rounded, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return refuse(std::strerror(errno));
#if defined(MADV_HUGEPAGE)
  ::madvise(memory, rounded, MADV_HUGEPAGE);  // a wish: refusal costs nothing
#endif
  const bool locked = ::mlock(memory, rounded) == 0;
  if (!locked) std::memset(memory, 0xFF, rounded);
  return HostMemory({static_cast<std::uint64_t*>(memory), rounded / 8}, locked);
#else
  return failure(ErrorKind::unsupported, "memory of the host is taken by mmap, which this system does not have");
#endif
}

ASSAY_DETAIL_HEADER_INLINE HostMemory::~HostMemory() {
#if defined(__unix__) || defined(__APPLE__)
  if (!words_.empty()) ::munmap(words_.data(), words_.size_bytes());
#endif
}

}  // namespace assay::inline v0
