#include "assay/pipeline/recorded_stages.hpp"

#include <fstream>

#include "assay/io/npy.hpp"
#include "testing/catch.hpp"
#include "testing/temporary_folder.hpp"

using namespace assay;

TEST_CASE("Stages are read in the order of their numbers", "[pipeline]") {
  const testing::TemporaryFolder folder;
  const std::filesystem::path path = folder.path;
  const float pixels[] = {1, 2};
  REQUIRE(write_npy((path / "2_resize.npy").string(), pixels, {1, 2}));
  std::ofstream(path / "10_text.json") << R"(["a"])";
  std::ofstream(path / "9_ids.json") << "[3, 4]";
  std::ofstream(path / "11_boxes.json") << R"([{"bbox":[0,1,2,3],"score":0.5,"category_id":7}])";
  std::ofstream(path / "12_bad.json") << R"([{"x":1}])";
  const auto names = recorded_stage_names(path);
  REQUIRE(names);
  CHECK(names.value() == std::vector<std::string>{"2_resize", "9_ids", "10_text", "11_boxes", "12_bad"});
  const auto outputs = read_recorded_stages(path, names.value());
  CHECK(std::get<StageTensor>(outputs[0].value.value()).values[1] == 2);
  CHECK(std::get<StageIds>(outputs[1].value.value()).ids[0] == 3);
  CHECK(std::get<StageTexts>(outputs[2].value.value()).texts[0] == "a");
  CHECK(std::get<StageBoxes>(outputs[3].value.value()).boxes[0].category == 7);
  CHECK(!outputs[4].value);
  CHECK(read_recorded_stage(path, "13").error().kind == ErrorKind::not_found);
  CHECK(recorded_stage_names(path / "no").error().kind == ErrorKind::not_found);
  std::ofstream(path / "2_resize.json") << "[]";
  CHECK(recorded_stage_names(path).error().kind == ErrorKind::malformed);
}

TEST_CASE("Bounds by stage, and what is not known is refused", "[pipeline]") {
  const std::vector<std::string> stages{"a", "b"};
  const auto bounds =
      parse_stage_bounds(R"({"a":{"absolute":1,"origin":"half a step"},"*":{"relative":0.5}})", "f", stages, {});
  REQUIRE(bounds);
  CHECK(bounds.value()[0].absolute == 1);
  CHECK(bounds.value()[0].relative == 0);
  CHECK(bounds.value()[1].relative == 0.5);
  CHECK(!parse_stage_bounds(R"({"c":{}})", "f", stages, {}));
  CHECK(!parse_stage_bounds(R"({"a":{"absolut":1}})", "f", stages, {}));
  CHECK(!parse_stage_bounds(R"({"a":{"absolute":-1}})", "f", stages, {}));
  CHECK(!parse_stage_bounds("[]", "f", stages, {}));
}

TEST_CASE("Members of boxes of another kind are refused, and not left at 0", "[pipeline]") {
  const testing::TemporaryFolder folder;
  const std::filesystem::path path = folder.path;
  const auto refusal = [&](const char* text) {
    std::ofstream(path / "boxes.json") << text;
    const auto read = read_recorded_stage(path, "boxes");
    return read ? std::string("taken") : read.error().message;
  };
  CHECK(refusal(R"([{"bbox":[0,1,2,3],"score":"0.5"}])").find("\"score\" is \"0.5\", no number") != std::string::npos);
  CHECK(refusal(R"([{"bbox":[0,1,2,3],"score":null}])").find("\"score\"") != std::string::npos);
  CHECK(refusal(R"([{"bbox":[0,1,2,3],"category_id":1.5}])").find("no whole number") != std::string::npos);
  CHECK(refusal(R"([{"bbox":[0,1,2,3],"image_id":"a"}])").find("no whole number") != std::string::npos);
  CHECK(refusal(R"([{"bbox":[0,1,-2,3]}])").find("negative side") != std::string::npos);
  CHECK(refusal(R"([{"bbox":[0,1,2]}])").find("entry 0 is") != std::string::npos);
  CHECK(refusal(R"([1,"a"])").find("no object") != std::string::npos);
  CHECK(refusal(R"([{"bbox":[0,1,2,3]}])") == "taken");
}
