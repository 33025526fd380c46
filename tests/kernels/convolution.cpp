#include "assay/kernels/convolution/convolution.hpp"

#include <catch2/catch.hpp>
#include <vector>

#include "assay/validators/faults/convolution_faults.hpp"
#include "testing/operation_conformance.hpp"

using namespace assay;

TEST_CASE("right convolutions are not accused") { testing::require_correct_kernels_pass<Convolution>(0.4); }

TEST_CASE("every fault of a convolution is caught by its default suite") { testing::require_faults_are_caught<Convolution>(); }
