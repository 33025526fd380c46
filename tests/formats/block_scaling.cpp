#include "assay/formats/block_scaling.hpp"

#include <functional>
#include <string>

#include "assay/formats/block_schemes.hpp"
#include "testing/catch.hpp"

using namespace assay;
using namespace assay::testing;

namespace {

void refused(BlockScaling scheme, const std::function<void(BlockScaling&)>& change, const std::string& says) {
  change(scheme);
  const Result<void> result = check(scheme);
  REQUIRE_FALSE(result.has_value());
  CHECK(result.error().kind == ErrorKind::invalid);
  CHECK_THAT(result.error().message, contains(says));
  CHECK_THAT(result.error().message, contains(scheme.name));
}

}  // namespace

TEST_CASE("tables of scales cover what is left over") {
  const BlockScaling row_blocks = mxfp8_e4m3(), squares = fp8_128x128(), whole = int8_tensor(),
                     channels = int8_channel();
  CHECK(row_blocks.scale_rows(5) == 5);
  CHECK(row_blocks.scale_columns(64) == 2);
  CHECK(row_blocks.scale_columns(65) == 3);
  CHECK(squares.scale_rows(129) == 2);
  CHECK(squares.scale_columns(1) == 1);
  CHECK(whole.scale_rows(700) == 1);
  CHECK(whole.scale_columns(700) == 1);
  CHECK(channels.scale_rows(7) == 7);
  CHECK(channels.scale_columns(9000) == 1);
  CHECK(whole.scale_rows(0) == 0);
  CHECK(row_blocks.scale_columns(0) == 0);
}

TEST_CASE("a scheme admits its own rule and those it was told to") {
  const BlockScaling scheme = mxfp4().admitting(ScaleRule::exponent_covering);
  CHECK(scheme.admits(ScaleRule::exponent_floor));
  CHECK(scheme.admits(ScaleRule::exponent_covering));
  CHECK_FALSE(scheme.admits(ScaleRule::exponent_even));
  CHECK_FALSE(mxfp4().admits(ScaleRule::exponent_covering));
  CHECK(mxfp4().in_order(ScaleOrder::tiles_128x4).order == ScaleOrder::tiles_128x4);
}

TEST_CASE("a description whose parts do not fit is refused, and told why") {
  refused(
      mxfp4(), [](BlockScaling& s) { s.block_columns = 33; }, "ends within a byte; make it a multiple of 2");
  refused(
      mxfp6_e3m2(), [](BlockScaling& s) { s.block_columns = 34; }, "multiple of 4");
  refused(
      mxfp4(), [](BlockScaling& s) { s.block_columns = -32; }, "1×-32");
  refused(
      mxfp6_e3m2(), [](BlockScaling& s) { s.packing = CodePacking::high_first; }, "low_first");
  refused(
      mxfp4(), [](BlockScaling& s) { s.rule = ScaleRule::maximum; }, "no powers of two");
  refused(
      nvfp4(), [](BlockScaling& s) { s.rule = ScaleRule::exponent_floor; }, "the whole tensor");
  refused(
      nvfp4(), [](BlockScaling& s) { s.rule = ScaleRule::given; }, "given scale of the tensor");
  refused(
      fp8_1x128(), [](BlockScaling& s) { s.zero_points = true; }, "zero points need integers");
  refused(
      int8_tensor(), [](BlockScaling& s) { s.zero_points = true; }, "follow from the rule range");
  refused(
      int8_tensor(), [](BlockScaling& s) { s.rule = ScaleRule::range; }, "needs zero points");
  refused(
      uint8_tensor(), [](BlockScaling& s) { s.element.quantum_exponent = -6; }, "units of 1");
  refused(
      fp8_1x128(), [](BlockScaling& s) { s.order = ScaleOrder::tiles_128x4; }, "32 bits");
  refused(
      mxfp8_e4m3(), [](BlockScaling& s) { s.order = ScaleOrder::tiles_128x4, s.block_rows = 32; }, "32 rows");
  refused(
      mxfp8_e4m3(), [](BlockScaling& s) { s.element = code_format<float8_e8m0fnu>(); }, "no zero");
  refused(
      mxfp8_e4m3(), [](BlockScaling& s) { s.element = code_format<float16>(); }, "16 bits");
  refused(
      int8_tensor(), [](BlockScaling& s) { s.element.highest = 128; }, "do not fit 8 bits");
  refused(
      int8_tensor(), [](BlockScaling& s) { s.element.lowest = -129; }, "do not fit 8 bits");
  refused(
      uint8_tensor(), [](BlockScaling& s) { s.element.lowest = -1; }, "do not fit 8 bits");
  refused(
      int8_tensor(), [](BlockScaling& s) { s.scale = integer_code_format("int8", 8, true, -128, 127); },
      "scales in int8");
  refused(
      mxfp8_e4m3(), [](BlockScaling& s) { s.scale = code_format<float6_e2m3fn>(), s.rule = ScaleRule::maximum; },
      "6 bits");
  refused(
      fp8_1x128(), [](BlockScaling& s) { s.least_amax = -1; }, "least_amax");
  refused(
      nvfp4(), [](BlockScaling& s) { s.element.kind = CodeKind::table, s.element.bits = 8; }, "at most 4");
}
