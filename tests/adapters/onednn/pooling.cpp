#include "assay/adapters/onednn/pooling.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "testing/operation_conformance.hpp"

using namespace assay;

// Up to 2.6.3 at least, its maxima start at the lowest finite number and take what is larger: NaN is passed over, and a window of
// nothing but NaN or minus infinity gives that number.
TEST_CASE("oneDNN's pooling is right but for maxima over NaN or nothing but minus infinity, or refused with the reason") {
  const Suite suite = testing::suite_of(operation_subject<Pooling>(OneDnn(1)), {element_format<float32>(), element_format<bfloat16>()});
  std::size_t passes = 0;
  for (const Case& entry : suite) {
    if (testing::is_large(entry)) continue;
    CaseContext context;
    context.seed = case_seed(1, entry.id);
    const Outcome outcome = entry.run(context);
    passes += outcome.verdict == Verdict::pass ? 1 : 0;
    const bool known = entry.id.find("/max-") != std::string::npos && (entry.id.find("/special") != std::string::npos || entry.id.find("/one_hot") != std::string::npos);
    INFO(entry.id << ": " << outcome.reason);
    CHECK((outcome.verdict != Verdict::error && (known || outcome.verdict != Verdict::fail)));
  }
  CHECK(passes > 120);
}
