#include "assay/hardware/stress/stress_result.hpp"

#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("a defect of a stress names processor, element and bit, and whether it comes back") {
  StressDefect defect;
  defect.processor = 3;
  defect.row = 5;
  defect.expected = 4;
  defect.actual = 5;
  defect.flipped = 1u << 12;
  defect.reruns = 3;
  CHECK(defect.text().find("processor 3, tile 0, element (5, 0): 5 for 4 (bit 12)") != std::string::npos);
  CHECK(defect.text().find("not seen again in 3 re-runs") != std::string::npos);
  defect.seen_again = 2;
  CHECK(defect.text().find("seen again in 2 of 3") != std::string::npos);
  defect.operands_intact = false;
  CHECK(defect.text().find("operand in memory had changed") != std::string::npos);
}
