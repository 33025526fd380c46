#include "assay/profile/profile_unit.hpp"

#include "profile/recovered.hpp"
#include "testing/catch.hpp"

using namespace assay;
using assay::testing::Recovered;

namespace {

constexpr UnitRounding all_roundings[] = {UnitRounding::nearest_even,    UnitRounding::nearest_away,
                                          UnitRounding::toward_zero,     UnitRounding::toward_positive,
                                          UnitRounding::toward_negative, UnitRounding::stochastic};

/// How a unit takes in products: one by one, or so many at once, cut to so many bits.
struct Step {
  UnitProducts products;
  Index fused = 1;
  int aligned_bits = -1;
};

struct Stored {
  ElementFormat input, output;
};

/// Profiles a unit of every combination and checks that all is found again.
int recover_all(const std::vector<Stored>& formats, const std::vector<Step>& steps) {
  int combinations = 0;
  for (const Stored& stored : formats)
    for (const FloatLayout& accumulator : {FormatTraits<float32>::layout, FormatTraits<float16>::layout,
                                           FormatTraits<bfloat16>::layout, FormatTraits<tfloat32>::layout})
      for (const Step& step : steps)
        for (const UnitRounding rounding : all_roundings) {
          MatrixUnitModel model;
          model.a = model.b = stored.input;
          model.c = stored.output;
          model.accumulator = accumulator;
          model.products = step.products;
          model.order.fused = step.fused;
          model.aligned_bits = step.aligned_bits;
          model.sum_rounding = model.product_rounding = rounding;
          ProfileOptions options;
          options.terms = std::max<Index>(16, 4 * step.fused);
          options.further_terms = {0};
          const Recovered recovered(model, options);
          INFO(stored.input.name << " → " << stored.output.name << ", sums in " << detail::finding_text(accumulator)
                                 << ", " << step.fused << " terms at once, aligned bits " << step.aligned_bits
                                 << ", products " << enum_name(step.products) << ", " << enum_name(rounding));
          CHECK(recovered.wrong == "");
          ++combinations;
        }
  return combinations;
}

const ElementFormat f32 = element_format<float32>(), f16 = element_format<float16>(), bf16 = element_format<bfloat16>(),
                    e4m3 = element_format<float8_e4m3fn>(), e5m2 = element_format<float8_e5m2>();

MatrixUnitModel tensor_core() {
  MatrixUnitModel model;
  model.a = model.b = f16;
  model.order.fused = 8;
  model.aligned_bits = 24;
  model.sum_rounding = UnitRounding::toward_zero;
  return model;
}

ProfileOptions quick(Index terms = 32) {
  ProfileOptions options;
  options.terms = terms;
  options.further_terms = {0};
  return options;
}

}  // namespace

TEST_CASE(
    "Accumulator, products, roundings, alignment and block length of every combination are found, and the profile's "
    "oracle gives the same "
    "bits") {
  const int combinations =
      recover_all({{f32, f32}, {f16, f32}, {bf16, bf16}, {e4m3, f32}}, {{UnitProducts::rounded},
                                                                        {UnitProducts::fused},
                                                                        {UnitProducts::exact, 4, 23},
                                                                        {UnitProducts::exact, 8, 24},
                                                                        {UnitProducts::exact, 4, 13}});
  CHECK(combinations == 480);
}

TEST_CASE("More combinations of accumulator, products, roundings, alignment and block length are found", "[.long]") {
  std::vector<Step> steps{{UnitProducts::rounded}, {UnitProducts::fused}};
  for (const Index fused : {4, 8, 16, 32})
    for (const int bits : {10, 13, 14, 22, 23, 24, 25}) steps.push_back({UnitProducts::exact, fused, bits});
  CHECK(recover_all(
            {{f32, f32}, {f16, f32}, {f16, f16}, {bf16, f32}, {bf16, bf16}, {e4m3, f32}, {e5m2, f32}, {e4m3, bf16}},
            steps) == 8 * 4 * 30 * 6);
}

