#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "assay/backends/aligned_resource.hpp"
#include "assay/backends/resource_buffer.hpp"
#include "assay/core/result.hpp"

namespace assay::inline v0::detail {

/// Memory for a kernel's own use, at a boundary of 64 bytes and with a guard behind it.
class PluginWorkspace {
 public:
  /// `ErrorKind::out_of_memory` where there is not as much.
  [[nodiscard]] Result<void> allocate(std::uint64_t bytes);
  [[nodiscard]] void* data() { return memory_.data(); }
  [[nodiscard]] std::uint64_t size() const { return size_; }
  [[nodiscard]] bool intact() const {
    const auto* const end = memory_.data() + size_;
    return size_ == 0 || std::all_of(end, end + guard_bytes, [](unsigned char byte) { return byte == guard; });
  }

 private:
  using Memory = ResourceBuffer<unsigned char, AlignedResource>;
  static constexpr std::uint64_t most_bytes = std::uint64_t{1} << 46;
  static constexpr std::size_t guard_bytes = 64;
  static constexpr unsigned char guard = 0xA5;

  std::size_t size_ = 0;
  Memory memory_;
};

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/plugin/detail/plugin_workspace.ipp"
#endif
