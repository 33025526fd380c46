#pragma once

#include <cstddef>
#include <cstring>
#include <functional>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "assay/backends/host.hpp"

namespace assay::testing {

/// Memory that holds 0xFF until it is written and as soon as it is given back, and is given out once only: who reads too early or too late
/// reads NaN, and breaks nothing.
class TellingMemory {
 public:
  [[nodiscard]] void* allocate(std::size_t bytes, std::size_t alignment) {
    auto block = std::make_unique<unsigned char[]>(bytes + alignment);
    void* place = block.get();
    std::size_t space = bytes + alignment;
    std::memset(std::align(alignment, bytes, place, space), 0xFF, bytes);
    blocks_->push_back(std::move(block));
    return place;
  }
  void deallocate(void* pointer, std::size_t bytes, std::size_t) { std::memset(pointer, 0xFF, bytes); }

 private:
  std::shared_ptr<std::vector<std::unique_ptr<unsigned char[]>>> blocks_ = std::make_shared<std::vector<std::unique_ptr<unsigned char[]>>>();
};

/// As a device is: nothing on a stream runs before it is synchronised, and host code has no part in it. Whoever does not wait for results, or
/// lets go of what is still to be read, gets wrong ones. Indices run from the last to the first.
class DeferredDevice : public BasicHost<TellingMemory> {
 public:
  struct Stream {
    std::vector<std::function<void()>> pending;
  };
  static constexpr bool runs_on_host = false;

  DeferredDevice() : BasicHost(1) {}

  [[nodiscard]] std::string_view name() const noexcept { return "deferred"; }
  [[nodiscard]] Result<Stream> make_stream() const { return Stream{}; }

  template <class T>
  [[nodiscard]] Result<void> copy_to_device(Stream& stream, T* destination, const T* source, std::size_t count) const {
    if (count > 0) stream.pending.push_back([=] { std::memcpy(destination, source, count * sizeof(T)); });
    return {};
  }
  template <class T>
  [[nodiscard]] Result<void> copy_to_host(Stream& stream, T* destination, const T* source, std::size_t count) const {
    return copy_to_device(stream, destination, source, count);
  }
  [[nodiscard]] Result<void> record(Event& event, Stream& stream) const {
    if (auto done = synchronize(stream); !done) return done;
    BasicHost::Stream none;
    return BasicHost::record(event, none);
  }
  [[nodiscard]] Result<void> wait(Stream&, const Event& event) const {
    BasicHost::Stream none;
    return BasicHost::wait(none, event);
  }
  [[nodiscard]] Result<void> synchronize(Stream& stream) const {
    for (const auto& work : std::exchange(stream.pending, {})) work();
    return {};
  }
  template <class Functor>
  [[nodiscard]] Result<void> parallel_for(Stream& stream, std::size_t count, const Functor& functor) const {
    stream.pending.push_back([=] {
      for (std::size_t i = count; i > 0; --i) functor(i - 1);
    });
    return {};
  }
};

}  // namespace assay::testing