TEST_CASE("Every order is found with products rounded and fused, to nearest and directed") {
  for (const SummationShape& order :
       {SummationShape{.chain = SummationChain::descending}, SummationShape{.chain = SummationChain::pairwise},
        SummationShape{.chain = SummationChain::pairwise, .base = 8}, SummationShape{.lanes = 4},
        SummationShape{.lanes = 8, .lane_order = LaneOrder::halves},
        SummationShape{.lanes = 8, .lane_order = LaneOrder::neighbors}, SummationShape{.block = 12},
        SummationShape{.parts = 4}, SummationShape{.block = 8, .lanes = 2}})
    for (const UnitProducts products : {UnitProducts::rounded, UnitProducts::fused})
      for (const UnitRounding rounding : {UnitRounding::nearest_even, UnitRounding::toward_zero}) {
        MatrixUnitModel model;
        model.order = order;
        model.products = products;
        model.sum_rounding = model.combining_rounding = model.product_rounding = rounding;
        Recovered recovered(model, quick(rounding == UnitRounding::nearest_even ? 64 : 32));
        if (order.parts > 0 || order.block > 0 || order.lanes > 1)
          recovered.compare("combining rounding", recovered.profile.combining_rounding, rounding);
        INFO(text_of(order) << ", products " << enum_name(products) << ", " << enum_name(rounding));
        CHECK(recovered.wrong == "");
      }
}

TEST_CASE("Partial sums that are combined with another rounding are told apart") {
  for (const UnitRounding rounding : all_roundings) {
    MatrixUnitModel model = tensor_core();
    model.order.parts = 4;
    model.combining_rounding = rounding;
    Recovered recovered(model, quick(64));
    recovered.compare("combining rounding", recovered.profile.combining_rounding, rounding);
    INFO(enum_name(rounding));
    if (rounding != UnitRounding::stochastic) CHECK(recovered.wrong == "");
    CHECK(recovered.profile.combining_rounding.value == rounding);
  }
}

TEST_CASE("What is read of inputs, cut by alignment and rounded on output is found") {
  for (const int precision : {11, 8})
    for (const UnitRounding rounding :
         {UnitRounding::nearest_even, UnitRounding::nearest_away, UnitRounding::toward_zero}) {
      MatrixUnitModel model;
      model.order.fused = 8;
      model.aligned_bits = 24;
      model.input_precision = precision;
      model.input_rounding = rounding;
      Recovered recovered(model, quick());
      recovered.compare("input precision", recovered.profile.input_precision, precision);
      recovered.compare("input rounding", recovered.profile.input_rounding, rounding);
      INFO(precision << " bits, " << enum_name(rounding));
      CHECK(recovered.wrong == "");
    }
  for (const UnitRounding alignment :
       {UnitRounding::toward_zero, UnitRounding::toward_negative, UnitRounding::nearest_even})
    for (const bool by_factors : {false, true}) {
      MatrixUnitModel model = tensor_core();
      model.alignment = alignment;
      model.aligned_by_factors = by_factors;
      Recovered recovered(model, quick());
      recovered.compare("alignment", recovered.profile.alignment, alignment);
      recovered.compare("aligned by factors", recovered.profile.aligned_by_factors, by_factors);
      INFO(enum_name(alignment) << (by_factors ? ", by factors" : ""));
      if (alignment != UnitRounding::nearest_even) CHECK(recovered.wrong == "");
      CHECK(recovered.profile.aligned_by_factors.value == by_factors);
    }
  for (const UnitRounding rounding : all_roundings)
    for (const ElementFormat& output : {f16, bf16}) {
      MatrixUnitModel model = tensor_core();
      model.a = model.b = output;
      model.c = output;
      model.output_rounding = rounding;
      const NumericProfile profile = profile_unit(simulated_matrix_unit(model), quick()).value();
      INFO(output.name << " " << enum_name(rounding));
      CHECK(profile.output_rounding.value == rounding);
    }
}

