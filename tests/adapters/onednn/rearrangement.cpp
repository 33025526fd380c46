#include "assay/adapters/onednn/rearrangement.hpp"

#include <catch2/catch.hpp>

#include "testing/operation_conformance.hpp"

using namespace assay;

TEST_CASE("oneDNN's reorder and concat move float32 and integers bit by bit, or are refused with the reason") {
  const auto result = testing::run_suite(
      testing::suite_of(operation_subject<Rearrangement>(OneDnn(1)), {element_format<float32>()}), 1);
  INFO(result.first_failure);
  CHECK(result.count(Verdict::fail) == 0);
  CHECK(result.count(Verdict::error) == 0);
  CHECK(result.count(Verdict::pass) > 60);
}

// 2.6.3's general code converts to float and back: that flushes subnormal bfloat16 and makes signaling NaNs quiet.
TEST_CASE("oneDNN's reorder and concat of 16-bit formats are right but for subnormal bfloat16 and signaling NaNs") {
  const Suite suite = testing::suite_of(operation_subject<Rearrangement>(OneDnn(1)),
                                        {element_format<bfloat16>(), element_format<float16>()});
  testing::require_right_but_known(suite, 50, [](const std::string& id) {
    return testing::has(id, "/special") || (testing::has(id, "/bf16/") && testing::has(id, "/subnormal"));
  });
}
