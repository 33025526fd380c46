#include "assay/adapters/eigen/reduction.hpp"

#include <string>

#include "testing/operation_conformance.hpp"

using namespace assay;

// What Eigen 3.4 gives for maxima, minima and their indices depends on where NaN stands, and one NaN may hide a larger
// element before it; the l2 norm of a vector with an infinity is NaN, since the vectorized square root of infinity is.
TEST_CASE("Eigen's Tensor reductions are right but for special values, or refused with the reason") {
  testing::require_right_but_known(
      testing::suite_of(operation_subject<Reduction>(EigenLibrary(1)), OperationSuiteOptions{}.formats), 601,
      [](const std::string& id) {
        const auto is = [&](const char* function) { return id.rfind(std::string("reduce_") + function, 0) == 0; };
        return (is("m") || is("arg") || is("l2_norm")) && !is("mean") && testing::has(id, "/special");
      });
}