TEST_CASE("Subnormal numbers, overflow and negative zero are found in all combinations") {
  using enum UnitSubnormals;
  for (const UnitSubnormals inputs : {kept, flushed})
    for (const UnitSubnormals sums : {kept, flushed})
      for (const UnitSubnormals outputs : {kept, flushed})
        for (const UnitOverflow overflow : {UnitOverflow::infinity, UnitOverflow::saturates})
          for (const bool from_zero : {true, false}) {
            MatrixUnitModel model;
            model.products = UnitProducts::fused;
            model.input_subnormals = inputs;
            model.sum_subnormals = sums;
            model.output_subnormals = outputs;
            model.sum_overflow = overflow;
            model.starts_from_zero = from_zero;
            Recovered recovered(model, quick(16));
            recovered.compare("input subnormals", recovered.profile.input_subnormals, inputs);
            recovered.compare("sum subnormals", recovered.profile.sum_subnormals, sums);
            recovered.compare("output subnormals", recovered.profile.output_subnormals,
                              sums == flushed ? flushed : outputs);
            recovered.compare("sum overflow", recovered.profile.sum_overflow, overflow);
            recovered.compare("starts from zero", recovered.profile.starts_from_zero, from_zero);
            INFO(enum_name(inputs) << " " << enum_name(sums) << " " << enum_name(outputs) << " " << enum_name(overflow)
                                   << " " << from_zero);
            CHECK(recovered.wrong == "");
            MatrixUnitModel narrow = tensor_core();
            narrow.c = f16;
            narrow.output_overflow = overflow;
            narrow.output_subnormals = outputs;
            const NumericProfile profile = profile_unit(simulated_matrix_unit(narrow), quick()).value();
            CHECK(profile.output_overflow.value == overflow);
            CHECK(profile.output_subnormals.value == outputs);
          }
}

TEST_CASE("A NaN is followed, and a unit that is not repeatable is told") {
  const NumericProfile profile = profile_unit(simulated_matrix_unit(tensor_core()), quick()).value();
  CHECK(profile.nan.value.value_or("") ==
        "propagates, payload lost, sign lost: NaN 0x7f00 gives 0x7fc00000, signaling gives 0x7fc00000");
  CHECK(profile.infinity.value.value_or("") == "inf·1 gives inf, inf − inf NaN 0x7fc00000, inf·0 NaN 0x7fc00000");
  CHECK(profile.repeatable.value == true);
  MatrixUnitModel stochastic;
  stochastic.sum_rounding = UnitRounding::stochastic;
  const NumericProfile drawn = profile_unit(simulated_matrix_unit(stochastic), quick()).value();
  CHECK(drawn.repeatable.value == false);
  CHECK(drawn.sum_rounding.value == UnitRounding::stochastic);
  const auto oracle = model_of(drawn, f32, f32, f32);
  REQUIRE(!oracle);
  CHECK(oracle.error().message ==
        "the profile has no repeatable arithmetic, because its answers differ from run to run");
}

TEST_CASE("A unit without an order is told to have none, and one that fails passes its error on") {
  MatrixUnit zeros{"zeros", f32, f32, f32,
                   [](const std::vector<DotProbe>& probes) -> Result<std::vector<std::uint64_t>> {
                     return std::vector<std::uint64_t>(probes.size(), 0);
                   }};
  const auto profile = profile_unit(zeros);
  REQUIRE(profile);
  CHECK(!profile.value().order);
  CHECK(profile.value().order.note.find("no masks cancel in these formats") == 0);
  CHECK(!model_of(profile.value(), f32, f32, f32));
  zeros.ask = [](const std::vector<DotProbe>&) -> Result<std::vector<std::uint64_t>> {
    return failure(ErrorKind::device, "lost");
  };
  REQUIRE(!profile_unit(zeros));
  CHECK(profile_unit(zeros).error().message == "lost");
  CHECK_THROWS_WITH(profile_unit(zeros, quick(3)),
                    "a profile of sums of 3 terms was asked for; at least 4 are needed to see an order");
}
