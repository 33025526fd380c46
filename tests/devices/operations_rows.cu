// Operations on rows, checked on a device.
#include "assay/kernels/cross_entropy/cross_entropy.hpp"
#include "assay/kernels/normalisation/normalisation.hpp"
#include "assay/kernels/normalisation_backward/normalisation_backward.hpp"
#include "assay/kernels/softmax/softmax.hpp"
#include "assay/kernels/softmax_backward/softmax_backward.hpp"
#include "devices/operation_checks.hpp"

using namespace assay;
using testing::require_checked_on_device;

TEST_CASE("softmax is checked on a device", "[operation]") {
  require_checked_on_device<Softmax>();
}
TEST_CASE("softmax backward is checked on a device", "[operation]") {
  require_checked_on_device<SoftmaxBackward>();
}
TEST_CASE("cross entropy is checked on a device", "[operation]") {
  require_checked_on_device<CrossEntropy>();
}
TEST_CASE("normalisation is checked on a device", "[operation]") {
  require_checked_on_device<Normalisation>();
}
TEST_CASE("normalisation backward is checked on a device", "[operation]") {
  require_checked_on_device<NormalisationBackward>();
}
