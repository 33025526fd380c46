#include "assay/report/json.hpp"

#include <fstream>
#include <random>
#include <set>

#include "report/sample_run.hpp"
#include "testing/catch.hpp"
#include "testing/source_directory.hpp"

using namespace assay;
using namespace assay::testing;

namespace {

Run read_back(const Run& run) {
  Result<Run> read = run_from_json(json_text(run));
  INFO((read ? std::string() : read.error().message));
  REQUIRE(read);
  return read.value();
}

/// The message with which a document is refused, made from a good one by replacing the first `from`.
std::string refusal(const std::string& from, const std::string& to) {
  Run run;
  run.outcomes = {sample_failure()};
  std::string text = json_text(run);
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  text.replace(at, from.size(), to);
  const Result<Run> read = run_from_json(text);
  if (read) return "";
  CHECK(read.error().kind == ErrorKind::malformed);
  return read.error().message;
}

}  // namespace

TEST_CASE("what stands among the outcomes and is none is refused with its place") {
  for (const char* entry : {"null", "7", "\"x\"", "[]", "[[{}]]", "{}", "{\"outcomes\": [{}]}"}) {
    INFO(entry);
    CHECK_THAT(refusal("\"outcomes\": [\n", std::string("\"outcomes\": [\n") + entry + ", "),
               contains("at '/outcomes/0"));
  }
  CHECK_THAT(refusal("assay-run/1", "assay-run/9"), contains("/schema"));
}

TEST_CASE("a run comes back as it was written") {
  Run run = sample_run();
  run.shard = "2/8";
  run.rules = {{"check", "full"}, {"tolerance", "atol=1e-3"}};
  run.require_conclusive = true;
  run.cases_not_run = {"gemm/eigen/f32/1x1x1/normal"};
  const Run again = read_back(run);
  CHECK(json_text(again) == json_text(run));

  CHECK(again.title == run.title);
  CHECK(again.command == run.command);
  CHECK(again.seed == 18446744073709551615ull);
  CHECK(again.planned_cases == run.planned_cases);
  CHECK(again.duration_seconds == run.duration_seconds);
  CHECK(again.shard == run.shard);
  CHECK(again.rules == run.rules);
  CHECK(again.require_conclusive);
  CHECK(again.cases_not_run == run.cases_not_run);
  CHECK(again.environment.libraries == run.environment.libraries);
  CHECK(again.environment.devices == run.environment.devices);
  CHECK(again.environment.memory_bytes == run.environment.memory_bytes);
  CHECK(again.environment.logical_processors == 16);
  REQUIRE(again.outcomes.size() == run.outcomes.size());
  for (std::size_t i = 0; i < run.outcomes.size(); ++i) {
    const Outcome &one = run.outcomes[i], &two = again.outcomes[i];
    CHECK(two.id == one.id);
    CHECK(two.verdict == one.verdict);
    CHECK(two.reason == one.reason);
    CHECK(two.diagnosis == one.diagnosis);
    CHECK(two.derivation == one.derivation);
    CHECK(two.labels == one.labels);
    CHECK(two.seed == one.seed);
    CHECK(two.duration_seconds == one.duration_seconds);
    CHECK(two.reproduce == one.reproduce);
    CHECK(two.measurements.size() == one.measurements.size());
  }
  const Outcome& failure = again.outcomes[7];
  CHECK(failure.tables.at(0).rows == sample_failure().tables[0].rows);
  CHECK(failure.series.at(0).points == sample_failure().series[0].points);
  CHECK(failure.heat_maps.at(0).rows == 8);
  CHECK(failure.heat_maps.at(0).rows_per_cell == 64);
  CHECK(std::isnan(failure.heat_maps.at(0).at(5, 3)));
  CHECK(failure.heat_maps.at(0).at(7, 11) == sample_failure().heat_maps[0].at(7, 11));
}

TEST_CASE("numbers that JSON has no word for come back, and so do the smallest and the signed zero") {
  Run run;
  run.outcomes.emplace_back();
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double value :
       {infinity, -infinity, std::numeric_limits<double>::quiet_NaN(), -0.0, 5e-324, 1.7976931348623157e308, 0.1})
    run.outcomes[0].measure("m", value);
  const std::vector<Measurement> again = read_back(run).outcomes[0].measurements;
  CHECK(again[0].value == infinity);
  CHECK(again[1].value == -infinity);
  CHECK(std::isnan(again[2].value));
  CHECK((again[3].value == 0 && std::signbit(again[3].value)));
  CHECK(again[4].value == 5e-324);
  CHECK(again[5].value == 1.7976931348623157e308);
  CHECK(again[6].value == 0.1);
  CHECK_THAT(json_text(run), contains("\"value\":\"-inf\""));
}

