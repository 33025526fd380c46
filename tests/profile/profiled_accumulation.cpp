#include "assay/profile/profiled_accumulation.hpp"

#include "assay/backends/host.hpp"
#include "assay/faults/emulated_gemm.hpp"
#include "assay/profile/profile_gemm.hpp"
#include "assay/profile/simulated_unit.hpp"
#include "assay/validators/check_gemm.hpp"
#include "testing/catch.hpp"

using namespace assay;

namespace {

using Brain = Gemm<bfloat16, bfloat16, float, float>;

ProfileOptions quick() {
  ProfileOptions options;
  options.further_terms = {0};
  return options;
}

AccumulationModel profiled(const MatrixUnitModel& model) {
  return accumulation_of(profile_unit(simulated_matrix_unit(model), quick()).value()).value();
}

}  // namespace

TEST_CASE("The profile of a plain kernel gives what its formats give") {
  MatrixUnitModel model;
  model.products = UnitProducts::fused;
  const AccumulationModel found = profiled(model), promised = accumulation_in<float32>();
  CHECK(found.unit_roundoff == promised.unit_roundoff);
  CHECK(found.max_finite == promised.max_finite);
  CHECK(found.min_subnormal == promised.min_subnormal);
  CHECK(found.precision == promised.precision);
  CHECK(!found.truncating);
  CHECK(found.block == 1);
}

TEST_CASE("The profile of an emulated matrix unit gives what the unit declares") {
  MatrixUnitModel model;
  model.a = model.b = element_format<bfloat16>();
  model.order.fused = detail::matrix_unit_block;
  model.aligned_bits = detail::matrix_unit_bits - 1;
  model.sum_rounding = UnitRounding::toward_zero;
  const AccumulationModel found = profiled(model),
                          declared = accumulation_of<float32>(SummationOrder::truncating_blocks);
  CHECK(found.unit_roundoff == declared.unit_roundoff);
  CHECK(found.precision == declared.precision);
  CHECK(found.truncating == declared.truncating);
  CHECK(found.block == declared.block);
  CHECK(found.max_finite == declared.max_finite);
}

TEST_CASE("A unit that keeps 14 bits is refuted by what its formats promise, and held to what its profile proves") {
  MatrixUnitModel model;
  model.a = model.b = element_format<bfloat16>();
  model.order.fused = 8;
  model.aligned_bits = 13;
  GemmSubject<Brain> unit = simulated_gemm_subject<Brain>(model);
  Host host(1);
  const GemmProblem problem{.m = 32, .n = 32, .k = 512};
  CHECK(check_gemm<Brain>(host, unit, problem, FillKind::uniform, {}, CaseContext{1, 1}).verdict == Verdict::fail);
  const AccumulationModel proved = profiled(model);
  CHECK(proved.precision == 14);
  CHECK(proved.unit_roundoff == 0x1p-13);
  unit.accumulation = [proved](const GemmProblem&) { return proved; };
  CHECK(check_gemm<Brain>(host, unit, problem, FillKind::uniform, {}, CaseContext{1, 1}).verdict == Verdict::pass);
}

TEST_CASE("Without an accumulator or an order there is no model") {
  NumericProfile nothing;
  const auto refused = accumulation_of(nothing);
  REQUIRE(!refused);
  CHECK(refused.error().message == "the profile has no accumulator, because it was not looked for");
}

TEST_CASE("A rounding of sums that is undetermined is not taken for one to nearest") {
  NumericProfile profile;
  profile.accumulator = FormatTraits<float32>::layout;
  profile.order = SummationShape{};
  profile.products = UnitProducts::exact;
  profile.sum_rounding =
      Determined<UnitRounding>::not_determined("its answers near ties fit none of the five rounding modes");
  CHECK(accumulation_of(profile).value().unit_roundoff == 0x1p-23);
  CHECK(accumulation_of(profile).value().truncating);
  profile.sum_rounding = UnitRounding::nearest_even;
  CHECK(accumulation_of(profile).value().unit_roundoff == 0x1p-24);
}
