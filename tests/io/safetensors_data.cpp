#include "assay/io/safetensors_data.hpp"

#include "assay/formats/small_formats.hpp"
#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("tensors to be written take their dtype from the format") {
  const float8_e5m2 elements[6] = {};
  const SafetensorsData data = safetensors_data("w", elements, {2, 3});
  CHECK(data.name == "w");
  CHECK(data.type == SafetensorsType::f8_e5m2);
  CHECK(data.shape == std::vector<Index>{2, 3});
  CHECK(data.data == elements);
}

TEST_CASE("formats that safetensors packs, or has not, are no plain arrays") {
  const float4_e2m1fn nibbles[2] = {};
  CHECK_THROWS_WITH(safetensors_data("w", nibbles, {2}), testing::contains("packs F4, 4 bits"));
  const float8_e3m4 other[2] = {};
  CHECK_THROWS_WITH(safetensors_data("w", other, {2}), testing::contains("no dtype for e3m4"));
}
