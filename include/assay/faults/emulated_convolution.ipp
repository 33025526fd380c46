#pragma once

#include "assay/faults/emulated_convolution.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE void EmulatedFourier::transform(Complex* data, std::size_t count, std::size_t stride,
                                                           float direction) {
  if (count < 2) return;
  std::vector<Complex> even, odd;
  for (std::size_t i = 0; i < count; i += 2) {
    even.push_back(data[i * stride]);
    odd.push_back(data[(i + 1) * stride]);
  }
  transform(even.data(), count / 2, 1, direction);
  transform(odd.data(), count / 2, 1, direction);
  for (std::size_t i = 0; i < count / 2; ++i) {
    const double angle =
        static_cast<double>(direction) * 2 * 3.141592653589793 * static_cast<double>(i) / static_cast<double>(count);
    const Complex turned = Complex(static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle))) * odd[i];
    data[i * stride] = even[i] + turned;
    data[(i + count / 2) * stride] = even[i] - turned;
  }
}

ASSAY_DETAIL_HEADER_INLINE void EmulatedFourier::transform(std::vector<Complex>& data, const std::size_t (&sizes)[3],
                                                           float direction) {
  for (int axis = 0; axis < 3; ++axis) {
    const std::size_t stride = axis == 0 ? sizes[1] * sizes[2] : axis == 1 ? sizes[2] : 1;
    for (std::size_t start = 0; start < data.size(); ++start)
      if (start / stride % sizes[axis] == 0) transform(data.data() + start, sizes[axis], stride, direction);
  }
}

}  // namespace assay::inline v0::detail
