#pragma once

#include <utility>

#include "assay/backends/backend.hpp"

namespace assay::inline v0::detail {

/// Waits for a stream when it ends, so that buffers declared before it die after the work on them: who returns early
/// need not think of it. Backend and stream must outlive it. Moves; the moved-from one waits for nothing.
template <Backend B>
class WaitAtEnd {
 public:
  WaitAtEnd(B& backend, typename B::Stream& stream) : backend_(&backend), stream_(&stream) {}
  WaitAtEnd(WaitAtEnd&& other) noexcept : backend_(std::exchange(other.backend_, nullptr)), stream_(other.stream_) {}
  WaitAtEnd& operator=(WaitAtEnd&&) = delete;
  ~WaitAtEnd() {
    if (backend_ != nullptr) static_cast<void>(backend_->synchronize(*stream_));
  }
  /// Waits now, and no more at the end.
  [[nodiscard]] Result<void> wait() { return std::exchange(backend_, nullptr)->synchronize(*stream_); }

 private:
  B* backend_;
  typename B::Stream* stream_;
};

}  // namespace assay::inline v0::detail
