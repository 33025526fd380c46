#include "assay/fleet/node/node_files.hpp"

#include "assay/report/read_file.hpp"
#include "assay/report/write_file.hpp"
#include "testing/catch.hpp"
#include "testing/temporary_folder.hpp"

using namespace assay;
using namespace assay::testing;

TEST_CASE("a manifest with comments, and what is refused in one") {
  const auto manifest = parse_node_manifest(R"({
    "schema": "assay-node/1", // of node n1
    "devices": ["gpu0", "gpu1"], "versions": {"driver nvidia": "580"}, "paths": {"/dev/nvidia?": 2}, "disks": ["/"],
    "limits": [{"device": "gpu*", "reading": "temperature_celsius", "maximum": 90, "level": "warning"}]})");
  REQUIRE(manifest.has_value());
  CHECK(manifest.value().devices.size() == 2);
  CHECK(manifest.value().limits.size() == default_node_limits().size() + 1);
  CHECK(manifest.value().limits.back().level == HealthLevel::warning);
  const auto refusal = [](const std::string& members) {
    const auto read = parse_node_manifest(R"({"schema": "assay-node/1")" + members + "}");
    return read ? std::string() : read.error().message;
  };
  CHECK(refusal("").empty());
  CHECK_THAT(refusal(R"(, "devises": [])"), contains("unknown member 'devises'; nearest: devices"));
  CHECK_THAT(refusal(R"(, "devices": ["a", "a"])"), contains("a device is named twice"));
  CHECK_THAT(refusal(R"(, "devices": ["a"], "device_count": 2)"), contains("not the number of devices"));
  CHECK_THAT(refusal(R"(, "device_count": -1)"), contains("/device_count"));
  CHECK_THAT(refusal(R"(, "limits": [{"maximum": 1}])"), contains("\"reading\""));
  CHECK_THAT(refusal(R"(, "limits": [{"reading": "x"}])"), contains("minimum, maximum"));
  CHECK_THAT(refusal(R"(, "limits": [{"reading": "x", "maximum": 1, "level": "bad"}])"), contains("/limits/0/level"));
  CHECK_THAT(refusal(R"(, "limits": [{"reading": "x", "maximum": "1"}])"), contains("expected a number"));
  CHECK_THAT(refusal(R"(, "disks": "x")"), contains("expected a list"));
  CHECK_THAT(refusal(R"(, "disks": [], "disks": [])"), contains("second member"));
  CHECK_THAT(parse_node_manifest("{}").error().message, contains("assay-node/1"));
  CHECK_THAT(parse_node_manifest("nonsense").error().message, contains("no valid JSON"));
  NodeObservation seen;
  seen.node = "n1";
  seen.devices = {"gpu0"};
  CHECK(parse_node_manifest(node_manifest_text(seen)).value().devices == seen.devices);
}

TEST_CASE("state is kept, and a broken one is told") {
  const TemporaryFolder folder;
  const auto file = folder.path / "state.json";
  CHECK(read_node_state(file).value().seconds == 0);
  NodeState state;
  state.seconds = 1.5;
  state.counters = {{"gpu0/x_total", 12}};
  state.history = {HealthLevel::ok, HealthLevel::unknown};
  REQUIRE(write_node_state(state, file).has_value());
  const NodeState read = read_node_state(file).value();
  CHECK(read.seconds == 1.5);
  CHECK(read.counters == state.counters);
  CHECK(read.history == state.history);
  for (const char* broken :
       {"", "{", "{}", R"({"schema": "assay-node-state/1", "seconds": 1, "counters": {"a": "b"}, "history": []})",
        R"({"schema": "assay-node-state/1", "seconds": 1, "counters": {}, "history": [7]})"}) {
    REQUIRE(write_file(file, broken).has_value());
    CHECK_THAT(read_node_state(file).error().message, contains("is no state of a node"));
  }
}

TEST_CASE("readings as others report them: what is no value is failed, not 0") {
  const auto readings = parse_node_readings(
      "device,reading,value,state\ngpu0,power_watts,[N/A],\ngpu0,fan_ratio,,unsupported\ngpu1,power_watts,300,\n"
      "gpu2,power_watts,,lost\n");
  REQUIRE(readings.has_value());
  CHECK(readings.value()[0].state == ReadingState::failed);
  CHECK(readings.value()[1].state == ReadingState::unsupported);
  CHECK(readings.value()[2].value == 300);
  CHECK(readings.value()[3].state == ReadingState::lost);
  CHECK_THAT(parse_node_readings("device,reading,value,state\na,x,1,\na,x,2,\n").error().message,
             contains("reports x twice"));
  CHECK_THAT(parse_node_readings("device,reading,value,state\na,x,1,gone\n").error().message,
             contains("unknown state"));
  CHECK_THAT(parse_node_readings("device,reading,value,state\na,x,1\n").error().message, contains("line 2"));
  CHECK_FALSE(parse_node_readings("").has_value());
}

TEST_CASE("a node as metrics: an absent device is 0, an absent reading is left out") {
  NodeManifest manifest;
  manifest.devices = {"gpu0", "gpu1"};
  NodeObservation seen;
  seen.node = "n1";
  seen.seconds = 5;
  seen.devices = {"gpu0"};
  seen.readings = {{"gpu0", "temperature_celsius", ReadingState::failed, 0},
                   {"gpu0", "ecc_errors_total", ReadingState::value, 3}};
  const auto text = metrics_text(node_metrics(judge_node(manifest, seen), manifest, seen));
  REQUIRE(text.has_value());
  CHECK_THAT(text.value(), contains("assay_node_check_level{node=\"n1\"} 2\n"));
  CHECK_THAT(text.value(), contains("assay_device_present{device=\"gpu1\",node=\"n1\"} 0\n"));
  CHECK_THAT(text.value(), contains("assay_device_ecc_errors_total{device=\"gpu0\",node=\"n1\"} 3\n"));
  CHECK_THAT(text.value(), contains("assay_device_temperature_celsius_present{device=\"gpu0\",node=\"n1\"} 0\n"));
  CHECK_THAT(text.value(), !contains("assay_device_temperature_celsius{"));
}
