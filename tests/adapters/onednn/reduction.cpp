#include "assay/adapters/onednn/reduction.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "testing/operation_conformance.hpp"

using namespace assay;

// Up to 2.6.3 at least, whether a maximum or minimum is NaN depends on where the NaN stands among the other elements.
TEST_CASE("oneDNN's reductions are right but for maxima and minima over NaN, or refused with the reason") {
  const Suite suite = testing::suite_of(operation_subject<Reduction>(OneDnn(1)), {element_format<float32>(), element_format<bfloat16>()});
  std::size_t passes = 0;
  for (const Case& entry : suite) {
    if (testing::is_large(entry)) continue;
    CaseContext context;
    context.seed = case_seed(1, entry.id);
    const Outcome outcome = entry.run(context);
    passes += outcome.verdict == Verdict::pass ? 1 : 0;
    const bool known = entry.id.find("imum/") != std::string::npos && entry.id.find("/special") != std::string::npos;
    INFO(entry.id << ": " << outcome.reason);
    CHECK((outcome.verdict != Verdict::error && (known || outcome.verdict != Verdict::fail)));
  }
  CHECK(passes > 60);
}
