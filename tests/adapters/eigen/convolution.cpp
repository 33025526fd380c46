#include "assay/adapters/eigen/convolution.hpp"

#include "testing/operation_conformance.hpp"

using namespace assay;

TEST_CASE("Eigen's convolutions in float32 are right, or refused with the reason") {
  const Suite suite = testing::suite_of(operation_subject<Convolution>(EigenLibrary(1)), {element_format<float32>()});
  const testing::SuiteResult result = testing::run_suite(suite, 1);
  INFO(result.first_failure);
  CHECK(result.count(Verdict::fail) == 0);
  CHECK(result.count(Verdict::error) == 0);
  CHECK(result.count(Verdict::inconclusive) == 0);
  CHECK(result.count(Verdict::pass) > 100);
  CHECK(result.worst_ratio > 0.05);
}
