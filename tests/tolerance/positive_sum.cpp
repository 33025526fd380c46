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

TEST_CASE("the growth factor of a sum of one sign is that of its model") {
  using enum RoundingModel;
  const AccumulationModel f32 = accumulation_in<float32>();
  constexpr Index few = 100, many = 10'000'000;
  CHECK(positive_growth_factor(few, 50, f32, statistical).value == growth_factor(few, 50, f32, statistical).value);
  CHECK(positive_growth_factor(many, 50, f32, statistical).value == growth_factor(many, 50, f32, worst_case).value);
  CHECK(positive_growth_factor(many, 50, f32, statistical).value > growth_factor(many, 50, f32, statistical).value);
}
