#include "assay/io/safetensors_entry.hpp"

#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("an entry counts elements, values and bytes") {
  const SafetensorsEntry complex{"c", SafetensorsType::c64, {2, 3}, 16, 64};
  CHECK(complex.element_count() == 6);
  CHECK(complex.value_count() == 12);
  CHECK(complex.byte_count() == 48);
  CHECK(SafetensorsEntry{"scalar", SafetensorsType::bf16, {}, 0, 2}.value_count() == 1);
  CHECK(SafetensorsEntry{"none", SafetensorsType::bf16, {4, 0}, 2, 2}.element_count() == 0);
}
