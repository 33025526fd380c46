#include "assay/backends/emulated_device.hpp"
#include "assay/kernels.hpp"
#include "kernels/computed_elsewhere.hpp"

using namespace assay;

namespace {
/// What devices and threads must compute bit for bit as one thread of the host does.
template <class B>
void require_computes_as_the_host(const B& backend) {
  const auto require = [&]<class... Ops>() { (testing::require_computes_as_the_host<Ops>(backend), ...); };
  require.template
  operator()<SoftmaxBackward, CrossEntropy, NormalizationBackward, Elementwise, Reduction, RotaryEmbedding, Optimizer,
             Dropout, Gather, Rearrangement, Pooling, Resize, Sort, Sampling, NonMaximumSuppression>();
}
}  // namespace

TEST_CASE(
    "operations on a device, whose memory the host may not touch and whose work comes late, have the host's references "
    "and results") {
  const EmulatedDevice device;
  require_computes_as_the_host(device);
  CHECK(device.misuses() == std::vector<std::string>{});
}

TEST_CASE(
    "what the host computes on vectors, or devices in blocks, is the same on a device but for the order of sums and "
    "the like") {
  const EmulatedDevice device;
  testing::require_computes_as_the_host<Softmax>(device, 1e-6);
  testing::require_computes_as_the_host<Normalization>(device, 1e-8);
  testing::require_computes_as_the_host<Linear>(device, 1e-11);
  testing::require_computes_as_the_host<Convolution>(device, 1e-11);
  testing::require_computes_as_the_host<Attention>(device, 1e-11);
  testing::require_computes_as_the_host<AttentionMerge>(device, 1e-11);
  testing::require_computes_as_the_host<AttentionBackward>(device, 1e-11);
  CHECK(device.misuses() == std::vector<std::string>{});
}

TEST_CASE("whichever call of a device is refused, operations say so and free no memory under the work on it") {
  const auto require = []<class... Ops>() { (testing::require_order_whichever_call_is_refused<Ops>(), ...); };
  require.template
  operator()<Softmax, SoftmaxBackward, CrossEntropy, Normalization, NormalizationBackward, Elementwise, Reduction,
             RotaryEmbedding, Optimizer, Dropout, Gather, Rearrangement, Pooling, Resize, Sort, Sampling,
             NonMaximumSuppression, Linear, Convolution, Attention, AttentionMerge, AttentionBackward>();
}

TEST_CASE("references and results are the same for any number of threads") {
  const Host host(3);
  require_computes_as_the_host(host);
  testing::require_computes_as_the_host<Softmax>(host);
  testing::require_computes_as_the_host<Normalization>(host);
  testing::require_computes_as_the_host<Linear>(host);
  testing::require_computes_as_the_host<Convolution>(host);
  testing::require_computes_as_the_host<Attention>(host);
  testing::require_computes_as_the_host<AttentionMerge>(host);
  testing::require_computes_as_the_host<AttentionBackward>(host);
}
