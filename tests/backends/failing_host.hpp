#pragma once

#include <cstddef>
#include <string_view>

#include "assay/backends/host.hpp"

namespace assay::testing {

/// A host whose next calls can be made to fail, one kind at a time.
struct FailingHost : Host {
  using Host::Host;
  enum class Refuse { nothing, allocation, loop, copy, synchronization } refuse = Refuse::nothing;

  static Failure refused(const char* what) { return failure(ErrorKind::device, std::string("refused ") + what); }

  template <class T>
  [[nodiscard]] Result<Buffer<T>> allocate(std::size_t count) const {
    if (refuse == Refuse::allocation) return refused("allocation");
    return Host::allocate<T>(count);
  }
  template <class T>
  [[nodiscard]] Result<void> copy_to_host(Stream& stream, T* destination, const T* source, std::size_t count) const {
    if (refuse == Refuse::copy) return refused("copy");
    return Host::copy_to_host(stream, destination, source, count);
  }
  template <class Functor>
  [[nodiscard]] Result<void> parallel_for(Stream& stream, std::size_t count, const Functor& functor) const {
    if (refuse == Refuse::loop) return refused("loop");
    return Host::parallel_for(stream, count, functor);
  }
  [[nodiscard]] Result<void> synchronize(Stream& stream) const {
    if (refuse == Refuse::synchronization) return refused("synchronization");
    return Host::synchronize(stream);
  }
};

}  // namespace assay::testing
