#include "assay/accuracy/compare_detections.hpp"

#include "testing/catch.hpp"

namespace {

using namespace assay;

/// One object on each image, found unless the image's number is a multiple of `missed`.
DetectionEvaluation images(int count, int missed) {
  std::vector<TrueObject> objects;
  std::vector<DetectedObject> found;
  for (int i = 1; i <= count; ++i) {
    objects.push_back({i, 1, {0, 0, 10, 10}, 100, false});
    if (i % missed != 0) found.push_back({i, 1, {0, 0, 10, 10}, 0.5});
  }
  return {objects, found};
}

}  // namespace

TEST_CASE("AP against a baseline's on the same images", "[accuracy]") {
  EquivalenceClaim claim;
  claim.margin = 0.05;
  ResamplingOptions options;
  options.resamples = 200;
  CHECK(compare_detections(images(400, 50), images(400, 60), claim, options).verdict == Verdict::pass);
  CHECK(compare_detections(images(400, 2), images(400, 50), claim, options).verdict == Verdict::fail);
  CHECK(compare_detections(images(20, 50), images(20, 50), claim, options).verdict == Verdict::inconclusive);
  CHECK(compare_detections_with_stated(images(400, 2), 0.9, claim, options).verdict == Verdict::fail);
  CHECK_THROWS_AS(compare_detections(images(40, 2), images(30, 2), claim, options), Misuse);
}
