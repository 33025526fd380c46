#include "assay/collectives/measurement/sweep_csv.hpp"

#include <algorithm>
#include <sstream>

#include "collectives/measurement/sweep_sample.hpp"
#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("every measured point is a row with a cell a column; what was not verified has none") {
  std::istringstream lines(csv_text(sweep_sample()));
  std::vector<std::string> rows;
  for (std::string line; std::getline(lines, line);) rows.push_back(line);
  REQUIRE(rows.size() == 4);
  for (const std::string& row : rows) CHECK(std::count(row.begin(), row.end(), ',') == 17);
  CHECK(rows[2] == "all_reduce,mpi,4,f32,sum,,in_place,1e+08,25000000,40000,2.5,3.75,7,45000,55000,55000,55000,0.1");
  CHECK(rows[3].find("broadcast,mpi,4,bf16,,3,out_of_place,8,4,1.25,") == 0);
  CHECK(rows[3].find(",,2,2,2,2,0") != std::string::npos);
}
