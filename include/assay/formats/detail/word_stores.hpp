#pragma once

#include <cstddef>
#include <cstdint>

namespace assay::inline v0::detail {

/// How vectors are stored: any address will do, or they pass by the caches and want an address that is a multiple of
/// their size, or, in halves, of 16 bytes (what allocators give).
enum class WordStores { cached, streamed, streamed_by_16 };

/// Those of an array for vectors of 32 bytes.
inline WordStores stores_to(const void* target, bool streamed) {
  const auto address = reinterpret_cast<std::uintptr_t>(target);
  return !streamed || address % 16 != 0 ? WordStores::cached
         : address % 32 == 0            ? WordStores::streamed
                                        : WordStores::streamed_by_16;
}

}  // namespace assay::inline v0::detail
