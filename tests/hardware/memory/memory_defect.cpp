#include "assay/hardware/memory/memory_defect.hpp"

#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("a defect tells where, what, and whether it stays") {
  MemoryDefect defect;
  defect.offset = 0x1000;
  defect.expected = 0;
  defect.actual = defect.reread = 0x11;
  defect.test = "march_c-";
  defect.background = "0x00";
  CHECK(defect.flipped() == 0x11);
  CHECK(!defect.recovered());
  CHECK(defect.text().find("bit 0,4") != std::string::npos);
  CHECK(defect.text().find(": the same") != std::string::npos);
  CHECK(defect.text().find("physical unknown") != std::string::npos);
  defect.reread = 0;
  defect.physical = 0x2000;
  CHECK(defect.recovered());
  CHECK(defect.text().find("right the second time") != std::string::npos);
  CHECK(defect.text().find("physical 0x000000002000") != std::string::npos);
}
