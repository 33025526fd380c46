#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "assay/collectives/collective_memory.hpp"

namespace assay::inline v0::detail {

using CopiedBytes = std::vector<std::byte>;

/// Memory in which a runtime's buffers lie, for as long as this lives.
class ScratchBuffer {
 public:
  /// Errors: those of `allocate` and `write`.
  [[nodiscard]] static Result<ScratchBuffer> holding(const CollectiveMemory& memory, const CopiedBytes& bytes) {
    auto data = memory.allocate(bytes.size());
    if (!data) return data.propagate();
    ScratchBuffer buffer(memory, data.value(), bytes.size());
    if (auto written = memory.write(buffer.data(), bytes.data(), bytes.size()); !written) return written.propagate();
    return buffer;
  }
  ScratchBuffer(ScratchBuffer&& other) noexcept
      : memory_(std::move(other.memory_)), data_(std::exchange(other.data_, nullptr)), bytes_(other.bytes_) {}
  ScratchBuffer& operator=(ScratchBuffer&&) = delete;
  ~ScratchBuffer() {
    if (data_ != nullptr) memory_.deallocate(data_, bytes_);
  }
  [[nodiscard]] void* data() const { return data_; }

 private:
  ScratchBuffer(CollectiveMemory memory, void* data, std::size_t bytes)
      : memory_(std::move(memory)), data_(data), bytes_(bytes) {}
  CollectiveMemory memory_;
  void* data_;
  std::size_t bytes_;
};

}  // namespace assay::inline v0::detail
