#pragma once

#include <map>
#include <string>
#include <string_view>

#include "assay/adapters/cudnn/detail/plan.hpp"
#include "assay/kernels/operation.hpp"

/// Plans of cuDNN for an H200 that is not there: since 9.8 the library plans from a device's properties as well as from
/// a device.
namespace assay::testing {

[[nodiscard]] inline detail::CudnnDescriptor h200() {
  constexpr std::string_view properties =
      R"({"deviceName":"NVIDIA H200","deviceVer":900,"driverVer":13000,"cudaDeviceId":0,"pciDeviceId":0,"isTccDriver":0,"supportCoopLaunch":1,"multiProcessorCount":132,"warpSize":32,)"
      R"("maxGridSize":[2147483647,65535,65535],"maxBlockSize":[1024,1024,64],"maxThreadsPerBlock":1024,"maxThreadsPerSM":2048,"maxCtasPerSM":32,"regsPerBlock":65536,"maxRegistersPerSM":65536,)"
      R"("maxSharedMemoryPerBlock":49152,"maxSharedMemoryPerBlockOptin":232448,"reservedSharedMemoryPerBlock":1024,"l2CacheSize":62914560,"totalGlobalMem":150754820096,"smClockRateKHz":1980000,"memClockRateKHz":3201000})";
  detail::CudnnDescriptor device(CUDNN_BACKEND_DEVICEPROP_DESCRIPTOR);
  device
      .set(CUDNN_ATTR_DEVICEPROP_JSON_REPRESENTATION, CUDNN_TYPE_CHAR, static_cast<std::int64_t>(properties.size()),
           properties.data())
      .finalize("an H200");
  return device;
}

/// Dense operands of a problem at addresses that nobody reads.
[[nodiscard]] inline OperandArray unread_operands(const std::vector<OperandSpec>& specs) {
  OperandArray operands;
  operands.count = static_cast<int>(specs.size());
  for (std::size_t position = 0; position < specs.size(); ++position) {
    const OperandSpec& spec = specs[position];
    if (!spec.present) continue;
    Operand& operand = operands[static_cast<int>(position)];
    operand.format = spec.format;
    operand.rank = static_cast<int>(spec.extents.size());
    Index stride = 1;
    for (int d = operand.rank - 1; d >= 0; --d) {
      operand.extents[d] = spec.extents[static_cast<std::size_t>(d)];
      operand.strides[d] = stride;
      stride *= operand.extents[d] > 0 ? operand.extents[d] : 1;
    }
    operand.data = reinterpret_cast<void*>((position + 1) << 40);
  }
  return operands;
}

}  // namespace assay::testing
