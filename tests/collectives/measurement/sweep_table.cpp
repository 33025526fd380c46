#include "assay/collectives/measurement/sweep_table.hpp"

#include <cstdio>
#include <sstream>

#include "collectives/measurement/sweep_sample.hpp"
#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("rows are those of nccl-tests, column by column") {
  const SweepResult sample = sweep_sample();
  // printf("%12li  %12li  %8s  %6s  %6i", …), twice printf("  %7s  %6s  %6s  %6g", …): NVIDIA/nccl-tests src/util.cu.
  CHECK(sweep_row(&sample.points[0], &sample.points[1]) ==
        "   100000000      25000000     float     sum      -1  50000.0    2.00    3.00       0  40000.0    2.50    "
        "3.75       7\n"
        "# rank 2: 7 of 25000000 elements are wrong in call 3, the first is 12");
  CHECK(sweep_row(&sample.points[2], nullptr) ==
        "           8             4  bfloat16    none       3     1.25    0.01    0.01     N/A");
  CHECK(sweep_row(&sample.points[3], nullptr) == "# all_to_all, out of place: not measured: mpi has no all_to_all");
}

TEST_CASE("a script that takes columns by number reads rows in place alone, too") {
  const SweepResult sample = sweep_sample();
  const std::string row = sweep_row(nullptr, &sample.points[1]);
  CHECK(row.find("  40000.0    2.50    3.75       7") == 52 + 33);
}

TEST_CASE("numbers lose decimals before they leave their columns") {
  CHECK(detail::fitted_number(12.345, 7) == "  12.35");
  CHECK(detail::fitted_number(123456.7, 7) == " 123457");
  CHECK(detail::fitted_number(99999.94, 7) == "99999.9");
  CHECK(detail::fitted_number(12345678.0, 7) == "1.2e+07");
  CHECK(detail::fitted_number(1234567.0, 6) == " 1e+06");
}

TEST_CASE("a sweep is printed with a heading an operation, and the summary that scripts look for") {
  std::FILE* file = std::tmpfile();
  REQUIRE(file != nullptr);
  const SweepResult sample = sweep_sample();
  SweepTable table("mpi", 4, SweepOptions{}, file);
  for (const SweepPoint& point : sample.points) table.take(point);
  table.finish(sample);
  std::rewind(file);
  std::string text;
  for (int c = std::fgetc(file); c != EOF; c = std::fgetc(file)) text += static_cast<char>(c);
  std::fclose(file);
  CHECK(text.find("# Collective test starting: all_reduce\n") == 0);
  CHECK(text.find("#       size         count      type   redop    root     time   algbw   busbw  #wrong     time   "
                  "algbw   busbw  #wrong") != std::string::npos);
  CHECK(text.find("# Out of bounds values : 1 FAILED\n") != std::string::npos);
  CHECK(text.find("# Not measured         : 1\n") != std::string::npos);
  CHECK(text.find("# Avg bus bandwidth    : 2.25213") != std::string::npos);
  std::istringstream lines(text);
  int rows = 0;
  for (std::string line; std::getline(lines, line);) rows += !line.empty() && line[0] != '#' ? 1 : 0;
  CHECK(rows == 2);
}

TEST_CASE("what was not verified is not called OK") {
  SweepResult sample = sweep_sample();
  sample.points.erase(sample.points.begin() + 1);
  CHECK(sweep_footing(sample)[0] == "# Out of bounds values : 0 NOT VERIFIED");
}
