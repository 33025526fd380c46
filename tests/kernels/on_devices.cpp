#include "assay/kernels.hpp"
#include "kernels/computed_elsewhere.hpp"
#include "testing/deferred_device.hpp"

using namespace assay;

namespace {
/// What devices and threads must compute bit for bit as one thread of the host does.
template <class B>
void require_computes_as_the_host(const B& backend) {
  const auto require = [&]<class... Ops>() { (testing::require_computes_as_the_host<Ops>(backend), ...); };
  require.template operator()<Softmax, SoftmaxBackward, CrossEntropy, Normalisation, NormalisationBackward, Elementwise, Reduction, RotaryEmbedding, Optimizer, Dropout, Gather, Rearrangement,
                              Pooling, Resize, Linear, Sort, Sampling, NonMaximumSuppression>();
}
}  // namespace

TEST_CASE("operations on a device, whose work comes late, have the host's references and results") { require_computes_as_the_host(testing::DeferredDevice()); }

TEST_CASE("convolutions and attention, which the host computes on vectors, are the same on a device but for the order of sums") {
  testing::require_computes_as_the_host<Convolution>(testing::DeferredDevice(), 1e-11);
  testing::require_computes_as_the_host<Attention>(testing::DeferredDevice(), 1e-11);
  testing::require_computes_as_the_host<AttentionMerge>(testing::DeferredDevice(), 1e-11);
  testing::require_computes_as_the_host<AttentionBackward>(testing::DeferredDevice(), 1e-11);
}

TEST_CASE("references and results are the same for any number of threads") {
  const Host host(3);
  require_computes_as_the_host(host);
  testing::require_computes_as_the_host<Convolution>(host);
  testing::require_computes_as_the_host<Attention>(host);
  testing::require_computes_as_the_host<AttentionMerge>(host);
  testing::require_computes_as_the_host<AttentionBackward>(host);
}
