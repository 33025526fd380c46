// Operations that move and choose, checked on a device.
#include "assay/kernels/gather/gather.hpp"
#include "assay/kernels/non_maximum_suppression/non_maximum_suppression.hpp"
#include "assay/kernels/pooling/pooling.hpp"
#include "assay/kernels/rearrangement/rearrangement.hpp"
#include "assay/kernels/resize/resize.hpp"
#include "assay/kernels/sampling/sampling.hpp"
#include "assay/kernels/sort/sort.hpp"
#include "devices/operation_checks.hpp"

using namespace assay;
using testing::require_checked_on_device;

TEST_CASE("rearrangement is checked on a device", "[operation]") {
  require_checked_on_device<Rearrangement>();
}
TEST_CASE("gather is checked on a device", "[operation]") {
  require_checked_on_device<Gather>();
}
TEST_CASE("pooling is checked on a device", "[operation]") {
  require_checked_on_device<Pooling>();
}
TEST_CASE("resize is checked on a device", "[operation]") {
  require_checked_on_device<Resize>();
}
TEST_CASE("sort is checked on a device", "[operation]") {
  require_checked_on_device<Sort>();
}
TEST_CASE("non maximum suppression is checked on a device", "[operation]") {
  require_checked_on_device<NonMaximumSuppression>();
}
TEST_CASE("sampling is checked on a device", "[operation]") {
  require_checked_on_device<Sampling>();
}
