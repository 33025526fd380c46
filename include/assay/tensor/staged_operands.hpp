#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "assay/backends/wait_at_end.hpp"
#include "assay/tensor/operand.hpp"

namespace assay::inline v0 {

/// Operands in host memory, copied to a device with the guards about them and back: so that a device that runs no C++
/// functors is seen to write, or to leave unwritten, what a kernel in host memory would. Operands whose memory overlaps
/// stay so. On the device they lie as they did, up to the 64-byte boundary before them.
///
/// The host's memory must not be touched between `create` and `fetch`. Thread safety: one thread at a time. O(bytes).
template <Backend B>
class StagedOperands {
 public:
  /// Submits copies of all that is present. Errors are the backend's.
  [[nodiscard]] static Result<StagedOperands> create(B& backend, typename B::Stream& stream,
                                                     const OperandArray& on_host) {
    StagedOperands staged(backend, stream);
    for (int i = 0; i < on_host.count; ++i)
      if (on_host[i].present()) staged.cover(on_host[i]);
    for (Block& block : staged.blocks_) {
      auto buffer = backend.template allocate<unsigned char>(block.offset() + block.bytes());
      if (!buffer) return buffer.propagate();
      block.buffer.push_back(std::move(buffer).value());
      if (auto copied = backend.copy_to_device(stream, block.on_device(), block.begin, block.bytes()); !copied)
        return copied.propagate();
    }
    staged.operands_ = on_host;
    for (int i = 0; i < on_host.count; ++i)
      if (on_host[i].present()) staged.operands_[i].data = staged.moved(static_cast<char*>(on_host[i].data));
    return Result<StagedOperands>(std::move(staged));
  }

  /// The same operands on the device.
  [[nodiscard]] const OperandArray& operands() const { return operands_; }

  /// Copies everything back to where it came from, guards too, and waits for the stream. Errors are the backend's.
  [[nodiscard]] Result<void> fetch() {
    for (Block& block : blocks_)
      if (auto copied = backend_->copy_to_host(*stream_, block.begin, block.on_device(), block.bytes()); !copied)
        return copied;
    return backend_->synchronize(*stream_);
  }

 private:
  /// Bytes of the host, and their copy.
  struct Block {
    unsigned char *begin, *end;
    std::vector<typename B::template Buffer<unsigned char>> buffer = {};  ///< one, once it is allocated

    [[nodiscard]] std::size_t bytes() const { return static_cast<std::size_t>(end - begin); }
    [[nodiscard]] std::size_t offset() const { return reinterpret_cast<std::uintptr_t>(begin) % 64; }
    [[nodiscard]] unsigned char* on_device() { return buffer.front().data() + offset(); }
  };

  StagedOperands(B& backend, typename B::Stream& stream)
      : backend_(&backend), stream_(&stream), wait_(backend, stream) {}

  /// Makes the bytes of an operand, and those about it, part of a block.
  void cover(const Operand& operand) {
    const bool empty = operand.size() == 0;
    Index first = 0, last = empty ? -1 : 0;
    for (int d = 0; d < operand.rank && !empty; ++d)
      (operand.strides[d] < 0 ? first : last) += (operand.extents[d] - 1) * operand.strides[d];
    auto* const data = static_cast<unsigned char*>(operand.data);
    Block block{data + first * operand.format.bytes - operand.guard_bytes,
                data + (last + 1) * operand.format.bytes + operand.guard_bytes};
    if (block.begin == block.end) return;  // nothing, with nothing about it
    for (std::size_t i = 0; i < blocks_.size();) {
      const Block& other = blocks_[i];
      if (other.end <= block.begin || block.end <= other.begin) {
        ++i;
        continue;
      }
      block.begin = other.begin < block.begin ? other.begin : block.begin;
      block.end = other.end > block.end ? other.end : block.end;
      blocks_.erase(blocks_.begin() + static_cast<std::ptrdiff_t>(i));
    }
    blocks_.push_back(std::move(block));
  }
  /// Where a byte of the host is on the device; null where nothing of it was copied.
  [[nodiscard]] void* moved(char* on_host) {
    auto* const byte = reinterpret_cast<unsigned char*>(on_host);
    for (Block& block : blocks_)
      if (block.begin <= byte && byte < block.end) return block.on_device() + (byte - block.begin);
    return nullptr;
  }

  B* backend_;
  typename B::Stream* stream_;
  std::vector<Block> blocks_;
  OperandArray operands_;
  detail::WaitAtEnd<B> wait_;  ///< last: before the blocks end
};

}  // namespace assay::inline v0
