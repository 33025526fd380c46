#include "assay/hardware/memory/march_coverage.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "testing/catch.hpp"

using namespace assay;

namespace {

std::map<std::string, long> coverage(const MarchTest& test, std::size_t size = 6, unsigned width = 1,
                                     VisitingOrder order = VisitingOrder::as_stated) {
  std::map<std::string, long> rows;
  for (const MarchCoverage& row : march_coverage(test, size, width, order))
    rows[row.fault_class] = std::lround(100.0 * static_cast<double>(row.detected) / static_cast<double>(row.faults));
  return rows;
}

}  // namespace

TEST_CASE("simulation finds the coverage that the literature gives") {
  struct Row {
    const char* test;
    long saf, tf, cfin, cfid, cfst;
  };
  const Row rows[] = {{"checkerboard", 100, 50, 25, 13, 63}, {"moving_inversions", 100, 100, 100, 50, 100},
                      {"mats+", 100, 50, 75, 38, 75},        {"march_x", 100, 100, 100, 50, 75},
                      {"march_y", 100, 100, 100, 50, 75},    {"march_c-", 100, 100, 100, 100, 100},
                      {"march_b", 100, 100, 100, 100, 100},  {"march_ss", 100, 100, 100, 100, 100},
                      {"march_lr", 100, 100, 100, 100, 100}};
  for (const Row& row : rows) {
    CAPTURE(row.test);
    auto found = coverage(march_named(row.test).value());
    CHECK(found["SAF"] == row.saf);
    CHECK(found["TF"] == row.tf);
    CHECK(found["CFin"] == row.cfin);
    CHECK(found["CFid"] == row.cfid);
    CHECK(found["CFst"] == row.cfst);
    if (row.test != std::string("checkerboard")) CHECK(found["AF"] == 100);
  }
  for (const char* name : {"march_y", "march_b", "march_lr"}) CHECK(coverage(march_named(name).value())["SOF"] == 100);
  for (const char* name : {"march_y", "march_ss"}) CHECK(coverage(march_named(name).value())["DRDF"] == 100);
  CHECK(coverage(march_named("march_ss").value())["WDF"] == 100);
  CHECK(coverage(march_named("march_c-").value())["WDF"] == 0);
  CHECK(coverage(march_named("bit_fade").value())["DRF"] == 100);
}

TEST_CASE("March C- that only ascends finds half of the idempotent couplings, and in any order none for certain") {
  MarchTest test = march_named("march_c-").value();
  CHECK(coverage(test, 2, 1, VisitingOrder::any)["CFid"] == 0);
  CHECK(coverage(test, 2, 1, VisitingOrder::any)["TF"] == 100);
  for (MarchElement& element : test.elements) element.order = AddressOrder::ascending;
  CHECK(coverage(test)["CFid"] == 50);
}

TEST_CASE("couplings inside a word take the backgrounds of its width") {
  MarchTest test = march_named("march_c-").value();
  CHECK(coverage(test, 2, 4)["CFst"] == 100);
  test.backgrounds = BackgroundSet::solid;
  CHECK(coverage(test, 2, 4)["CFst"] < 100);
}

TEST_CASE("the table has a row a test and a column a class") {
  const std::vector<MarchTest> tests{march_named("mats+").value(), march_named("march_x").value()};
  const Table table = march_coverage_table(tests, 3);
  CHECK(table.rows.size() == 2);
  CHECK(table.rows[0].size() == table.columns.size());
  CHECK(table.rows[0][1] == "5n");
}
