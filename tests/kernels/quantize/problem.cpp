#include "assay/kernels/quantize/problem.hpp"

#include <functional>
#include <string>

#include "kernels/quantize/quantize_problems.hpp"

using namespace assay;
using namespace assay::testing;

namespace {

void refused(QuantizeProblem problem, const std::function<void(QuantizeProblem&)>& change, const std::string& says) {
  change(problem);
  const auto layout = lay_out(problem);
  REQUIRE_FALSE(layout.has_value());
  CHECK(layout.error().kind == ErrorKind::invalid);
  CHECK_THAT(layout.error().message, contains(says));
}

}  // namespace

TEST_CASE("a problem is laid out as tightly as it goes, or as it says") {
  QuantizeProblem problem = problem_of(mxfp4(), 5, 70);
  QuantizeLayout layout = lay_out(problem).value();
  CHECK(layout.elements == 350);
  CHECK(layout.bytes_of_row == 35);
  CHECK(layout.code_bytes == 175);
  CHECK(layout.scales.rows == 5);
  CHECK(layout.scales.columns == 3);
  CHECK(layout.scale_bytes == 15);
  problem.leading_dimension = 80;
  problem.code_row_bytes = 48;
  problem.scale_row_stride = 1;
  problem.scale_column_stride = 8;
  layout = lay_out(problem).value();
  CHECK(layout.elements == 390);
  CHECK(layout.code_bytes == 4 * 48 + 35);
  CHECK(layout.scales.offset(2, 1) == 10);
  CHECK(layout.scale_bytes == 4 + 2 * 8 + 1);
  CHECK(name_of(problem) == "r5-c70-ld-cr-scol");
  problem = problem_of(mxfp4().in_order(ScaleOrder::tiles_128x4), 129, 70);
  CHECK(lay_out(problem).value().scale_bytes == 1024);
  CHECK(name_of(problem) == "r129-c70-tiles");
  CHECK(lay_out(problem_of(fp8_128x128(), 129, 70)).value().scale_bytes == 8);
}

TEST_CASE("empty problems have no bytes") {
  for (const BlockScaling& scheme : all_block_schemes) {
    CHECK(lay_out(problem_of(scheme, 0, 8)).value().code_bytes == 0);
    CHECK(lay_out(problem_of(scheme, 8, 0)).value().elements == 0);
    CHECK(lay_out(problem_of(scheme, 8, 0)).value().scale_bytes == 0);
  }
}

TEST_CASE("blocks at the ends hold what is there") {
  const BlockGrid grid = BlockGrid::over(fp8_128x128(), 130, 300);
  CHECK(grid.blocks() == 6);
  const BlockGrid::Block last = grid.block(5);
  CHECK(last.row == 1);
  CHECK(last.column == 2);
  CHECK(last.first_row == 128);
  CHECK(last.end_row == 130);
  CHECK(last.first_column == 256);
  CHECK(last.end_column == 300);
}

TEST_CASE("what does not fit is refused with the field and the remedy") {
  const QuantizeProblem problem = problem_of(mxfp4(), 5, 70);
  refused(
      problem, [](QuantizeProblem& p) { p.rows = -1; }, "rows and columns are -1 and 70");
  refused(
      problem, [](QuantizeProblem& p) { p.leading_dimension = 69; },
      "leading_dimension is 69; rows of 70 elements need at least 70");
  refused(
      problem, [](QuantizeProblem& p) { p.code_row_bytes = 34; },
      "code_row_bytes is 34; rows of 70 elements need at least 35");
  refused(
      problem, [](QuantizeProblem& p) { p.scheme.block_columns = 33; }, "ends within a byte");
  refused(
      problem, [](QuantizeProblem& p) { p.scale_row_stride = 2, p.scale_column_stride = 1; },
      "row stride of at least 3, column-major a column stride of at least 5");
  refused(
      problem, [](QuantizeProblem& p) { p.scale_row_stride = 3; }, "give both");
  refused(
      problem,
      [](QuantizeProblem& p) {
        p.scheme.order = ScaleOrder::tiles_128x4, p.scale_row_stride = 4, p.scale_column_stride = 1;
      },
      "have no strides");
  refused(
      problem, [](QuantizeProblem& p) { p.leading_dimension = INT64_MAX; }, "exceed 2^63");
  refused(
      problem, [](QuantizeProblem& p) { p.columns = INT64_MAX / 4; }, "exceed 2^63");
}
