#include "assay/adapters/eigen/convolution.hpp"

#include "testing/operation_conformance.hpp"

using namespace assay;

TEST_CASE("Eigen's convolutions in float32 are right, or refused with the reason") {
  testing::require_right(
      testing::suite_of(operation_subject<Convolution>(EigenLibrary(1)), {element_format<float32>()}), 101);
}
