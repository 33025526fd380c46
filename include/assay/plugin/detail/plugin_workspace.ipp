#pragma once

#include "assay/plugin/detail/plugin_workspace.hpp"

#include <cstring>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE Result<void> PluginWorkspace::allocate(std::uint64_t bytes) {
  if (bytes == 0) return {};
  if (bytes <= most_bytes) {
    auto memory =
        Memory::make(std::make_shared<AlignedResource>(), static_cast<std::size_t>(bytes) + guard_bytes, "host");
    if (memory) {
      memory_ = std::move(memory).value();
      size_ = static_cast<std::size_t>(bytes);
      std::memset(memory_.data(), 0xCD, std::min(size_, guard_bytes));
      std::memset(memory_.data() + size_, guard, guard_bytes);
      return {};
    }
  }
  return failure(ErrorKind::out_of_memory,
                 "a workspace of " + std::to_string(bytes) + " bytes was asked for, and there is not as much");
}

}  // namespace assay::inline v0::detail
