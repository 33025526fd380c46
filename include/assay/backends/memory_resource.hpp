#pragma once

#include <cstddef>
#include <type_traits>

namespace assay::inline v0 {

/// Where a backend's memory comes from.
///
/// `allocate(bytes, alignment)` returns memory aligned to `alignment` (a power of two), or a null pointer: it never
/// throws. `deallocate(pointer, bytes, alignment)` takes back what `allocate` gave with the same arguments. Both may be
/// called from several threads at once.
template <class Resource>
concept MemoryResource = requires(Resource& resource, void* pointer, std::size_t bytes, std::size_t alignment) {
  requires std::is_same_v<decltype(resource.allocate(bytes, alignment)), void*>;
  resource.deallocate(pointer, bytes, alignment);
};

}  // namespace assay::inline v0
