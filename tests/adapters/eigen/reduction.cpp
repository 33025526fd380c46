#include "assay/adapters/eigen/reduction.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "testing/operation_conformance.hpp"

using namespace assay;

// What Eigen 3.4 gives for maxima, minima and their indices depends on where NaN stands, and one NaN may hide a larger element before it; the l2 norm of a vector with an
// infinity is NaN, since the vectorised square root of infinity is.
TEST_CASE("Eigen's Tensor reductions are right but for special values, or refused with the reason") {
  const Suite suite = testing::suite_of(operation_subject<Reduction>(EigenLibrary(1)), OperationSuiteOptions{}.formats);
  std::size_t passes = 0;
  for (const Case& entry : suite) {
    if (testing::is_large(entry)) continue;
    CaseContext context;
    context.seed = case_seed(1, entry.id);
    const Outcome outcome = entry.run(context);
    passes += outcome.verdict == Verdict::pass ? 1 : 0;
    const auto is = [&](const char* function) { return entry.id.rfind(std::string("reduce_") + function, 0) == 0; };
    const bool known = (is("m") || is("arg") || is("l2_norm")) && !is("mean") && entry.id.find("/special") != std::string::npos;
    INFO(entry.id << ": " << outcome.reason);
    CHECK((outcome.verdict != Verdict::error && (known || outcome.verdict != Verdict::fail)));
  }
  CHECK(passes > 600);
}
