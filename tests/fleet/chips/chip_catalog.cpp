#include "assay/fleet/chips/chip_catalog.hpp"

#include "assay/report/write_file.hpp"
#include "testing/catch.hpp"
#include "testing/temporary_folder.hpp"

using namespace assay;
using assay::testing::contains;

namespace {

std::string refusal(const std::string& csv) {
  const auto chips = parse_chips(csv, "mine.csv");
  REQUIRE_FALSE(chips.has_value());
  return chips.error().message;
}

}  // namespace

TEST_CASE("the chips that are known have figures in SI units") {
  const ChipCatalog catalog = ChipCatalog::known();
  CHECK(catalog.chips().size() == 54);
  const Chip h100 = catalog.find("H100 SXM").value();
  CHECK(h100.peak("bf16") == 989e12);
  CHECK(h100.memory_bytes == 80e9);
  CHECK(h100.memory_bandwidth == 3350e9);
  CHECK(h100.power_watts == 700);
  CHECK(h100.link_bandwidth == 900e9);
  CHECK(h100.confidence == SourceConfidence::high);
  CHECK(catalog.find("Gaudi3").value().peak("bf16") == 1677e12);  // as shipped, not the white paper's 1835
  CHECK(catalog.find("B300 SXM").value().peak("int8") == 150e12);
}

TEST_CASE("chips are found by case-insensitive names and by beginnings that only one has") {
  const ChipCatalog catalog = ChipCatalog::known();
  CHECK(catalog.find("h100-sxm").value().name == "H100 SXM");
  CHECK(catalog.find("mi300x").value().name == "MI300X");
  CHECK(catalog.find("b200").value().name == "B200 SXM");
  const auto several = catalog.find("h100");
  REQUIRE_FALSE(several.has_value());
  CHECK_THAT(several.error().message, contains("H100 SXM, H100 PCIe, H100 NVL"));
  const auto none = catalog.find("MI300Y");
  REQUIRE_FALSE(none.has_value());
  CHECK(none.error().kind == ErrorKind::not_found);
  CHECK_THAT(none.error().message, contains("MI300X"));
  CHECK_FALSE(catalog.find("").has_value());
}

TEST_CASE("users add chips, and replace ours") {
  const testing::TemporaryFolder folder;
  const auto file = folder.path / "mine.csv";
  REQUIRE(write_file(file,
                     "chip,confidence,source,bf16,memory_gb\nOwn 1,high,bench,100,64\nH100 SXM,medium,rack,900,80\n"));
  ChipCatalog catalog = ChipCatalog::known();
  REQUIRE(catalog.add(file));
  CHECK(catalog.chips().size() == 55);
  CHECK(catalog.find("own1").value().peak("bf16") == 100e12);
  CHECK_FALSE(catalog.find("own1").value().power_watts.has_value());
  CHECK(catalog.find("H100 SXM").value().peak("bf16") == 900e12);
  CHECK(catalog.find("H100 SXM").value().origin == file.string());
  CHECK_FALSE(catalog.add(folder.path / "none.csv").has_value());
}

TEST_CASE("nothing about a chip is guessed") {
  CHECK_THAT(refusal("chip,confidence,source,bf61\n"), contains("unknown column 'bf61'; nearest: bf16"));
  CHECK_THAT(refusal("chip,confidence\n"), contains("no column 'source'"));
  CHECK_THAT(refusal(""), contains("empty"));
  CHECK_THAT(refusal("chip,confidence,source,bf16\na,high,s,-1\n"), contains("'mine.csv': line 2: bf16 is '-1'"));
  CHECK_THAT(refusal("chip,confidence,source,bf16\na,high,s,nan\n"), contains("bf16 is 'nan'"));
  CHECK_THAT(refusal("chip,confidence,source,bf16\na,high,s,1e999\n"), contains("bf16"));
  CHECK_THAT(refusal("chip,confidence,source\na,sure,s\n"), contains("unknown confidence 'sure'"));
  CHECK_THAT(refusal("chip,confidence,source\na,low,\n"), contains("source is empty"));
  CHECK_THAT(refusal("chip,confidence,source\n-,low,s\n"), contains("no name"));
  CHECK_THAT(refusal("chip,confidence,source\nA 1,low,s\na1,low,s\n"), contains("line 3: 'a1' stands there twice"));
  CHECK_THAT(refusal("chip,confidence,source\na,low\n"), contains("2 cells, where line 1 names 3 columns"));
  CHECK_THAT(refusal("chip,confidence,source,chip\n"), contains("two columns"));
  CHECK_THAT(refusal("chip,confidence,source,clock_mhz\na,low,s,100\n"), contains("one derivation"));
  CHECK_THAT(refusal("chip,confidence,source,clock_mhz,units,fma_per_clock,checked_format\na,low,s,1,1,1,bf16\n"),
             contains("of which no peak is given"));
}
