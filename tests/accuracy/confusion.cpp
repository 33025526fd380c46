#include "assay/accuracy/confusion.hpp"

#include "accuracy/near.hpp"
#include "testing/catch.hpp"

using namespace assay;
using assay::testing::near;

TEST_CASE("A confusion and its figures", "[accuracy]") {
  const std::vector<std::int64_t> truths{0, 0, 1, 1, 2, 2, 2, 9}, predictions{0, 1, 1, 1, 2, 0, -1, 0};
  const Confusion matrix = confusion(predictions, truths, 3, 9);
  CHECK(matrix.at(0, 1) == 1);
  CHECK(matrix.truths(2) == 3);
  CHECK(matrix.predictions(0) == 2);
  CHECK(matrix.ignored == 1);
  CHECK(matrix.outside == 1);
  CHECK(near(class_figures(matrix, 1).precision, 2.0 / 3));
  const Score score = accuracy_of(matrix);
  CHECK(near(score.value, 4.0 / 7));
  CHECK(near(score.parts[1].value, (0.5 + 1 + 1.0 / 3) / 3));
  CHECK_THROWS_AS(confusion(predictions, truths, 3), Misuse);  // 9 is neither a class nor to be ignored
}

TEST_CASE("Mean IoU leaves out what neither side has", "[accuracy]") {
  const std::vector<std::int64_t> truths{0, 0, 1, 255}, predictions{0, 1, 1, 0};
  const std::vector<Confusion> images{confusion(predictions, truths, 3, 255)};
  const Score score = mean_intersection_over_union(images);
  CHECK(near(score.value, 0.5));
  CHECK(score.parts[0].value == 1);
  CHECK(score.parts[1].value == 1);
  CHECK_THROWS_AS(mean_intersection_over_union({}), Misuse);
}
