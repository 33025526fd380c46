#include "assay/kernels.hpp"
#include "kernels/computed_elsewhere.hpp"
#include "testing/deferred_device.hpp"

using namespace assay;

namespace {
template <class... Ops>
void require_devices_compute_as_the_host() {
  (testing::require_computes_as_the_host<Ops>(testing::DeferredDevice()), ...);
}
}  // namespace

TEST_CASE("operations on a device, whose work comes late, have the host's references and results") {
  require_devices_compute_as_the_host<Softmax, SoftmaxBackward, CrossEntropy, Normalisation, NormalisationBackward>();
  require_devices_compute_as_the_host<Elementwise, Reduction, RotaryEmbedding, Optimizer, Dropout, Gather, Rearrangement, Pooling, Resize>();
  require_devices_compute_as_the_host<Linear, Sort, Sampling, NonMaximumSuppression>();
}

TEST_CASE("convolutions and attention, which the host computes on vectors, are the same on a device but for the order of sums") {
  testing::require_computes_as_the_host<Convolution>(testing::DeferredDevice(), 1e-11);
  testing::require_computes_as_the_host<Attention>(testing::DeferredDevice(), 1e-11);
  testing::require_computes_as_the_host<AttentionMerge>(testing::DeferredDevice(), 1e-11);
  testing::require_computes_as_the_host<AttentionBackward>(testing::DeferredDevice(), 1e-11);
}
