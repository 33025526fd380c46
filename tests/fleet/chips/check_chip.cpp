#include "assay/fleet/chips/check_chip.hpp"

#include "assay/fleet/chips/chip_catalog.hpp"
#include "testing/catch.hpp"

using namespace assay;
using assay::testing::contains;

TEST_CASE("no chip that we ship contradicts itself, and what is derived agrees") {
  std::size_t derived = 0;
  for (const Chip& chip : ChipCatalog::known().chips()) {
    const Outcome outcome = check_chip(chip);
    INFO(chip.name << ": " << outcome.reason);
    CHECK(outcome.verdict != Verdict::fail);
    CHECK((outcome.verdict == Verdict::pass) == (chip.derivation.has_value() && chip.may_gate()));
    derived += outcome.measurement("derived_peak").has_value() ? 1 : 0;
  }
  CHECK(derived >= 20);
}

TEST_CASE("a sparse figure among dense ones is told") {
  Chip chip = ChipCatalog::known().find("H100 SXM").value();
  chip.peaks[2] = 1979e12;
  const Outcome outcome = check_chip(chip);
  CHECK(outcome.verdict == Verdict::fail);
  CHECK_THAT(outcome.reason, contains("sparse"));
  chip.peaks[2] = 900e12;
  CHECK(check_chip(chip).verdict == Verdict::fail);
  CHECK_THAT(check_chip(chip).reason, !contains("sparse"));
}

TEST_CASE("a wider format is not faster") {
  Chip chip = ChipCatalog::known().find("MI300X").value();
  chip.peaks[4] = 600e12;
  CHECK_THAT(check_chip(chip).reason, contains("fp8 is slower than fp16"));
}

TEST_CASE("low confidence never passes") {
  Chip chip = ChipCatalog::known().find("H100 SXM").value();
  chip.confidence = SourceConfidence::low;
  CHECK(check_chip(chip).verdict == Verdict::inconclusive);
}

TEST_CASE("chips side by side") {
  const ChipCatalog catalog = ChipCatalog::known();
  const Table table = compare_chips({catalog.find("H100 SXM").value(), catalog.find("WSE-3").value()});
  CHECK(table.columns == std::vector<std::string>{"figure", "H100 SXM", "WSE-3 (low confidence)"});
  for (const auto& row : table.rows) {
    REQUIRE(row.size() == 3);
    CHECK(row[0] != "fp6, TFLOP/s dense");  // neither states it
    if (row[0] == "ridge point bf16, FLOP/B") CHECK(row[1] == "295");
    if (row[0] == "bf16, TFLOP/s dense") CHECK(row[2] == "-");
  }
  CHECK(list_chips(catalog.chips()).rows.size() == 54);
}
