#pragma once

#include <vector>

#include "assay/backends/emulated_device.hpp"
#include "kernels/gemm_operands.hpp"
#include "testing/catch.hpp"

namespace assay::testing {

/// Values of the host in a device's memory, `offset` elements behind where memory is aligned.
template <class T>
class OnDevice {
 public:
  OnDevice(const EmulatedDevice& device, EmulatedDevice::Stream& stream, const std::vector<T>& values, Index offset = 0)
      : buffer_(device.allocate<T>(values.size() + static_cast<std::size_t>(offset)).value()),
        offset_(values.empty() ? 0 : offset) {
    REQUIRE(device.copy_to_device(stream, data(), values.data(), values.size()));
    REQUIRE(device.synchronize(stream));
  }
  [[nodiscard]] T* data() { return buffer_.data() + offset_; }

 private:
  EmulatedDevice::Buffer<T> buffer_;
  Index offset_;
};

/// The operands of a GEMM on a device.
template <class Op>
struct GemmOnDevice {
  OnDevice<typename Op::FormatA> a;
  OnDevice<typename Op::FormatB> b;
  OnDevice<typename Op::FormatC> c;
  typename Op::Arguments arguments;

  GemmOnDevice(const EmulatedDevice& device, EmulatedDevice::Stream& stream, GemmVectors<Op>& operands,
               Index offset = 0)
      : a(device, stream, operands.a, offset),
        b(device, stream, operands.b, offset),
        c(device, stream, operands.c, offset),
        arguments(operands.arguments()) {
    arguments.a.data = a.data();
    arguments.b.data = b.data();
    arguments.c.data = c.data();
  }
};

template <class T>
[[nodiscard]] std::vector<T> to_host(const EmulatedDevice& device, EmulatedDevice::Stream& stream, const T* data,
                                     std::size_t count) {
  std::vector<T> values(count);
  REQUIRE(device.copy_to_host(stream, values.data(), data, count));
  REQUIRE(device.synchronize(stream));
  return values;
}

/// A device whose blocks run their threads in that order.
[[nodiscard]] inline EmulatedDevice device_in(ThreadOrder order) {
  EmulatedDeviceOptions options;
  options.order = order;
  return EmulatedDevice(options);
}

}  // namespace assay::testing
