#include "assay/adapters/eigen/elementwise.hpp"

#include <string>

#include "testing/operation_conformance.hpp"

using namespace assay;

namespace {
// What Eigen 3.4 does with float32 on SSE (other formats go through its scalar functions and are right but for NaN):
// - logistic is a rational function of absolute accuracy: its relative error grows to 1 below −18, logistic(−∞) is
//   3e-39, and x·logistic(x) is −1 for large negative x;
// - exp(−∞) is 3e-39; log of subnormal numbers is the smallest normal number's; sqrt and rsqrt take subnormal numbers
//   for 0, and sqrt(∞) is NaN (EIGEN_FAST_MATH, its default);
// - maxima and minima give their second operand where one is NaN.
bool known(const std::string& id) {
  const auto is = [&](const char* function) { return id.rfind(std::string(function) + "/", 0) == 0; };
  const auto has = [&](const char* part) { return testing::has(id, part); };
  if (is("maximum") || is("minimum") || is("relu")) return has("special") || has("extreme");
  if (!has("f32")) return false;
  if (is("sigmoid") || is("silu")) return true;
  return (is("exp") || is("log") || is("sqrt") || is("rsqrt")) &&
         (has("/special") || has("/extreme") || has("/log_uniform") || has("/subnormal"));
}
}  // namespace

TEST_CASE("Eigen's array functions are right but for what is known, or refused with the reason") {
  testing::require_right_but_known(
      testing::suite_of(operation_subject<Elementwise>(EigenLibrary(1)), OperationSuiteOptions{}.formats), 401, known);
}
