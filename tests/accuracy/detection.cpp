#include "assay/accuracy/detection.hpp"

#include <cmath>

#include "accuracy/near.hpp"
#include "testing/catch.hpp"

namespace {

using namespace assay;
using testing::near;

TrueObject object(std::int64_t image, std::int64_t category, Box box, bool crowd = false) {
  return {image, category, box, box.width * box.height, crowd};
}

std::vector<TrueObject> objects(bool crowd) {
  return {object(1, 1, {10, 10, 50, 50}), object(1, 1, {100, 100, 40, 40}), object(2, 1, {20, 20, 60, 60}),
          object(2, 2, {80, 80, 30, 30}), object(1, 2, {0, 0, 150, 150}, crowd)};
}
const std::vector<DetectedObject> detections{{1, 1, {12, 12, 50, 50}, 0.9},    {1, 1, {102, 98, 40, 40}, 0.8},
                                             {1, 1, {10, 10, 50, 50}, 0.8},    {2, 1, {25, 25, 60, 60}, 0.7},
                                             {2, 1, {150, 150, 20, 20}, 0.75}, {2, 2, {80, 80, 30, 30}, 0.6},
                                             {1, 2, {20, 20, 60, 60}, 0.95},   {1, 2, {30, 30, 60, 60}, 0.5}};

double ap(std::vector<TrueObject> truths, std::vector<DetectedObject> found) {
  return DetectionEvaluation(truths, found).figures().ap;
}

}  // namespace

TEST_CASE("Figures of detection with a crowd are pycocotools'", "[accuracy]") {
  const DetectionFigures all = DetectionEvaluation(objects(true), detections).figures();
  CHECK(near(all.ap, 0.8107260726072607));
  CHECK(near(all.ap50, 0.9326732673267326));
  CHECK(near(all.ap75, 0.8316831683168316));
  CHECK(near(all.ap_small, 1));
  CHECK(near(all.ap_medium, 0.6466996699669967));
  CHECK(all.ap_large == -1);
  CHECK(near(all.ar1, 0.6333333333333333));
  CHECK(near(all.ar10, 0.8666666666666666));
  CHECK(near(all.ar100, 0.8666666666666666));
  CHECK(near(all.ar_small, 1));
  CHECK(near(all.ar_medium, 0.7333333333333332));
  CHECK(all.ar_large == -1);
}

TEST_CASE("Without the crowd's flag its detections are wrong", "[accuracy]") {
  const DetectionFigures all = DetectionEvaluation(objects(false), detections).figures();
  CHECK(near(all.ap, 0.43696369636963694));
  CHECK(near(all.ap50, 0.5589108910891089));
  CHECK(all.ap_large == 0);
  CHECK(near(all.ar10, 0.6166666666666667));
}

TEST_CASE("IoU of exactly a half is a match", "[accuracy]") {
  const std::vector<TrueObject> truth{object(1, 1, {0, 0, 10, 10})};
  const std::vector<DetectedObject> half{{1, 1, {0, 0, 10, 5}, 0.9}};
  const DetectionFigures all = DetectionEvaluation(truth, half).figures();
  CHECK(near(all.ap, 0.1));
  CHECK(near(all.ap50, 1));
  CHECK(all.ap75 == 0);
}

TEST_CASE("Equal scores keep their order", "[accuracy]") {
  const std::vector<TrueObject> truths{object(1, 1, {0, 0, 10, 10}), object(1, 1, {50, 50, 10, 10})};
  const DetectedObject first{1, 1, {0, 0, 10, 10}, 0.5}, wrong{1, 1, {100, 100, 10, 10}, 0.5},
      second{1, 1, {50, 50, 10, 10}, 0.5};
  CHECK(near(ap(truths, {first, wrong, second}), 0.8349834983498348));
  CHECK(near(ap(truths, {wrong, first, second}), 2.0 / 3));
  CHECK(near(ap(truths, {first, second, wrong}), 1));
}

TEST_CASE("A class without objects is left out, nothing at all is -1", "[accuracy]") {
  const std::vector<TrueObject> truth{object(1, 1, {0, 0, 10, 10})};
  const std::vector<DetectedObject> found{{1, 1, {0, 0, 10, 10}, 0.9}, {1, 2, {0, 0, 10, 10}, 0.9}};
  CHECK(near(ap(truth, found), 1));
  CHECK(ap({}, found) == -1);
  CHECK(ap(truth, {}) == 0);
}

TEST_CASE("Weights of images resample without matching again", "[accuracy]") {
  const DetectionEvaluation evaluation(objects(true), detections);
  CHECK(near(evaluation.average_precision(std::vector<std::uint32_t>{1, 1}), evaluation.figures().ap));
  CHECK(near(evaluation.average_precision(std::vector<std::uint32_t>{3, 3}), evaluation.figures().ap));
  std::vector<TrueObject> first;
  std::vector<DetectedObject> found;
  for (const TrueObject& own : objects(true))
    if (own.image == 1) first.push_back(own);
  for (const DetectedObject& own : detections)
    if (own.image == 1) found.push_back(own);
  CHECK(near(evaluation.average_precision(std::vector<std::uint32_t>{1, 0}), ap(first, found)));
}

TEST_CASE("Detections without a place or a score are refused", "[accuracy]") {
  const std::vector<TrueObject> truth{object(1, 1, {0, 0, 10, 10})};
  CHECK_THROWS_AS(ap(truth, {{1, 1, {0, 0, 10, 10}, NAN}}), Misuse);
  CHECK_THROWS_AS(ap(truth, {{1, 1, {0, 0, -1, 10}, 0.5}}), Misuse);
}
