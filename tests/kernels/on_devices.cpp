#include "assay/backends/emulated_device.hpp"
#include "assay/kernels.hpp"
#include "kernels/computed_elsewhere.hpp"

using namespace assay;

namespace {

/// What the host computes on vectors, and devices in blocks or one by one, may differ by the order of sums and the like;
/// all else is the same bit for bit.
template <class Op>
constexpr double difference_on_devices = 0;
template <>
constexpr double difference_on_devices<Softmax> = 1e-6;
template <>
constexpr double difference_on_devices<Normalization> = 1e-8;
template <>
constexpr double difference_on_devices<Linear> = 1e-11;
template <>
constexpr double difference_on_devices<Convolution> = 1e-11;
template <>
constexpr double difference_on_devices<Attention> = 1e-11;
template <>
constexpr double difference_on_devices<AttentionMerge> = 1e-11;
template <>
constexpr double difference_on_devices<AttentionBackward> = 1e-11;

template <class... Ops>
void require_device_computes_as_the_host(const EmulatedDevice& device, Operations<Ops...>) {
  (testing::require_computes_as_the_host<Ops>(device, difference_on_devices<Ops>), ...);
}
template <class... Ops>
void require_threads_compute_as_one(const Host& host, Operations<Ops...>) {
  (testing::require_computes_as_the_host<Ops>(host), ...);
}
template <class... Ops>
void require_order_whichever_call_is_refused(Operations<Ops...>) {
  (testing::require_order_whichever_call_is_refused<Ops>(), ...);
}

}  // namespace

TEST_CASE(
    "operations on a device, whose memory the host may not touch and whose work comes late, have the host's references "
    "and results") {
  const EmulatedDevice device;
  require_device_computes_as_the_host(device, AllOperations());
  CHECK(device.misuses() == std::vector<std::string>{});
}

TEST_CASE("whichever call of a device is refused, operations say so and free no memory under the work on it") {
  require_order_whichever_call_is_refused(AllOperations());
}

TEST_CASE("references and results are the same for any number of threads") {
  require_threads_compute_as_one(Host(3), AllOperations());
}
