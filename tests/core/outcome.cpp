#include "assay/core/outcome.hpp"

#include <set>
#include <string>

#include "testing/catch.hpp"

using assay::Outcome;

TEST_CASE("an outcome nobody decided is no pass", "[core]") {
  CHECK(Outcome{}.verdict == assay::Verdict::inconclusive);
}

TEST_CASE("measurements are found by name", "[core]") {
  Outcome outcome;
  CHECK_FALSE(outcome.measurement("violations").has_value());
  outcome.measure(assay::measurement::violations, 3, "elements");
  outcome.measure(assay::measurement::worst_error_ratio, 0.25);
  CHECK(outcome.measurement("violations") == 3.0);
  CHECK(outcome.measurement("worst_error_ratio") == 0.25);
  CHECK_FALSE(outcome.measurement("violation").has_value());
  CHECK(outcome.measurements[0].unit == "elements");
  CHECK(outcome.measurements[1].unit == "1");
}

TEST_CASE("a label that is absent is empty", "[core]") {
  Outcome outcome;
  outcome.labels["backend"] = "host";
  CHECK(outcome.label("backend") == "host");
  CHECK(outcome.label("operation").empty());
  CHECK(outcome.labels.size() == 1);
}

TEST_CASE("the names that reports rely on differ", "[core]") {
  namespace names = assay::measurement;
  const std::set<std::string> all{names::worst_error_ratio, names::max_absolute_error, names::max_relative_error,
                                  names::max_ulp_error,     names::violations,         names::elements,
                                  names::kernel_seconds,    names::reference_seconds,  names::comparison_seconds};
  CHECK(all.size() == 9);
}
