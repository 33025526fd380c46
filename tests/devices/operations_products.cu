// Operations made of products, checked on a device.
#include "assay/kernels/attention/attention.hpp"
#include "assay/kernels/attention_backward/attention_backward.hpp"
#include "assay/kernels/attention_merge/attention_merge.hpp"
#include "assay/kernels/convolution/convolution.hpp"
#include "assay/kernels/linear/linear.hpp"
#include "devices/operation_checks.hpp"

using namespace assay;
using testing::require_checked_on_device;

TEST_CASE("convolution is checked on a device", "[operation]") {
  require_checked_on_device<Convolution>();
}
TEST_CASE("linear is checked on a device", "[operation]") {
  require_checked_on_device<Linear>();
}
TEST_CASE("attention is checked on a device", "[operation]") {
  require_checked_on_device<Attention>();
}
TEST_CASE("attention merge is checked on a device", "[operation]") {
  require_checked_on_device<AttentionMerge>();
}
TEST_CASE("attention backward is checked on a device", "[operation]") {
  require_checked_on_device<AttentionBackward>();
}
