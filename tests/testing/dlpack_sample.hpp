#pragma once

#include <cstdint>
#include <vector>

#include "assay/tensor/dlpack_abi.hpp"

namespace assay::testing {

/// A tensor as another library would hand it over, which counts how often it is deleted. It must outlive what is made
/// of it.
template <class Managed>
struct DLPackSample {
  std::vector<std::int64_t> shape, strides;
  Managed managed{};
  int deleted = 0;

  DLPackSample(void* data, dlpack::TypeCode code, int bits, std::vector<std::int64_t> extents,
               std::vector<std::int64_t> given_strides = {})
      : shape(std::move(extents)), strides(std::move(given_strides)) {
    if constexpr (dlpack::is_versioned<Managed>) managed.version = {1, 1};
    managed.manager_ctx = this;
    managed.deleter = [](Managed* self) { ++static_cast<DLPackSample*>(self->manager_ctx)->deleted; };
    auto& tensor = managed.dl_tensor;
    tensor.data = data;
    tensor.device.device_type = static_cast<decltype(tensor.device.device_type)>(1);
    tensor.ndim = static_cast<std::int32_t>(shape.size());
    tensor.dtype = {static_cast<std::uint8_t>(code), static_cast<std::uint8_t>(bits), 1};
    tensor.shape = shape.empty() ? nullptr : shape.data();
    tensor.strides = strides.empty() ? nullptr : strides.data();
  }
  DLPackSample(const DLPackSample&) = delete;
  DLPackSample& operator=(const DLPackSample&) = delete;
};

}  // namespace assay::testing
