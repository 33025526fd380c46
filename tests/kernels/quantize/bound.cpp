#include "assay/kernels/quantize/bound.hpp"

#include <cmath>
#include <string>

#include "kernels/quantize/quantize_problems.hpp"

using namespace assay;
using namespace assay::testing;

namespace {

QuantizeBound bound_of(const BlockScaling& scheme) {
  return QuantizeBound::of(QuantizeArithmetic::usual(scheme));
}

}  // namespace

TEST_CASE("where the scale is a power of two one code is right, at ties too") {
  const BlockScaling scheme = mxfp4();
  const AdmittedValues admitted = admitted_elements(scheme, bound_of(scheme), 2.5 * 8, 8, 0);
  CHECK(admitted.lowest == 2);
  CHECK(admitted.highest == 2);
}

TEST_CASE("beside a tie of another scale both codes are right, and only there") {
  const BlockScaling scheme = int8_tensor();
  const QuantizeBound bound = bound_of(scheme);
  const double scale = 0.1F;
  const auto admitted = [&](double quotient) { return admitted_elements(scheme, bound, quotient * scale, scale, 0); };
  CHECK(admitted(41.5).lowest == 41);
  CHECK(admitted(41.5).highest == 42);
  CHECK(admitted(41.5 * (1 + 2 * bound.element)).lowest == 42);
  CHECK(admitted(41.5 * (1 - 2 * bound.element)).highest == 41);
  CHECK(admitted(41.5 * (1 + bound.element / 2)).lowest == 41);
}

TEST_CASE("quotients by rounded reciprocals stay within the bound, and come close to it") {
  const BlockScaling scheme = int8_tensor();
  const double allowed = bound_of(scheme).element;
  double worst = 0;
  for (int i = 1; i < 20000; ++i) {
    const float scale = std::ldexp(static_cast<float>(8388608 + i * 397), -30),
                value = std::ldexp(static_cast<float>(8388609 + i * 211), -25);
    const float reciprocal = 1 / scale, amax = value * 1.25F, factor = 127 / amax, own = amax / 127;
    const auto note = [&](float scaled, float by) {
      worst = std::fmax(
          worst, std::fabs(static_cast<double>(scaled) / (static_cast<double>(value) / static_cast<double>(by)) - 1));
    };
    note(value * reciprocal, scale);
    note(value * factor, own);  // as DeepGEMM's casts have it
  }
  CHECK(worst <= allowed);
  CHECK(worst > allowed * 0.6);
}

TEST_CASE("the most negative integer is right where it is nearer, if the scheme lets it be used") {
  const BlockScaling scheme = mxint8();
  const AdmittedValues admitted = admitted_elements(scheme, bound_of(scheme), -1.999, 1, 0);
  CHECK(admitted.lowest == -2);
  CHECK(admitted.highest == -127.0 / 64);
  CHECK(admitted_elements(scheme, bound_of(scheme), -1.99, 1, 0).lowest == -127.0 / 64);
  BlockScaling restricted = scheme;
  restricted.lowest_may_be_used = false;
  CHECK(admitted_elements(restricted, bound_of(scheme), -1.999, 1, 0).lowest == -127.0 / 64);
}

TEST_CASE(
    "scales by exponents are exact; others may be the neighbor beside a tie; further rules as the scheme admits them") {
  BlockExtremes extremes;
  extremes.add(7);
  const BlockScaling scheme = mxfp4();
  CHECK(scale_is_admitted(scheme, bound_of(scheme), extremes, 1, 1));
  CHECK_FALSE(scale_is_admitted(scheme, bound_of(scheme), extremes, 1, 2));
  CHECK(scale_is_admitted(scheme.admitting(ScaleRule::exponent_covering), bound_of(scheme), extremes, 1, 2));
  const BlockScaling blocks = fp8_1x128();
  const float ideal = 7.0F / 448;
  CHECK(scale_is_admitted(blocks, bound_of(blocks), extremes, 1, static_cast<double>(ideal)));
  CHECK(scale_is_admitted(blocks, bound_of(blocks), extremes, 1, static_cast<double>(7.0F * (1 / 448.0F))));
  CHECK_FALSE(
      scale_is_admitted(blocks, bound_of(blocks), extremes, 1,
                        static_cast<double>(std::nextafter(std::nextafter(std::nextafter(ideal, 1.0F), 1.0F), 1.0F))));
  CHECK(admitted_tensor_scales(nvfp4(), bound_of(nvfp4()), 2688).admit(1));
  CHECK_FALSE(admitted_tensor_scales(nvfp4(), bound_of(nvfp4()), 2688).admit(1.001));
}

TEST_CASE("the rule that covers looks at a quotient, whose rounding may move it over a power of two") {
  const BlockScaling scheme = mxfp8_e4m3().admitting(ScaleRule::exponent_covering);
  BlockExtremes extremes;
  extremes.add(448);
  CHECK(scale_is_admitted(scheme, bound_of(scheme), extremes, 1, 1));
  CHECK(scale_is_admitted(scheme, bound_of(scheme), extremes, 1, 2));  // 448 · RN(1/448) may be above 1
  BlockExtremes less;
  less.add(447);
  CHECK_FALSE(scale_is_admitted(scheme, bound_of(scheme), less, 1, 2));
}

TEST_CASE("zero points follow from the kernel's own scale") {
  const BlockScaling scheme = uint8_tensor();
  const QuantizeBound bound = bound_of(scheme);
  CHECK(admitted_zero_points(scheme, bound, -1, 0.02F).lowest == 50);
  CHECK(admitted_zero_points(scheme, bound, -1, 0.02F).highest == 50);
  CHECK(admitted_zero_points(scheme, bound, -2.5, 1).highest == 2);  // a tie, exact
  CHECK(admitted_zero_points(scheme, bound, -0.25F, 0.1F).highest == 3);
}

TEST_CASE("a zero point whose difference to a lowest code that is not 0 rounds onto a tie may be either") {
  const BlockScaling scheme = int8_channel_asymmetric();
  const QuantizeBound bound = bound_of(scheme);
  const float smallest = -0.50000006F, ideal = -128 - smallest;
  CHECK(ideal == -127.5F);  // -127.49999994 in float32
  CHECK(admitted_zero_points(scheme, bound, static_cast<double>(smallest), 1).admit(-127));
  CHECK(admitted_zero_points(scheme, bound, static_cast<double>(smallest), 1).admit(-128));
  CHECK_FALSE(admitted_zero_points(scheme, bound, -0.5001, 1).admit(-128));
  CHECK(admitted_zero_points(scheme, bound, -100.4999995, 1).lowest == -28);
  CHECK(admitted_zero_points(scheme, bound, -0.5000001 * 0.1F, 0.1F).admit(-128));
  CHECK(admitted_zero_points(uint8_tensor(), bound, -100.4999995, 1).highest == 100);  // 0 - x does not round
}

TEST_CASE("the derivation names rules and distances") {
  for (const BlockScaling& scheme : all_block_schemes) {
    std::string text;
    for (const std::string& line : explain_quantize_bound(scheme, QuantizeArithmetic::usual(scheme)))
      text += line + '\n';
    CHECK_THAT(text, contains(name_of(scheme.rule)));
    CHECK_THAT(text, contains("ties to even"));
    CHECK(explain_dequantize_bound(scheme, QuantizeArithmetic::usual(scheme)).size() == 2);
    CHECK((text.find("zero points") != std::string::npos) == scheme.zero_points);
  }
}
