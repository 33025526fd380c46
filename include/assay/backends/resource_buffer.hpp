#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "assay/backends/memory_resource.hpp"
#include "assay/core/result.hpp"

namespace assay::inline v0 {

/// `count` elements from a memory resource, aligned to 64 bytes: what most backends use as their `Buffer<T>`.
/// Moves, does not copy, and keeps the resource alive. The content is indeterminate.
template <class T, MemoryResource Resource>
class ResourceBuffer {
  static_assert(std::is_trivially_copyable_v<T> && !std::is_const_v<T>,
                "buffers hold trivially copyable, mutable elements");

 public:
  static constexpr std::size_t alignment = alignof(T) > 64 ? alignof(T) : 64;  ///< of the first element, in bytes

  ResourceBuffer() = default;
  /// Leaves an empty buffer behind.
  ResourceBuffer(ResourceBuffer&& other) noexcept
      : resource_(std::move(other.resource_)),
        data_(std::exchange(other.data_, nullptr)),
        size_(std::exchange(other.size_, 0)) {}
  /// Frees what was held; leaves the other's memory here.
  ResourceBuffer& operator=(ResourceBuffer&& other) noexcept {
    ResourceBuffer taken(std::move(other));
    std::swap(resource_, taken.resource_);
    std::swap(data_, taken.data_);
    std::swap(size_, taken.size_);
    return *this;
  }
  ~ResourceBuffer() {
    if (data_ != nullptr) resource_->deallocate(data_, size_ * sizeof(T), alignment);
  }

  /// `ErrorKind::out_of_memory` if the resource refuses or the size overflows. `owner` names the backend in messages.
  [[nodiscard]] static Result<ResourceBuffer> make(std::shared_ptr<Resource> resource, std::size_t count,
                                                   const char* owner) {
    ResourceBuffer buffer;
    buffer.resource_ = std::move(resource);
    if (count == 0) return Result<ResourceBuffer>(std::move(buffer));  // spelled out: nvcc would copy
    const std::size_t limit = static_cast<std::size_t>(-1) / sizeof(T);
    void* memory = count <= limit ? buffer.resource_->allocate(count * sizeof(T), alignment) : nullptr;
    if (memory == nullptr)
      return failure(ErrorKind::out_of_memory,
                     std::string(owner) + " could not allocate " + std::to_string(count) + " elements of " +
                         std::to_string(sizeof(T)) + " bytes" +
                         (count <= limit ? "; free memory or use a smaller problem" : ": more than can be addressed"));
    buffer.data_ = static_cast<T*>(memory);
    buffer.size_ = count;
    return Result<ResourceBuffer>(std::move(buffer));
  }

  /// The first element, on the resource's memory; null only for size 0.
  [[nodiscard]] T* data() noexcept { return data_; }
  /// The first element, on the resource's memory; null only for size 0.
  [[nodiscard]] const T* data() const noexcept { return data_; }
  /// Number of elements.
  [[nodiscard]] std::size_t size() const noexcept { return size_; }

 private:
  std::shared_ptr<Resource> resource_;
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace assay::inline v0
