// Operations on elements, checked on a device.
#include "assay/kernels/dropout/dropout.hpp"
#include "assay/kernels/elementwise/elementwise.hpp"
#include "assay/kernels/optimizer/optimizer.hpp"
#include "assay/kernels/reduction/reduction.hpp"
#include "assay/kernels/rotary_embedding/rotary_embedding.hpp"
#include "devices/operation_checks.hpp"

using namespace assay;
using testing::require_checked_on_device;

TEST_CASE("elementwise is checked on a device", "[operation]") {
  require_checked_on_device<Elementwise>();
}
TEST_CASE("reduction is checked on a device", "[operation]") {
  require_checked_on_device<Reduction>();
}
TEST_CASE("rotary embedding is checked on a device", "[operation]") {
  require_checked_on_device<RotaryEmbedding>();
}
TEST_CASE("optimizer is checked on a device", "[operation]") {
  require_checked_on_device<Optimizer>();
}
TEST_CASE("dropout is checked on a device", "[operation]") {
  require_checked_on_device<Dropout>();
}
