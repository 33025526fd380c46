#include "assay/adapters/onednn/resize.hpp"

#include <catch2/catch.hpp>

#include "testing/operation_conformance.hpp"

using namespace assay;

TEST_CASE("oneDNN's resampling is right, or refused with the reason") {
  const auto suite = testing::suite_of(operation_subject<Resize>(OneDnn(1)), {element_format<float32>(), element_format<bfloat16>()});
  const auto result = testing::run_suite(suite, 1);
  INFO(result.first_failure << "; worst error / allowed " << result.worst_ratio << " in " << result.worst_case);
  CHECK(result.count(Verdict::fail) == 0);
  CHECK(result.count(Verdict::error) == 0);
  CHECK(result.count(Verdict::pass) > 30);
}
