#include "assay/validators/quantization_scheme.hpp"

#include <set>

#include "testing/catch.hpp"

using namespace assay;
using testing::contains;

namespace {
QuantizationScheme named(const std::string& name) {
  return quantization_schemes_named({name}).value().front();
}
}  // namespace

TEST_CASE("bits per value count scales, zero points and the scale of the tensor") {
  CHECK(named("bf16").bits_per_value(10, 10) == 16);
  CHECK(named("e4m3fn").bits_per_value(10, 10) == 8);
  CHECK(named("mxfp4").bits_per_value(4, 64) == 4.25);
  CHECK(named("mxfp4").bits_per_value(1, 33) == 4 + 2 * 8 / 33.0);  // the last block holds one value
  CHECK(named("nvfp4").bits_per_value(4, 64) == 4.5 + 32 / 256.0);
  CHECK(named("int8_channel").bits_per_value(4, 64) == 8.5);
  CHECK(named("int8_channel_asymmetric").bits_per_value(4, 64) == 8 + 40 / 64.0);
  CHECK(named("uint4_group128").bits_per_value(4, 256) == 4 + 36 / 128.0);
  CHECK(named("fp8_tensor").bits_per_value(4, 64) == 8 + 32 / 256.0);
  CHECK(named("fp8_128x128").bits_per_value(129, 128) == 8 + 64 / (129 * 128.0));
  CHECK(named("nf4_64").bits_per_value(4, 128) == 4.5);
  CHECK(named("mxfp4").bits_per_value(0, 64) == 0);
}

TEST_CASE("every scheme for quantization is found by its name, is sound and says what it is") {
  std::set<std::string> names;
  int bits = 16;
  for (const QuantizationScheme& scheme : all_quantization_schemes()) {
    INFO(scheme.name);
    CHECK(names.insert(scheme.name).second);
    CHECK(scheme.scaling.element.bits <= bits);
    bits = scheme.scaling.element.bits;
    CHECK(named(scheme.name).name == scheme.name);
    if (scheme.scaled) CHECK(check(scheme.scaling));
    CHECK_THAT(scheme.description(), contains(scheme.scaling.element.name));
  }
  for (const char* name : {"bf16", "f16", "e4m3fn", "e5m2", "fp8_tensor", "fp8_tensor_e5m2", "int8_channel",
                           "int8_channel_asymmetric", "int4_group128", "uint4_group128", "nf4_64", "mxfp8_e4m3",
                           "mxfp8_e5m2", "mxfp6_e2m3", "mxfp6_e3m2", "mxfp4", "mxint8", "nvfp4"})
    CHECK(names.count(name) == 1);
  CHECK(named("uint4_group128").description() == "uint4, f32 scale and zero point for each 1×128");
  CHECK(named("int8_channel").description() == "int8, f32 scale for each channel");
  CHECK(named("fp8_tensor_e5m2").description() == "e5m2, f32 scale of the tensor");
  CHECK(named("nvfp4").description() == "e2m1fn, e4m3fn scale for each 1×16, one more of the tensor");
  CHECK(named("f16").description() == "f16, no scale");
}

TEST_CASE("names and globs choose schemes for quantization; an unknown one is refused with the nearest") {
  CHECK(quantization_schemes_named({}).value().size() == all_quantization_schemes().size());
  const auto some = quantization_schemes_named({"nvfp4", "mxfp8*", "nvfp4"}).value();
  REQUIRE(some.size() == 3);
  CHECK(some[0].name == "mxfp8_e4m3");
  CHECK(some[1].name == "mxfp8_e5m2");
  CHECK(some[2].name == "nvfp4");
  const auto unknown = quantization_schemes_named({"bf16", "nvpf4"});
  REQUIRE_FALSE(unknown);
  CHECK(unknown.error().kind == ErrorKind::not_found);
  CHECK_THAT(unknown.error().message, contains("unknown format 'nvpf4'; nearest: nvfp4"));
  CHECK_FALSE(quantization_schemes_named({"x*"}));
}
