#include "assay/accuracy/detection_file.hpp"

#include "accuracy/has.hpp"
#include "testing/catch.hpp"

using namespace assay;
using assay::testing::has;

TEST_CASE("COCO's files are read", "[accuracy]") {
  const auto objects = parse_true_objects(
      R"({"images":[],"annotations":[{"id":0,"image_id":1,"category_id":2,"bbox":[1,2,3,4],"area":5,"iscrowd":1},
          {"image_id":2,"category_id":2,"bbox":[0,0,2,2]}]})",
      "instances.json");
  REQUIRE(objects);
  CHECK(objects.value()[0].crowd);
  CHECK(objects.value()[0].area == 5);
  CHECK(objects.value()[1].area == 4);
  const auto found =
      parse_detected_objects(R"([{"image_id":3,"category_id":2,"bbox":[1,2,3,4],"score":0.5}])", "results.json");
  REQUIRE(found);
  CHECK(found.value()[0].score == 0.5);
  CHECK(detections_elsewhere(objects.value(), found.value()) == 1);
}

TEST_CASE("Entries that are refused are named", "[accuracy]") {
  const auto refusal = [](const char* text) {
    const auto read = parse_detected_objects(text, "r.json");
    return read ? std::string("taken") : read.error().message;
  };
  CHECK(has(refusal(R"([{"image_id":1,"category_id":1,"bbox":[0,0,1,1]}])"), "entry 0: \"score\" is missing"));
  CHECK(has(refusal(R"([{"image_id":1,"category_id":1,"bbox":[0,0,-1,1],"score":1}])"), "negative side"));
  CHECK(has(refusal(R"([{"image_id":"x","category_id":1,"bbox":[0,0,1,1],"score":1}])"), "no whole number"));
  CHECK(has(refusal(R"([{"image_id":1,"category_id":1,"bbox":[0,0,1],"score":1}])"), "bbox"));
  CHECK(has(refusal(R"([{"category_id":1,"bbox":[0,0,1,1],"score":1}])"), "entry 0: \"image_id\" is missing"));
  CHECK(has(refusal("[NaN]"), "no JSON"));
  CHECK(has(refusal("{}"), "annotations"));
}
