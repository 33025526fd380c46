#include "assay/io/safetensors_type.hpp"

#include <set>

#include "assay/formats/small_formats.hpp"
#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("every dtype of safetensors is found by its name, and stands at its place") {
  std::set<std::string> names;
  for (const SafetensorsTypeFacts& facts : safetensors_types) {
    names.insert(facts.name);
    CHECK(&safetensors_facts(facts.type) == &facts);
    const auto found = safetensors_type(facts.name);
    REQUIRE(found);
    CHECK(found.value() == facts.type);
    CHECK(reals_per_element(facts.type) == (facts.type == SafetensorsType::c64 ? 2 : 1));
  }
  CHECK(names == std::set<std::string>{"BOOL",    "F4",      "F6_E2M3", "F6_E3M2",     "U8",          "I8",
                                       "F8_E5M2", "F8_E4M3", "F8_E8M0", "F8_E4M3FNUZ", "F8_E5M2FNUZ", "I16",
                                       "U16",     "F16",     "BF16",    "I32",         "U32",         "F32",
                                       "C64",     "F64",     "I64",     "U64"});
  CHECK(safetensors_facts(SafetensorsType::f4).bits == 4);
  CHECK(safetensors_facts(SafetensorsType::f6_e3m2).bits == 6);
  CHECK(safetensors_facts(SafetensorsType::bf16).bits == 16);
  CHECK(safetensors_facts(SafetensorsType::c64).bits == 64);
}

TEST_CASE("an unknown dtype of safetensors is refused with the nearest ones") {
  for (const char* name : {"F8_E4M2", "f32", "", "F32 "}) CHECK_FALSE(safetensors_type(name));
  const auto unknown = safetensors_type("F8_E4M2");
  CHECK(unknown.error().kind == ErrorKind::unsupported);
  CHECK_THAT(unknown.error().message, testing::contains("'F8_E4M2'") && testing::contains("F8_E4M3"));
  CHECK(safetensors_type(std::string(1'000'000, 'F')).error().message.size() < 500);
}

TEST_CASE("formats know their dtype of safetensors") {
  CHECK(safetensors_type_of<float>() == SafetensorsType::f32);
  CHECK(safetensors_type_of<double>() == SafetensorsType::f64);
  CHECK(safetensors_type_of<float16>() == SafetensorsType::f16);
  CHECK(safetensors_type_of<bfloat16>() == SafetensorsType::bf16);
  CHECK(safetensors_type_of<float8_e4m3fn>() == SafetensorsType::f8_e4m3);
  CHECK(safetensors_type_of<float8_e5m2>() == SafetensorsType::f8_e5m2);
  CHECK(safetensors_type_of<float8_e4m3fnuz>() == SafetensorsType::f8_e4m3fnuz);
  CHECK(safetensors_type_of<float8_e5m2fnuz>() == SafetensorsType::f8_e5m2fnuz);
  CHECK(safetensors_type_of<float8_e8m0fnu>() == SafetensorsType::f8_e8m0);
  CHECK(safetensors_type_of<float6_e2m3fn>() == SafetensorsType::f6_e2m3);
  CHECK(safetensors_type_of<float6_e3m2fn>() == SafetensorsType::f6_e3m2);
  CHECK(safetensors_type_of<float4_e2m1fn>() == SafetensorsType::f4);
  CHECK_THROWS_AS(safetensors_type_of<float8_e3m4>(), Misuse);
}
