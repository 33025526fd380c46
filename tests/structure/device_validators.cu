// Every validator of devices for a device of that compiler's, CUDA's or HIP's, with all the kernels that it launches.
#if defined(__HIPCC__)
#include "assay/backends/hip.hpp"
#else
#include "assay/backends/cuda.hpp"
#endif

#include "assay/backends/counting_resource.hpp"
#include "assay/backends/guarded_resource.hpp"
#include "assay/validators/device/check_all_reduce_on_device.hpp"
#include "assay/validators/device/check_determinism.hpp"
#include "assay/validators/device/check_error_reporting.hpp"
#include "assay/validators/device/check_graph_replay.hpp"
#include "assay/validators/device/check_huge_offsets.hpp"
#include "assay/validators/device/check_launch_independence.hpp"
#include "assay/validators/device/check_memory_use.hpp"
#include "assay/validators/device/check_multiprocessors.hpp"
#include "assay/validators/device/check_stream_order.hpp"
#include "assay/validators/device/device_case.hpp"

namespace {

#if defined(__HIPCC__)
using Device = assay::Hip;
using Runtime = assay::detail::HipRuntime;
#else
using Device = assay::Cuda;
using Runtime = assay::detail::CudaRuntime;
#endif
using Guarded = assay::GuardedResource<assay::CountingResource<assay::detail::DeviceResource<Runtime>>, Device>;

struct Twice {
  const float* in;
  float* out;
  ASSAY_FUNCTION void operator()(std::size_t i) const { out[i] = 2 * in[i]; }
};

assay::DeviceKernel<Device> kernel() {
  assay::DeviceKernel<Device> made;
  made.name = "twice";
  made.launch_shaped = [](Device& device, Device::Stream& stream, const assay::KernelOperands& at, const assay::LaunchShape& shape) {
    return assay::parallel_for_shaped(device, stream, 1000, Twice{static_cast<const float*>(at.inputs[0]), static_cast<float*>(at.outputs[0])}, shape);
  };
  return made;
}

}  // namespace

assay::Outcome validate_all_reduce(assay::AnyCollective& collective, assay::Coordinator& coordinator) {
  auto device = Device::open();
  return device ? assay::check_all_reduce_on_device(device.value(), collective, coordinator, {}) : assay::Outcome();
}

assay::Outcome validate_device(int which) {
  using namespace assay;
  auto device = Device::open();
  if (!device) return {};
  Device& on = device.value();
  switch (which) {
    case 0: return check_determinism(on, kernel());
    case 1: return check_launch_independence(on, kernel());
    case 2: return check_graph_replay(on, kernel());
    case 3: return check_memory_use(on, kernel());
    case 4: return check_multiprocessors(on);
    case 5: return check_stream_order(on, StreamedKernel<Device>());
    case 6: return check_huge_offsets(on, StridedKernel<Device>());
    case 7: return check_error_reporting(on, kernel(), kernel());
    default: return device_case("x", {}, [] { return Device::open(); }, [](Device&, const CaseContext&) { return Outcome(); }).run({});
  }
}

bool guard_device_memory() {
  auto device = Device::open();
  auto memory = assay::detail::DeviceResource<Runtime>::make(0);
  if (!device || !memory) return false;
  Guarded guarded(device.value(), assay::CountingResource<assay::detail::DeviceResource<Runtime>>(1 << 20, memory.value()));
  auto guarded_device = assay::DeviceBackend<Runtime, Guarded>::open(0, std::make_shared<Guarded>(guarded));
  return guarded_device && guarded_device.value().allocate<float>(10).has_value() && guarded.findings().empty();
}
