#include "assay/tolerance/rounding_error.hpp"

#include <cmath>

#include "testing/catch.hpp"

using namespace assay;
using assay::testing::Approx;
using assay::testing::contains;

TEST_CASE("γ is n·u/(1 − n·u), and void from n·u = 1 on", "[tolerance]") {
  CHECK(gamma_bound(0, 0x1p-24) == 0);
  CHECK(gamma_bound(1, 0.25) == Approx(1.0 / 3).epsilon(1e-15));
  CHECK(gamma_bound(4096, 0x1p-24) == Approx(2.4420026e-4).epsilon(1e-7));  // 2^−12/(1 − 2^−12) = 1/4095
  CHECK(gamma_bound(255, 0x1p-8) == Approx(255).epsilon(1e-12));
  CHECK(std::isinf(gamma_bound(256, 0x1p-8)));
  CHECK(std::isinf(gamma_bound(1e10, 0x1p-8)));
}

TEST_CASE("the confidence factor gives the risk that was asked for", "[tolerance]") {
  CHECK(confidence_factor(1, 1e-14) == Approx(8.11534).epsilon(1e-6));  // √(2 ln 2e14)
  CHECK(confidence_factor(4096.0 * 4096 * 4096, 1e-9) == Approx(9.63013).epsilon(1e-6));
  for (double count : {1.0, 1e6, 1e15})
    for (double risk : {1e-3, 1e-9, 1e-14}) {
      const double lambda = confidence_factor(count, risk);
      CHECK(count * 2 * std::exp(-lambda * lambda / 2) == Approx(risk).epsilon(1e-10));
    }
  CHECK(confidence_factor(0, 1e-9) == confidence_factor(1, 1e-9));
}

TEST_CASE("nothing rounds in exact data", "[tolerance]") {
  const GrowthFactor growth = growth_factor(14336, 1e9, accumulation_in<float32>(), RoundingModel::exact);
  CHECK(growth.value == 0);
  CHECK(growth.model == RoundingModel::exact);
  CHECK_THAT(growth.explanation, contains("g = 0"));
}

TEST_CASE("worst-case data get γ, void where the accumulator is too narrow", "[tolerance]") {
  const GrowthFactor growth = growth_factor(4096, 1e9, accumulation_in<float32>(), RoundingModel::worst_case);
  CHECK(growth.value == Approx(1.0 / 4095).epsilon(1e-14));
  CHECK(growth.model == RoundingModel::worst_case);
  const GrowthFactor nothing = growth_factor(256, 1e9, accumulation_in<bfloat16>(), RoundingModel::worst_case);
  CHECK(std::isinf(nothing.value));
  CHECK_THAT(nothing.explanation, contains("void"));
  CHECK(growth_factor(0, 1, accumulation_in<float32>(), RoundingModel::worst_case).value == 0);
}

TEST_CASE("independent errors grow like the square root, where that is less than γ", "[tolerance]") {
  const GrowthFactor growth = growth_factor(14336, 1e6, accumulation_in<float32>(), RoundingModel::statistical);
  const double lambda = std::sqrt(2 * std::log(2e6 / 1e-14));
  CHECK(growth.value == Approx(lambda * std::sqrt(14336.0) * 0x1p-24).epsilon(1e-12));
  CHECK(growth.model == RoundingModel::statistical);
  CHECK_THAT(growth.explanation, contains("independent"));
  const GrowthFactor few = growth_factor(4, 1e6, accumulation_in<float32>(), RoundingModel::statistical);  // λ > √4
  CHECK(few.value == gamma_bound(4, 0x1p-24));
  CHECK(few.model == RoundingModel::worst_case);
  CHECK(growth_factor(0, 1, accumulation_in<float32>(), RoundingModel::statistical).value == 0);
}

TEST_CASE("the statistical bound never exceeds γ, nor the worst case itself", "[tolerance]") {
  for (Index terms : {1, 2, 10, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 100, 1000, 100000})
    CHECK(growth_factor(terms, 1e6, accumulation_in<float32>(), RoundingModel::statistical).value <=
          gamma_bound(static_cast<double>(terms), 0x1p-24));
  CHECK(std::isinf(
      growth_factor(1000000, 1e6, accumulation_in<bfloat16>(), RoundingModel::statistical).value));  // λ√L·u ≥ 1 too
}

TEST_CASE("a truncating unit has biased errors: never statistical", "[tolerance]") {
  AccumulationModel unit = accumulation_in<float32>();
  unit.truncating = true;
  unit.unit_roundoff = 0x1p-23;
  unit.block = 16;
  const GrowthFactor growth = growth_factor(14336, 1e6, unit, RoundingModel::statistical);
  CHECK(growth.model == RoundingModel::worst_case);
  CHECK(growth.value == gamma_bound(896 * 18, 0x1p-23));
  CHECK_THAT(growth.explanation, contains("truncating"));
}

TEST_CASE("stored partial sums add their own γ, also to exact data if they are coarser than the accumulator",
          "[tolerance]") {
  AccumulationModel model = accumulation_in<float32>();
  model.split = 8;
  model.partial_unit_roundoff = 0x1p-8;
  const double partial = gamma_bound(8, 0x1p-8);
  CHECK(growth_factor(4096, 1e6, model, RoundingModel::worst_case).value ==
        Approx(gamma_bound(4096, 0x1p-24) + partial).epsilon(1e-14));
  const GrowthFactor exact = growth_factor(4096, 1e6, model, RoundingModel::exact);
  CHECK(exact.value == partial);
  CHECK(exact.model == RoundingModel::worst_case);
  CHECK_THAT(exact.explanation, contains("8 partial sums"));
  model.partial_unit_roundoff = 0x1p-24;  // the accumulator's own format: what it holds exactly, they hold
  CHECK(growth_factor(4096, 1e6, model, RoundingModel::exact).value == 0);
  model.partial_unit_roundoff = 0x1p-8;
  model.split = 1;
  CHECK(growth_factor(4096, 1e6, model, RoundingModel::worst_case).value == gamma_bound(4096, 0x1p-24));
}

TEST_CASE("sums that are promoted grow within their part only, and by the additions of the parts") {
  AccumulationModel unit = accumulation_in<float32>();
  unit.unit_roundoff = 0x1p-13;
  unit.truncating = true;
  unit.block = 32;
  AccumulationModel promoted = unit;
  promoted.promotion = 128;
  const double part = growth_factor(128, 1, unit, RoundingModel::worst_case).value;
  CHECK(growth_factor(128, 1, promoted, RoundingModel::worst_case).value == part);
  CHECK(growth_factor(2048, 1, promoted, RoundingModel::statistical).value ==
        Approx(part + gamma_bound(16, 0x1p-24) * (1 + part)));
  CHECK(growth_factor(2048, 1, promoted, RoundingModel::worst_case).value <
        growth_factor(2048, 1, unit, RoundingModel::worst_case).value / 10);
  CHECK(growth_factor(2048, 1, promoted, RoundingModel::exact).value == 0);
}
