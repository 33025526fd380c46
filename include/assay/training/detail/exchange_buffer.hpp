#pragma once

#include <cstddef>
#include <utility>

#include "assay/collectives/any_collective.hpp"

namespace assay::inline v0::detail {

/// Memory in which a collective takes its data. Movable.
class ExchangeBuffer {
 public:
  ExchangeBuffer() = default;
  ExchangeBuffer(ExchangeBuffer&& other) noexcept
      : memory_(std::move(other.memory_)), begin_(std::exchange(other.begin_, nullptr)), bytes_(other.bytes_) {}
  ExchangeBuffer& operator=(ExchangeBuffer&& other) noexcept {
    std::swap(memory_, other.memory_);
    std::swap(begin_, other.begin_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~ExchangeBuffer() {
    if (begin_ != nullptr) memory_.deallocate(begin_, bytes_);
  }

  /// Makes room for so many bytes; what was there is lost where there was less.
  [[nodiscard]] Result<void> reserve(AnyCollective& collective, std::size_t bytes);
  [[nodiscard]] void* data() const { return begin_; }
  [[nodiscard]] Result<void> write(const void* from, std::size_t bytes) { return memory_.write(begin_, from, bytes); }
  [[nodiscard]] Result<void> read(void* to, std::size_t bytes) const { return memory_.read(to, begin_, bytes); }

 private:
  CollectiveMemory memory_;
  void* begin_ = nullptr;
  std::size_t bytes_ = 0;
};

/// A collective over host data: the arguments travel through buffers of the collective's memory.
class Exchange {
 public:
  explicit Exchange(AnyCollective& collective, std::chrono::milliseconds deadline)
      : collective_(&collective), deadline_(deadline) {}

  /// `call` without its buffers; `to` and `from` have the bytes that its extents say.
  [[nodiscard]] Result<void> run(CollectiveCall call, const void* from, void* to);

 private:
  AnyCollective* collective_;
  std::chrono::milliseconds deadline_;
  ExchangeBuffer send_, receive_;
};

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/training/detail/exchange_buffer.ipp"
#endif
