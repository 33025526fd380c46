// Operations on rows, checked on a device.
#include "assay/kernels/cross_entropy/cross_entropy.hpp"
#include "assay/kernels/normalization/normalization.hpp"
#include "assay/kernels/normalization_backward/normalization_backward.hpp"
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
TEST_CASE("normalization is checked on a device", "[operation]") {
  require_checked_on_device<Normalization>();
}
TEST_CASE("normalization backward is checked on a device", "[operation]") {
  require_checked_on_device<NormalizationBackward>();
}
