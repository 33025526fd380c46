#include "assay/adapters/onednn/rearrangement.hpp"

#include <catch2/catch.hpp>

#include "testing/operation_conformance.hpp"

using namespace assay;

TEST_CASE("oneDNN's reorder and concat move float32 and integers bit by bit, or are refused with the reason") {
  const auto result = testing::run_suite(testing::suite_of(operation_subject<Rearrangement>(OneDnn(1)), {element_format<float32>()}), 1);
  INFO(result.first_failure);
  CHECK(result.count(Verdict::fail) == 0);
  CHECK(result.count(Verdict::error) == 0);
  CHECK(result.count(Verdict::pass) > 60);
}

// 2.6.3's general code converts to float and back: that flushes subnormal bfloat16 and makes signalling NaNs quiet.
TEST_CASE("oneDNN's reorder and concat of 16-bit formats are right but for subnormal bfloat16 and signalling NaNs") {
  for (const Case& entry : testing::suite_of(operation_subject<Rearrangement>(OneDnn(1)), {element_format<bfloat16>(), element_format<float16>()})) {
    if (testing::is_large(entry)) continue;
    CaseContext context;
    context.seed = case_seed(1, entry.id);
    const Outcome outcome = entry.run(context);
    const bool known = entry.id.find("/special") != std::string::npos || (entry.id.find("/bf16/") != std::string::npos && entry.id.find("/subnormal") != std::string::npos);
    INFO(entry.id << ": " << outcome.reason);
    CHECK((outcome.verdict != Verdict::error && (known || outcome.verdict != Verdict::fail)));
  }
}