TEST_CASE("empty runs, 10,000 outcomes and malformed pieces can be written, and what is written can be read") {
  CHECK(read_back(Run()).outcomes.empty());
  const Run large = large_run(10'000);
  CHECK(read_back(large).outcomes.size() == 10'000);

  Run run;
  run.outcomes.emplace_back();
  run.outcomes[0].reason = "byte \xFF";
  run.outcomes[0].tables.push_back({"ragged", {"a", "b"}, {{"1"}, {"1", "2", "3"}}});
  run.outcomes[0].heat_maps.push_back({"short", 3, 3, -1, 1, {1, 2}});
  run.outcomes[0].heat_maps.push_back({"vast", std::size_t{1} << 40, 0, 1, 1, {}});
  const Outcome again = read_back(run).outcomes[0];
  CHECK(again.reason == "byte \xEF\xBF\xBD");
  CHECK(again.tables[0].rows == std::vector<std::vector<std::string>>{{"1", ""}, {"1", "2"}});
  CHECK(again.heat_maps[0].values.empty());
  CHECK(again.heat_maps[1].rows == 0);
}

TEST_CASE("a document cut off at any byte is refused") {
  Run run;
  run.outcomes = {sample_failure(), sample_outcome(nasty_text(), Verdict::pass)};
  const std::string text = json_text(run);
  const std::size_t last_brace = text.rfind('}');
  for (std::size_t length = 0; length <= last_brace; ++length) {
    const Result<Run> read = run_from_json(std::string_view(text).substr(0, length));
    INFO("cut after " << length << " bytes");
    REQUIRE_FALSE(read);
    REQUIRE(read.error().kind == ErrorKind::malformed);
    REQUIRE(read.error().message.find("at byte") != std::string::npos);
  }
  CHECK(run_from_json(std::string_view(text).substr(0, last_brace + 1)));
}

TEST_CASE("a document with a byte replaced is read or refused, never more") {
  Run run;
  run.outcomes = {sample_failure()};
  const std::string text = json_text(run);
  std::size_t refused = 0;
  for (std::size_t at = 0; at < text.size(); at += 7)
    for (const char byte : {'"', '{', ']', '0', '\\', '\xFF'}) {
      std::string changed = text;
      changed[at] = byte;
      refused += run_from_json(changed) ? 0 : 1;
    }
  CHECK(refused > text.size() / 7);
}

TEST_CASE("a refusal names the place, what belongs there and what was found") {
  CHECK_THAT(refusal("\"fail\"", "\"fial\""),
             contains("at '/outcomes/0/verdict': unknown verdict 'fial'; nearest: fail"));
  CHECK_THAT(refusal("\"verdict\":\"fail\"", "\"verdict\":3"),
             contains("at '/outcomes/0/verdict': expected a string, found 3"));
  CHECK_THAT(refusal("\"verdict\":\"fail\"", "\"verdict\":\"fail\",\"verdict\":\"pass\""),
             contains("at '/outcomes/0/verdict': found a second member"));
  CHECK_THAT(refusal("\"verdict\":", "\"verdcit\":"),
             contains("at '/outcomes/0': expected a member \"verdict\", found none"));
  CHECK_THAT(
      refusal("assay-run/1", "assay-run/9"),
      contains("at '/schema': expected \"assay-run/1\", the form that this version reads, found \"assay-run/9\""));
  CHECK_THAT(refusal("\"seed\": \"0\"", "\"seed\": 0"), contains("at '/seed': expected a string of decimal digits"));
  CHECK_THAT(refusal("\"seed\": \"0\"", "\"seed\": \"18446744073709551616\""), contains("at '/seed'"));
  CHECK_THAT(refusal("\"seed\": \"0\"", "\"seed\": \"-1\""), contains("at '/seed'"));
  CHECK_THAT(refusal("\"planned_cases\": 0", "\"planned_cases\": -1"),
             contains("at '/planned_cases': expected a whole number from 0"));
  CHECK_THAT(refusal("\"planned_cases\": 0", "\"planned_cases\": 1.5"), contains("at '/planned_cases'"));
  CHECK_THAT(refusal("\"duration_seconds\": 0.0", "\"duration_seconds\": \"fast\""),
             contains("at '/duration_seconds': expected a number, or \"inf\""));
  CHECK_THAT(refusal("\"duration_seconds\": 0.0", "\"duration_seconds\": 1e999"), contains("at '/duration_seconds'"));
  CHECK_THAT(refusal("\"value\":129.0", "\"value\":null"),
             contains("at '/outcomes/0/measurements/3/value': expected a number"));
  CHECK_THAT(refusal("\"devices\":[]", "\"devices\":[\"a\",7]"),
             contains("at '/environment/devices/1': expected a string, found 7"));
  CHECK_THAT(refusal("\"data\":\"normal\"", "\"a/b~\":[]"),
             contains("at '/outcomes/0/labels/a~1b~0': expected a string, found an array"));
  CHECK_THAT(refusal("\"rows\":8", "\"rows\":9"),
             contains("at '/outcomes/0/heat_maps/0/values': expected 9 × 12 values, found 96"));
  CHECK_THAT(refusal("[\"17\",", "["),
             contains("at '/outcomes/0/tables/0/rows/0': expected 5 cells, one for each column, found 4"));
  CHECK_THAT(refusal("[1024.0,", "["), contains("at '/outcomes/0/series/0/points/0': expected a list of two numbers"));
  CHECK_THAT(refusal("\"logical_processors\":0", "\"logical_processors\":4294967296"),
             contains("at '/environment/logical_processors'"));
}

TEST_CASE("other documents are refused") {
  for (const char* text : {"", " ", "null", "[]", "3", "\"run\"", "{}", "{\"schema\":null}", "{} {}", "\xEF\xBB\xBF",
                           "\xFF\xFE{", "{\"a\":[1,]}"}) {
    INFO(text);
    CHECK_FALSE(run_from_json(text));
  }
  CHECK_THAT(run_from_json(std::string(100'000, '[')).error().message, contains("32 deep"));
  CHECK_THAT(run_from_json("[[1,2],[3,{\"x\":[0,y").error().message,
             contains("at '/1/1/x/1': found no valid JSON at byte"));
}

TEST_CASE("a report of before runs had rules can be read") {
  std::string text = json_text(sample_run());
  for (const std::string member : {"\"rules\": {},\n", "\"require_conclusive\": false,\n"}) {
    REQUIRE(text.find(member) != std::string::npos);
    text.erase(text.find(member), member.size());
  }
  const Result<Run> run = run_from_json(text);
  REQUIRE(run);
  CHECK(run.value().rules.empty());
  CHECK_FALSE(run.value().require_conclusive);
}

TEST_CASE("members that a reader does not know are skipped") {
  std::string text = json_text(sample_run());
  text.insert(1, "\"future\": {\"deep\": [1, null, true]},");
  CHECK(run_from_json(text));
}

TEST_CASE("files: written, read, absent, and not a run") {
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("assay-json-" + std::to_string(std::random_device()()) + ".json");
  REQUIRE(write_json(sample_run(), path));
  const Result<Run> read = read_json(path);
  REQUIRE(read);
  CHECK(json_text(read.value()) == json_text(sample_run()));
  REQUIRE(write_file(path, "{\"schema\": \"assay-run/1\""));
  CHECK_THAT(read_json(path).error().message, contains(path.string()));
  std::filesystem::remove(path);
  CHECK(read_json(path).error().kind == ErrorKind::not_found);
  CHECK(read_json(std::filesystem::temp_directory_path()).error().kind == ErrorKind::io);
  CHECK_FALSE(write_json(sample_run(), path / "absent" / "run.json"));
}

TEST_CASE("the published schema names what is written, and asks for nothing else") {
  std::ifstream file(assay::testing::source_directory() / "include/assay/report/run.schema.json");
  const nlohmann::json schema = nlohmann::json::parse(file);
  Run run = sample_run();
  run.cases_not_run = {"gemm/eigen/f32/1x1x1/normal"};
  const nlohmann::json document = nlohmann::json::parse(json_text(run));
  const auto names = [](const nlohmann::json& object) {
    std::set<std::string> found;
    for (const auto& [name, value] : object.items()) found.insert(name);
    return found;
  };
  const auto same = [&](const nlohmann::json& definition, const nlohmann::json& full) {
    CHECK(names(definition.at("properties")) == names(full));
    for (const nlohmann::json& name : definition.at("required")) CHECK(full.contains(name.get<std::string>()));
  };
  const nlohmann::json& definitions = schema.at("$defs");
  const nlohmann::json& full = document.at("outcomes").at(7);
  CHECK(schema.at("properties").at("schema").at("const") == run_schema);
  same(schema, document);
  same(definitions.at("environment"), document.at("environment"));
  same(definitions.at("outcome"), full);
  same(definitions.at("finding"), document.at("findings").at(0));
  same(definitions.at("table"), full.at("tables").at(0));
  same(definitions.at("series"), full.at("series").at(0));
  same(definitions.at("heat_map"), full.at("heat_maps").at(0));
  std::set<std::string> verdicts;
  for (const Verdict verdict : all_verdicts) verdicts.emplace(name_of(verdict));
  CHECK(definitions.at("outcome").at("properties").at("verdict").at("enum").get<std::set<std::string>>() == verdicts);
}
