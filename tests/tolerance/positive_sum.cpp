#include "assay/tolerance/positive_sum.hpp"

#include <catch2/catch.hpp>

using namespace assay;

TEST_CASE("long sums of one sign are not treated statistically") {
  const AccumulationModel f32 = accumulation_in<float32>(), f16 = accumulation_in<float16>();
  CHECK(positive_sum_model(100, f32, RoundingModel::statistical) == RoundingModel::statistical);
  CHECK(positive_sum_model(10'000'000, f32, RoundingModel::statistical) == RoundingModel::worst_case);
  CHECK(positive_sum_model(10'000, f16, RoundingModel::statistical) == RoundingModel::worst_case);
  CHECK(positive_sum_model(100, f32, RoundingModel::worst_case) == RoundingModel::worst_case);
}
