#include "assay/validators/quantize_shapes.hpp"

#include <set>
#include <string>

#include "assay/formats/block_schemes.hpp"
#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("the default problems of every scheme can be laid out, differ, and cover what breaks quantizers") {
  for (const BlockScaling& scheme : all_block_schemes) {
    std::set<std::string> names;
    std::set<QuantizeFillKind> fills;
    bool partly = false, beyond_128 = false, tiled = false, spaced = false, empty = false, tall = false;
    INFO(scheme.name);
    for (const QuantizeShape& shape : default_quantize_shapes(scheme)) {
      const QuantizeProblem& problem = shape.problem;
      const auto layout = lay_out(problem);
      INFO(name_of(problem));
      REQUIRE(layout.has_value());
      CHECK(names.insert(name_of(problem)).second);
      if (shape.large) continue;
      for (QuantizeFillKind fill : shape.fills) {
        CHECK(fits(fill, problem.scheme));
        fills.insert(fill);
      }
      partly = partly || problem.columns % problem.scheme.columns_of_block(problem.columns) != 0 ||
               problem.scheme.block_columns == 0;
      beyond_128 = beyond_128 || (problem.rows > 128 && problem.rows % 128 != 0);
      tiled = tiled || (problem.scheme.order == ScaleOrder::tiles_128x4 && problem.rows % 128 != 0);
      spaced = spaced || (layout.value().code_row_bytes > layout.value().bytes_of_row && problem.scale_row_stride == 1);
      empty = empty || problem.rows == 0;
      tall = tall || problem.rows > 8 * problem.columns;
    }
    for (QuantizeFillKind fill : all_quantize_fills) CHECK((fills.count(fill) == 1) == fits(fill, scheme));
    CHECK(partly);
    CHECK(beyond_128);
    CHECK(tiled == (scheme.scale.bits == 8));
    CHECK(spaced);
    CHECK(empty);
    CHECK(tall);
  }
}
