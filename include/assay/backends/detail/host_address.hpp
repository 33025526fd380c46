#pragma once

#include <cstdint>

#if defined(__linux__) && UINTPTR_MAX > 0xFFFFFFFFu
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace assay::inline v0::detail {

/// AddressSanitizer puts constants among variables.
#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool constants_are_apart = false;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
inline constexpr bool constants_are_apart = false;
#else
inline constexpr bool constants_are_apart = true;
#endif
#else
inline constexpr bool constants_are_apart = true;
#endif

/// Whether `word` looks like the address of what this process may write: its heap, stacks and variables. Constants of
/// the program are none, since functors carry names of formats; nor is what is below 2⁴⁵, where pairs of integers look
/// alike. False where the system does not tell.
[[nodiscard]] inline bool is_host_address([[maybe_unused]] std::uintptr_t word) {
#if defined(__linux__) && UINTPTR_MAX > 0xFFFFFFFFu
  if (word >> 45 == 0 || word >> 48 != 0) return false;  // two integers beside each other, or what no address is
  const auto low = static_cast<std::uint32_t>(word);
  if (low < 65536 || (low & 0xFEFEFEFEu) == 0)
    return false;  // a small integer, or truth values, beside padding that has the half of an address
  unsigned char resident = 0;
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  if (::mincore(reinterpret_cast<void*>(word / page * page), 1, &resident) != 0) return false;
  const auto holds_constant = [](dl_phdr_info* object, std::size_t, void* address) {
    for (int i = 0; i < object->dlpi_phnum; ++i) {
      const auto& segment = object->dlpi_phdr[i];
      const std::uintptr_t offset = *static_cast<std::uintptr_t*>(address) - (object->dlpi_addr + segment.p_vaddr);
      const bool constant = segment.p_type == PT_GNU_RELRO ||
                            (segment.p_type == PT_LOAD && ((segment.p_flags & PF_W) == 0 || !constants_are_apart));
      if (constant && offset < segment.p_memsz) return 1;
    }
    return 0;
  };
  return ::dl_iterate_phdr(holds_constant, &word) == 0;
#else
  return false;
#endif
}

}  // namespace assay::inline v0::detail
