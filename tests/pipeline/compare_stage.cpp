#include "assay/pipeline/compare_stage.hpp"

#include <cmath>

#include "testing/catch.hpp"

namespace {

using namespace assay;

StageValue tensor(std::vector<double> values) {
  return StageTensor{{static_cast<std::int64_t>(values.size())}, std::move(values)};
}

}  // namespace

TEST_CASE("Tensors by their bound", "[pipeline]") {
  StageBound bound;
  bound.absolute = 0.5;
  CHECK(compare_stage(tensor({1, 2.5}), tensor({1, 2}), bound).within);
  const StageComparison off = compare_stage(tensor({1, 3}), tensor({1, 2}), bound);
  CHECK(!off.within);
  CHECK(off.error_ratio == 2);
  CHECK(off.detail.find("at [1] 3 instead of 2") == 0);
  bound.wrong_share = 0.5;
  CHECK(compare_stage(tensor({1, 3}), tensor({1, 2}), bound).within);
  CHECK(!compare_stage(tensor({1}), tensor({1, 2}), bound).within);
  CHECK(!compare_stage(tensor({1}), StageIds{{1}}, bound).within);
}

TEST_CASE("NaN and infinities only equal themselves", "[pipeline]") {
  StageBound bound;
  bound.absolute = 1e300;
  bound.relative = 1;
  CHECK(compare_stage(tensor({NAN, INFINITY}), tensor({NAN, INFINITY}), bound).within);
  CHECK(!compare_stage(tensor({NAN}), tensor({1}), bound).within);
  CHECK(!compare_stage(tensor({1}), tensor({NAN}), bound).within);
  CHECK(!compare_stage(tensor({1}), tensor({INFINITY}), bound).within);
  CHECK(!compare_stage(tensor({-INFINITY}), tensor({INFINITY}), bound).within);
}

TEST_CASE("Ids are exact, texts by edits", "[pipeline]") {
  StageBound bound;
  CHECK(compare_stage(StageIds{{1, 2}}, StageIds{{1, 2}}, bound).within);
  CHECK(!compare_stage(StageIds{{1, 3}}, StageIds{{1, 2}}, bound).within);
  CHECK(!compare_stage(StageIds{{1}}, StageIds{{1, 2}}, bound).within);
  const StageComparison text = compare_stage(StageTexts{{"colour"}}, StageTexts{{"color"}}, bound);
  CHECK(!text.within);
  CHECK(text.wrong == 1);
  CHECK(text.detail == "text 0: colo{+u+}r");
  bound.edits = 1;
  CHECK(compare_stage(StageTexts{{"colour"}}, StageTexts{{"color"}}, bound).within);
}

TEST_CASE("Boxes are paired before they are compared", "[pipeline]") {
  const DetectedObject a{0, 1, {0, 0, 10, 10}, 0.9}, b{0, 1, {50, 50, 10, 10}, 0.8};
  CHECK(compare_stage(StageBoxes{{b, a}}, StageBoxes{{a, b}}, {}).within);
  DetectedObject moved = a;
  moved.box.x = 1;
  const StageComparison off = compare_stage(StageBoxes{{moved, b}}, StageBoxes{{a, b}}, {});
  CHECK(!off.within);
  CHECK(off.error_ratio > 1);
  DetectedObject other = a;
  other.category = 2;
  CHECK(compare_stage(StageBoxes{{other, b}}, StageBoxes{{a, b}}, {}).wrong == 2);
  CHECK(!compare_stage(StageBoxes{{a}}, StageBoxes{{a, b}}, {}).within);
  DetectedObject unsure = a;
  unsure.score = 0.7;
  CHECK(!compare_stage(StageBoxes{{unsure, b}}, StageBoxes{{a, b}}, {}).within);
}

TEST_CASE("A box without a size is met by its equal, and by nothing else", "[pipeline]") {
  const DetectedObject point{0, 1, {3, 4, 0, 0}, 0.9}, line{0, 1, {3, 4, 0, 7}, 0.9};
  CHECK(compare_stage(StageBoxes{{point}}, StageBoxes{{point}}, {}).within);
  CHECK(compare_stage(StageBoxes{{line, point}}, StageBoxes{{point, line}}, {}).within);
  CHECK(!compare_stage(StageBoxes{{line}}, StageBoxes{{point}}, {}).within);
}
