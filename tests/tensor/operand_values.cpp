#include "assay/tensor/operand_values.hpp"

#include <catch2/catch.hpp>

using namespace assay;

TEST_CASE("lanes of an operand run along any dimension") {
  // (2, 3, 4) with lanes along the middle dimension
  OperandValues values{{FillKind::one_hot, 7, 3}, 4, 1, 0, -100, 100, nullptr};
  for (Index outer = 0; outer < 2; ++outer)
    for (Index inner = 0; inner < 4; ++inner) {
      int hot = 0;
      for (Index position = 0; position < 3; ++position) {
        const double value = values(outer * 12 + position * 4 + inner);
        CHECK(value == values.pattern(outer * 4 + inner, position));
        hot += value != 0 ? 1 : 0;
      }
      CHECK(hot == 1);
    }
}

TEST_CASE("values are scaled, shifted and kept in their range, or given") {
  OperandValues values{{FillKind::uniform, 1, 64}, 1, 8, -4, -1, 2, nullptr};
  bool lowest = false, highest = false;
  for (Index e = 0; e < 64; ++e) {
    const double value = values(e);
    CHECK(value >= -1);
    CHECK(value <= 2);
    lowest |= value == -1;
    highest |= value == 2;
  }
  CHECK(lowest);
  CHECK(highest);
  const double own[] = {5, 6};
  values.given = own;
  CHECK(values(1) == 6);
}
