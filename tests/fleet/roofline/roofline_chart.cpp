#include "assay/fleet/roofline/roofline_chart.hpp"

#include "assay/fleet/chips/chip_catalog.hpp"
#include "testing/catch.hpp"

using namespace assay;
using namespace assay::testing;

TEST_CASE("the classic exercise: one product on three machines, in one picture") {
  std::vector<RooflineMachine> machines;
  for (const char* name : {"H100 SXM", "MI300X", "Gaudi3"})
    machines.push_back(machine_of(ChipCatalog::known().find(name).value(), "bf16").value());
  machines[0].name = "H<1>";
  const OperationWork work = parse_problem("gemm m=4096 n=4096 k=4096").value().work(2);
  std::vector<RooflinePoint> points;
  for (std::size_t i = 0; i < 3; ++i) points.push_back({"gemm", work, i == 0 ? 2e-4 : 0, i});
  points.push_back({"gather", {0, 1e6}, 0, 0});
  const std::string page = roofline_page("Rooflines", machines, points);
  CHECK_THAT(page, contains("H&lt;1&gt;"));
  CHECK_THAT(page, !contains("H<1>"));
  CHECK_THAT(page, contains("ridge at 295 FLOP/B"));
  CHECK_THAT(page, contains("1 of 4 points"));
  CHECK_THAT(page, contains("stroke-dasharray"));
  CHECK_THAT(page, !contains("nan"));
  CHECK_THAT(page, !contains("inf "));
  CHECK(ridge_table(machines).rows.size() == 6);
  const Table bounds = bound_table(machines, points);
  REQUIRE(bounds.rows.size() == 4);
  CHECK(bounds.rows[0].back() == "69.5 %");
  CHECK(bounds.rows[1].back() == "-");
}

TEST_CASE("a picture of nothing says so") {
  CHECK_THAT(roofline_svg("t", {}, {}), contains("No machine"));
  CHECK_THAT(roofline_svg("t", {RooflineMachine{"x", "bf16", 0, {{"memory", 1}}, true}}, {}), contains("No machine"));
}
