#include "assay/telemetry/recording_file.hpp"

#include <fstream>
#include <iterator>

#include "telemetry/simulated_recording.hpp"
#include "testing/catch.hpp"
#include "testing/temporary_folder.hpp"

namespace {

using assay::Quantity;
using assay::testing::SimulatedRecording;
using assay::testing::TemporaryFolder;

assay::Recording sample() {
  auto simulated = SimulatedRecording(2)
                       .gauge(Quantity::temperature, "edge \"1\"\n", [](double t) { return -8 + t / 3; })
                       .counter(
                           Quantity::energy, [](double t) { return 9e15 + 1000 * t; }, 1e-3)
                       .reasons([](double t) { return t < 1 ? 0u : 0x44u; })
                       .limit(Quantity::power_limit, 700, "", "enforced")
                       .silent(1, 1.2, assay::ReadingState::lost, "GPU is \xff lost");
  simulated.recording().sensors[1].wraps_at = 18446744073709551615u;
  simulated.recording().devices[0].parent = "pci/0";
  simulated.recording().events.push_back({6'000'000'000, "0000:3b:00.0", "xid", 79, "reboot", true, "GPU has fallen"});
  return simulated.recording();
}

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string written(const assay::Recording& recording) {
  const TemporaryFolder folder;
  const auto done = assay::write_recording(recording, folder.path / "r.jsonl");
  REQUIRE(done);
  return text_of(folder.path / "r.jsonl");
}

std::string refusal(const std::string& text) {
  const auto read = assay::recording_of(text, "r");
  return read ? "" : read.error().message;
}

const std::string head =
    R"({"schema":"assay-telemetry/1","devices":[{"id":"a"}],"sensors":[{"device":0,"quantity":"power"},{"device":0,"quantity":"energy"}]})"
    "\n";

}  // namespace

TEST_CASE("a recording is read as it was written") {
  const assay::Recording before = sample();
  const assay::Recording after = assay::recording_of(written(before)).value();
  CHECK(after.warnings.empty());
  REQUIRE(after.sensors.size() == before.sensors.size());
  CHECK(after.sensors[0].name == before.sensors[0].name);
  CHECK(after.sensors[1].wraps_at == before.sensors[1].wraps_at);
  CHECK(after.sensors[1].scale == before.sensors[1].scale);
  CHECK(after.sensors[3].limits == "enforced");
  CHECK(after.sensors[3].seldom);
  CHECK(after.devices[0].parent == "pci/0");
  CHECK(after.duration_seconds() == before.duration_seconds());
  for (std::size_t sensor = 0; sensor < before.sensors.size(); ++sensor) {
    REQUIRE(after.readings[sensor].size() == before.readings[sensor].size());
    for (std::size_t i = 0; i < before.readings[sensor].size(); ++i) {
      const assay::Reading &a = after.readings[sensor][i], &b = before.readings[sensor][i];
      CHECK(after.seconds(a.nanoseconds) == before.seconds(b.nanoseconds));
      CHECK(a.state == b.state);
      CHECK(a.value == b.value);
      CHECK(a.count == b.count);
    }
  }
  REQUIRE(after.events.size() == 1);
  CHECK(after.events[0].code == 79);
  CHECK(after.events[0].fatal);
  CHECK(after.seconds(after.events[0].nanoseconds) == 1);
  CHECK(written(after).size() == written(assay::recording_of(written(after)).value()).size());
}

TEST_CASE("a recording may be cut off anywhere behind its first line") {
  const std::string text = written(sample());
  const std::size_t begin = text.find('\n') + 1;
  std::size_t whole = 0;
  for (std::size_t size = begin; size < text.size(); ++size) {
    const auto read = assay::recording_of(text.substr(0, size));
    REQUIRE(read);
    const bool at_line = text[size - 1] == '\n';
    CHECK(read.value().warnings.empty() == at_line);
    whole += at_line ? 1 : 0;
  }
  CHECK(whole > 20);
  CHECK(!assay::recording_of(text.substr(0, begin - 2)));
}

TEST_CASE("damage elsewhere is told with its line") {
  CHECK(refusal("").find("empty") != std::string::npos);
  CHECK(refusal("{}\n").find("line 1") != std::string::npos);
  CHECK(refusal(R"({"schema":"assay-telemetry/2","devices":[],"sensors":[]})"
                "\n")
            .find("assay-telemetry/2") != std::string::npos);
  const std::string good = R"({"t":5,"r":[[0,0,1.5],[1,0,7]]})"
                           "\n";
  CHECK(refusal(head + good).empty());
  for (const char* line :
       {"[]", "garbage", R"({"t":5,"r":[[2,0,1]]})", R"({"t":5,"r":[[0,0,"value"]]})",
        R"({"t":5,"r":[[0,0,"fine","x"]]})", R"({"t":5,"r":[[1,0,-7]]})", R"({"t":5,"r":[[1,0,1.5]]})",
        R"({"t":-5,"r":[]})", R"({"t":1e300,"r":[]})", R"({"t":18446744073709551615,"r":[]})", R"({"t":5,"r":[[0,0]]})",
        R"({"t":1,"r":[[0,0,3]]})", R"({"t":5,"event":{}})"}) {
    INFO(line);
    CHECK(refusal(head + good + line + "\n" + good).find("line 3") != std::string::npos);
  }
  for (const char* sensors : {R"({"device":1,"quantity":"power"})", R"({"device":0,"quantity":"might"})",
                              R"({"device":0,"quantity":"power","scale":0})", R"({"device":0})"})
    CHECK(
        !refusal(std::string(R"({"schema":"assay-telemetry/1","devices":[{"id":"a"}],"sensors":[)") + sensors + "]}\n")
             .empty());
}

TEST_CASE("what is not known is skipped, and a value that is no number is not written as one") {
  CHECK(refusal(head + "{\"later\":1}\n{\"end\":9}\n").empty());
  assay::Recording recording = assay::recording_of(head).value();
  recording.add(assay::Reading::of(0, 1, std::numeric_limits<double>::quiet_NaN()));
  const assay::Recording read = assay::recording_of(written(recording)).value();
  CHECK(read.readings[0][0].state == assay::ReadingState::failed);
}

TEST_CASE("files: absent, a folder, already there, a full disk") {
  const TemporaryFolder folder;
  CHECK(assay::read_recording(folder.path / "absent").error().kind == assay::ErrorKind::not_found);
  CHECK(assay::read_recording(folder.path).error().kind == assay::ErrorKind::io);
  REQUIRE(assay::write_recording(sample(), folder.path / "r.jsonl"));
  CHECK(assay::write_recording(sample(), folder.path / "r.jsonl").error().kind == assay::ErrorKind::io);
  CHECK(assay::read_recording(folder.path / "r.jsonl").value().sensors.size() == 4);
  CHECK(!assay::write_recording(sample(), folder.path / "absent" / "r.jsonl"));
  if (std::filesystem::exists("/dev/full")) CHECK(!assay::write_recording(sample(), "/dev/full"));
}
