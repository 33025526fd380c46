#include "assay/validators/device/launch_determinism.hpp"

#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("levels of determinism have names and an order", "[device]") {
  CHECK(name_of(LaunchDeterminism::none) == "none");
  CHECK(name_of(LaunchDeterminism::across_shapes) == "across_shapes");
  CHECK(LaunchDeterminism::run_to_run < LaunchDeterminism::across_addresses);
  CHECK(LaunchDeterminism::across_streams < LaunchDeterminism::across_alignments);
}
