#include "assay/fleet/chips/chip.hpp"

#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("what a data sheet does not say is absent") {
  Chip chip;
  chip.peaks[2] = 989e12;
  CHECK(chip.peak("bf16") == 989e12);
  CHECK_FALSE(chip.peak("fp8").has_value());
  CHECK_FALSE(chip.peak("fp7").has_value());
  CHECK_FALSE(chip.memory_bytes.has_value());
}

TEST_CASE("low confidence gates nothing") {
  Chip chip;
  CHECK_FALSE(chip.may_gate());
  chip.confidence = SourceConfidence::medium;
  CHECK(chip.may_gate());
  CHECK(name_of(SourceConfidence::high) == "high");
}

TEST_CASE("a peak is clock, units and two operations each") {
  const Chip::Derivation h100{1830e6, 528, 512, "bf16"};
  CHECK(h100.peak() == testing::Approx(989.43e12).epsilon(1e-5));
}
