#include "assay/faults/quantize_faults.hpp"

#include <map>
#include <set>
#include <string>
#include <vector>

#include "testing/catch.hpp"
#include "validators/quantize_checks.hpp"

using namespace assay;
using namespace assay::testing;

namespace {

/// Where a fault must be caught: scheme, extents, pattern, and what the outcome must say.
struct Trap {
  BlockScaling scheme;
  Index rows, columns;
  QuantizeFillKind fill;
  std::string says;
};

BlockScaling tiled(const BlockScaling& scheme) {
  return scheme.in_order(ScaleOrder::tiles_128x4);
}

/// Each fault in several schemes; the patterns are those of the default suite.
std::multimap<std::string, Trap> traps() {
  using enum QuantizeFillKind;
  return {
      {"exponent_off_by_one", {mxfp8_e4m3(), 33, 330, normal, "exponent is one too large"}},
      {"exponent_off_by_one", {mxfp4(), 33, 330, wide, "exponent is one too large"}},
      {"exponent_off_by_one", {mxint8(), 33, 330, normal, "exponent is one too large"}},
      {"exponent_off_by_one", {fp8_128x128(), 33, 330, normal, "exponent is one too large"}},
      {"padding_in_amax", {mxfp4(), 33, 330, small, "padding counts in their amax"}},
      {"padding_in_amax", {nvfp4(), 33, 330, small, "padding counts in their amax"}},
      {"padding_in_amax", {fp8_1x128(), 33, 330, small, "padding counts in their amax"}},
      {"padding_in_amax", {fp8_128x128(), 130, 260, small, "padding counts in their amax"}},
      {"padding_in_amax", {int4_group128(), 33, 330, small, "padding counts in their amax"}},
      {"padding_in_amax", {nf4_blocks(), 33, 330, small, "padding counts in their amax"}},
      {"padding_scale_one", {tiled(mxfp4()), 130, 260, normal, "places that pad the table"}},
      {"padding_scale_one", {tiled(nvfp4()), 33, 72, normal, "places that pad the table"}},
      {"half_away", {mxfp8_e4m3(), 33, 330, ties, "rounded away from zero"}},
      {"half_away", {mxfp8_e5m2(), 33, 330, ties, "rounded away from zero"}},
      {"half_away", {mxfp6_e3m2(), 33, 330, ties, "rounded away from zero"}},
      {"half_away", {mxfp4(), 33, 330, ties, "rounded away from zero"}},
      {"half_away", {mxint8(), 33, 330, ties, "rounded away from zero"}},
      {"half_away", {nvfp4(), 33, 330, ties, "rounded away from zero"}},
      {"half_away", {fp8_1x128(), 33, 330, ties, "rounded away from zero"}},
      {"half_away", {int8_tensor(), 33, 330, ties, "rounded away from zero"}},
      {"half_away", {uint4_group128(), 33, 330, ties, "rounded away from zero"}},
      {"nan_overflow", {mxfp8_e4m3(), 33, 330, normal, "what is beyond the largest element is due to saturate"}},
      {"nan_overflow", {mxfp8_e5m2(), 33, 330, power_of_two, "what is beyond the largest element is due to saturate"}},
      {"scale_stride", {mxfp4(), 33, 330, normal, "written to wrong places"}},
      {"scale_stride", {nvfp4(), 33, 330, normal, "written to wrong places"}},
      {"scale_stride", {fp8_1x128(), 33, 330, normal, "written to wrong places"}},
      {"wrong_block", {mxfp8_e4m3(), 33, 330, normal, "written to wrong places"}},
      {"wrong_block", {fp8_128x128(), 130, 520, normal, "written to wrong places"}},
      {"missing_zero_point", {uint8_tensor(), 33, 330, normal, "right without the zero point"}},
      {"missing_zero_point", {uint4_group128(), 33, 330, normal, "right without the zero point"}},
      {"missing_zero_point", {int8_channel_asymmetric(), 33, 330, normal, "right without the zero point"}},
      {"swizzled_tail", {tiled(mxfp4()), 130, 260, normal, "written to wrong places"}},
      {"swizzled_tail", {tiled(mxfp8_e4m3()), 33, 72, normal, "written to wrong places"}},
      {"swizzled_tail", {tiled(nvfp4()), 130, 260, normal, "written to wrong places"}},
      {"swizzle_missing", {tiled(mxfp8_e4m3()), 128, 256, normal, "not in tiles of 128x4"}},
      {"nibble_order", {mxfp4(), 33, 330, normal, "order of nibbles is turned around"}},
      {"nibble_order", {nvfp4(), 33, 330, normal, "order of nibbles is turned around"}},
      {"nibble_order", {int4_group128(), 33, 330, normal, "order of nibbles is turned around"}},
      {"nibble_order", {nf4_blocks(), 33, 330, normal, "order of nibbles is turned around"}},
      {"narrow_reciprocal", {fp8_1x128(), 33, 330, normal, "codes are wrong"}},
      {"narrow_reciprocal", {int8_channel(), 33, 330, normal, "codes are wrong"}},
      {"narrow_reciprocal", {nvfp4(), 33, 330, normal, "codes are wrong"}},
      {"truncated_codes", {mxfp4(), 33, 330, normal, "codes are wrong"}},
      {"truncated_codes", {int8_tensor(), 33, 330, normal, "codes are wrong"}},
      {"nan_of_zeros", {mxfp8_e4m3(), 33, 330, normal, "are wrong"}},
      {"nan_of_zeros", {fp8_1x128(), 33, 330, normal, "are wrong"}},
      {"stale_tensor_scale", {nvfp4(), 33, 330, normal, "1 scale of the tensor"}},
      {"unwritten_tail", {mxfp4(), 33, 330, normal, "bytes of the table of scales were never written"}},
      {"input_modified", {mxfp4(), 33, 330, normal, "an input was modified"}},
  };
}

}  // namespace

