#include "assay/formats/scale_layout.hpp"

#include <cstddef>
#include <set>
#include <vector>

#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("strided tables have any order of rows and columns") {
  const ScaleLayout rows = row_major_scales(5, 7), columns = column_major_scales(5, 7, 8);
  CHECK(rows.offset(2, 3) == 17);
  CHECK(rows.elements() == 35);
  CHECK(columns.offset(2, 3) == 26);
  CHECK(columns.elements() == 53);
  CHECK(row_major_scales(0, 7).elements() == 0);
  CHECK(columns.padded_rows() == 5);
}

TEST_CASE("tiles of 128x4 are what cutting, transposing and joining the padded table gives") {
  for (Index rows : {1, 31, 128, 129, 300})
    for (Index columns : {1, 4, 5, 12}) {
      const ScaleLayout layout = tiled_scales(rows, columns);
      INFO(rows << "x" << columns);
      const Index tall = layout.padded_rows(), wide = layout.padded_columns();
      CHECK(tall == (rows + 127) / 128 * 128);
      CHECK(wide == (columns + 3) / 4 * 4);
      CHECK(layout.elements() == tall * wide);
      // cut into tiles of 128×4, each tile into four of 32×4; the four become the columns of a 32×16 tile
      std::vector<std::pair<Index, Index>> stored;
      for (Index tile_row = 0; tile_row < tall / 128; ++tile_row)
        for (Index tile_column = 0; tile_column < wide / 4; ++tile_column)
          for (Index lane = 0; lane < 32; ++lane)
            for (Index quarter = 0; quarter < 4; ++quarter)
              for (Index c = 0; c < 4; ++c)
                stored.emplace_back(tile_row * 128 + quarter * 32 + lane, tile_column * 4 + c);
      REQUIRE(static_cast<Index>(stored.size()) == layout.elements());
      bool same = true;
      for (std::size_t i = 0; i < stored.size(); ++i)
        same = same && layout.offset(stored[i].first, stored[i].second) == static_cast<Index>(i);
      CHECK(same);
    }
}

TEST_CASE("places of cuBLAS's figure: the first 16 bytes hold rows 0, 32, 64 and 96, the next begin with row 1") {
  const ScaleLayout layout = tiled_scales(256, 8);
  CHECK(layout.offset(0, 3) == 3);
  CHECK(layout.offset(32, 0) == 4);
  CHECK(layout.offset(96, 3) == 15);
  CHECK(layout.offset(1, 0) == 16);
  CHECK(layout.offset(31, 0) == 496);
  CHECK(layout.offset(0, 4) == 512);
  CHECK(layout.offset(128, 0) == 1024);
}
