#include "assay/formats/block_schemes.hpp"

#include <set>
#include <string>

#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("every named scheme makes sense, and is found by its name") {
  std::set<std::string> names;
  for (const BlockScaling& scheme : all_block_schemes) {
    INFO(scheme.name);
    const Result<void> checked = check(scheme);
    CHECK(checked.has_value());
    CHECK(names.insert(scheme.name).second);
    REQUIRE(block_scheme_named(scheme.name).has_value());
    CHECK(block_scheme_named(scheme.name)->block_columns == scheme.block_columns);
    CHECK(block_scheme_named(scheme.name)->element.bits == scheme.element.bits);
  }
  CHECK_FALSE(block_scheme_named("mxfp5").has_value());
}

TEST_CASE("the schemes are those of the specifications") {
  for (const BlockScaling& scheme : {mxfp8_e4m3(), mxfp8_e5m2(), mxfp6_e2m3(), mxfp6_e3m2(), mxfp4(), mxint8()}) {
    CHECK(scheme.block_rows == 1);
    CHECK(scheme.block_columns == 32);
    CHECK(scheme.scale.holds_only_powers_of_two());
    CHECK(scheme.rule == ScaleRule::exponent_floor);
  }
  CHECK(mxint8().element.decode(0x80) ==
        -2.0);  // of the specification's table of INT8: the range is ±1.984375, and −2 may be left unused
  CHECK(mxint8().element.decode(0x40) == 1.0);
  CHECK(mxint8().element.max_value() == 1.984375);
  CHECK(nvfp4().block_columns == 16);
  CHECK(nvfp4().scale.max_value() * nvfp4().element.max_value() == 2688);
  CHECK(fp8_128x128().block_rows == 128);
  CHECK(fp8_128x128().element.max_value() == 448);
  CHECK(int8_channel().element.lowest == -127);
  CHECK(uint8_tensor().element.highest == 255);
  CHECK(int8_channel_asymmetric().element.lowest == -128);
  CHECK(int4_group128().element.lowest == -7);
  CHECK(uint4_group128().element.highest == 15);
  CHECK(nf4_blocks().element.max_value() == 1);
  CHECK(nf4_blocks().element.decode(7) == 0);
  CHECK(nvfp4_given().tensor_scale == TensorScale::given);
  CHECK(fp8_tensor_given().rule == ScaleRule::given);
}
