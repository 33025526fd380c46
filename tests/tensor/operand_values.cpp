#include "assay/tensor/operand_values.hpp"

#include <catch2/catch.hpp>
#include <cstdint>
#include <vector>

#include "assay/formats/small_formats.hpp"

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

TEST_CASE(
    "random codes are any bits of the format, but for NaNs of odd payloads, by which what was never written is known") {
  OperandValues values{{FillKind::normal, 3, 1}};
  values.random_codes = true;
  for (const ElementFormat& format :
       {element_format<float16>(), element_format<std::int8_t>(), element_format<float8_e4m3fn>()}) {
    std::vector<bool> seen(std::size_t{1} << (8 * format.bytes));
    for (Index e = 0; e < 2'000'000; ++e) seen[static_cast<std::size_t>(values.code(format, e))] = true;
    std::size_t odd_nans = 0, missing = 0;
    for (std::size_t code = 0; code < seen.size(); ++code) {
      const bool odd_nan =
          is_nan(format.decode(code)) && code % 2 == 1 && format.layout.has_infinity() && format.is_float();
      odd_nans += odd_nan && seen[code] ? 1 : 0;
      missing += !odd_nan && !seen[code] ? 1 : 0;
    }
    CHECK(odd_nans == 0);
    CHECK(missing == 0);
  }
}