TEST_CASE("every fault of a quantizer is caught by name, and the same kernel without it passes") {
  const auto all = traps();
  for (const Fault& fault : quantize_faults()) {
    if (!fault.fits("quantize") || fault.name == "gaps_overwritten") continue;
    CHECK(all.count(fault.name) > 0);
    const auto [first, last] = all.equal_range(fault.name);
    for (auto entry = first; entry != last; ++entry) {
      const Trap& trap = entry->second;
      for (QuantizeVariant variant : {QuantizeVariant::divide, QuantizeVariant::reciprocal}) {
        if (variant == QuantizeVariant::reciprocal && entry != first) continue;
        const QuantizeProblem problem = quantize_problem(trap.scheme, trap.rows, trap.columns);
        const Outcome outcome =
            quantize_outcome(emulated_quantize_subject<float32>(variant, fault.name), problem, trap.fill);
        INFO(fault.name << ' ' << trap.scheme.name << ' ' << name_of(variant) << ": " << all_said(outcome));
        CHECK(outcome.verdict == Verdict::fail);
        CHECK_THAT(all_said(outcome), contains(trap.says));
        const Outcome control = quantize_outcome(emulated_quantize_subject<float32>(variant), problem, trap.fill);
        INFO(all_said(control));
        CHECK(control.verdict == Verdict::pass);
      }
    }
  }
}

TEST_CASE("bytes between rows of codes are guarded") {
  QuantizeProblem problem = quantize_problem(mxfp4(), 9, 96);
  problem.code_row_bytes = 64;
  CHECK(quantize_outcome(emulated_quantize_subject<float32>(QuantizeVariant::divide), problem, QuantizeFillKind::normal)
            .verdict == Verdict::pass);
  const Outcome outcome =
      quantize_outcome(emulated_quantize_subject<float32>(QuantizeVariant::divide, "gaps_overwritten"), problem,
                       QuantizeFillKind::normal);
  CHECK(outcome.verdict == Verdict::fail);
  CHECK_THAT(outcome.reason, contains("128 bytes in gaps of the codes were overwritten"));
}

TEST_CASE(
    "ties are exact only where the scale is a power of two: other data leave rounding away unseen, and say how many "
    "codes lie beside a "
    "tie") {
  const Outcome outcome = quantize_outcome(emulated_quantize_subject<bfloat16>(QuantizeVariant::divide, "half_away"),
                                           quantize_problem(int8_tensor(), 33, 330), QuantizeFillKind::normal);
  CHECK(outcome.verdict == Verdict::pass);
  CHECK(outcome.measurement("codes_beside_a_tie").value() > 0);
}

TEST_CASE("every fault of a dequantizer is caught, and the same kernel without it passes") {
  for (const Fault& fault : quantize_faults()) {
    if (!fault.fits("dequantize")) continue;
    bool caught = false;
    for (const BlockScaling& scheme : {mxfp4(), tiled(mxfp4()), nvfp4(), fp8_128x128(), uint8_tensor()}) {
      QuantizeProblem problem = quantize_problem(scheme, 145, 200);
      problem.leading_dimension = 210;
      const Outcome outcome =
          dequantize_outcome(emulated_dequantize_subject<float32>(QuantizeVariant::divide, fault.name), problem,
                             DequantizeFillKind::codes);
      INFO(fault.name << ' ' << scheme.name << ": " << all_said(outcome));
      REQUIRE(outcome.verdict != Verdict::error);
      caught = caught || outcome.verdict == Verdict::fail;
      if (fault.name == "exponent_off_by_one") CHECK(outcome.verdict == Verdict::fail);
      if (fault.name == "missing_zero_point") CHECK((outcome.verdict == Verdict::fail) == scheme.zero_points);
      if (fault.name == "swizzled_tail" || fault.name == "swizzle_missing")
        CHECK((outcome.verdict == Verdict::fail) == (scheme.order == ScaleOrder::tiles_128x4));
      if (fault.name == "nibble_order") CHECK((outcome.verdict == Verdict::fail) == (scheme.element.bits == 4));
    }
    INFO(fault.name);
    CHECK(caught);
  }
}

TEST_CASE("faults of quantizers have names of their own, a class and an effect, and fit an operation") {
  std::set<std::string> names;
  for (const Fault& fault : quantize_faults()) {
    CHECK(names.insert(fault.name).second);
    CHECK(!fault.effect.empty());
    CHECK((fault.fits("quantize") || fault.fits("dequantize")));
    CHECK_FALSE(fault.fits("gemm"));
  }
}
