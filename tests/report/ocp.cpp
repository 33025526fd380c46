#include "assay/report/ocp.hpp"

#include <algorithm>
#include <cerrno>
#include <sstream>

#include "report/sample_run.hpp"
#include "testing/catch.hpp"

using namespace assay;
using namespace assay::testing;
using Json = nlohmann::json;

// schema_oracle.py holds the lines against the schemas of ocp-diag-core.

namespace {

/// The artifacts, after what the specification says of all of them: numbered from 0, stamped, never back in time.
std::vector<Json> artifacts_of(const Run& run, bool require_conclusive = false) {
  std::istringstream lines(ocp_text(run, require_conclusive));
  std::vector<Json> artifacts;
  std::string time;
  for (std::string line; std::getline(lines, line);) {
    artifacts.push_back(Json::parse(line));
    CHECK(artifacts.back().at("sequenceNumber") == artifacts.size() - 1);
    CHECK(artifacts.back().at("timestamp").get<std::string>() >= time);
    time = artifacts.back().at("timestamp");
  }
  REQUIRE(artifacts.size() >= 4);
  CHECK(artifacts[0].at("schemaVersion") == Json{{"major", 2}, {"minor", 0}});
  CHECK(artifacts[1].at("testRunArtifact").contains("testRunStart"));
  CHECK(artifacts.back().at("testRunArtifact").contains("testRunEnd"));
  return artifacts;
}

/// The kinds of artifacts of the run's first step, in their order.
std::vector<std::string> kinds_of_step(const std::vector<Json>& artifacts) {
  std::vector<std::string> kinds;
  for (const Json& artifact : artifacts) {
    if (!artifact.contains("testStepArtifact") || artifact.at("testStepArtifact").at("testStepId") != "0") continue;
    for (const auto& [kind, content] : artifact.at("testStepArtifact").items())
      if (kind != "testStepId") kinds.push_back(kind);
  }
  return kinds;
}

Json content_of(const std::vector<Json>& artifacts, const std::string& kind) {
  for (const Json& artifact : artifacts)
    for (const char* level : {"testStepArtifact", "testRunArtifact"})
      if (artifact.contains(level) && artifact.at(level).contains(kind)) return artifact.at(level).at(kind);
  return {};
}

Run run_of(std::vector<Verdict> verdicts, std::size_t planned = 0) {
  Run run;
  for (const Verdict verdict : verdicts)
    run.outcomes.push_back(sample_outcome("id/" + std::to_string(run.outcomes.size()), verdict));
  run.planned_cases = planned;
  return run;
}

}  // namespace

TEST_CASE("each verdict becomes a step with the diagnosis and status that the specification has for it") {
  using Kinds = std::vector<std::string>;
  struct Case {
    Verdict verdict;
    std::string said, type, status;
  };
  for (const Case& given : std::vector<Case>{{Verdict::pass, "diagnosis", "PASS", "COMPLETE"},
                                             {Verdict::fail, "diagnosis", "FAIL", "COMPLETE"},
                                             {Verdict::inconclusive, "diagnosis", "UNKNOWN", "COMPLETE"},
                                             {Verdict::new_baseline, "diagnosis", "UNKNOWN", "COMPLETE"},
                                             {Verdict::error, "error", "", "ERROR"},
                                             {Verdict::skipped, "log", "", "SKIP"},
                                             {Verdict::unsupported, "log", "", "SKIP"}}) {
    const std::vector<Json> artifacts = artifacts_of(run_of({given.verdict}));
    INFO(name_of(given.verdict));
    CHECK(kinds_of_step(artifacts) == Kinds{"testStepStart", given.said, "testStepEnd"});
    CHECK(content_of(artifacts, "testStepStart").at("name") == "id/0");
    CHECK(content_of(artifacts, "testStepEnd").at("status") == given.status);
    if (!given.type.empty()) CHECK(content_of(artifacts, given.said).at("type") == given.type);
    CHECK_THAT(content_of(artifacts, given.said).at("message").get<std::string>(), contains("assay run --only id/0"));
  }
  CHECK(content_of(artifacts_of(run_of({Verdict::new_baseline})), "diagnosis").at("verdict") == "gemm-new-baseline");
  CHECK(content_of(artifacts_of(run_of({Verdict::error})), "error").at("symptom") == "gemm-error");
}

TEST_CASE("the run ends as the exit code says, in a pair that the specification allows") {
  const auto end = [](const Run& run, bool require_conclusive = false) {
    const Json content = content_of(artifacts_of(run, require_conclusive), "testRunEnd");
    return content.at("status").get<std::string>() + " " + content.at("result").get<std::string>();
  };
  CHECK(end(run_of({Verdict::pass})) == "COMPLETE PASS");
  CHECK(end(run_of({Verdict::pass, Verdict::inconclusive, Verdict::unsupported})) == "COMPLETE PASS");
  CHECK(end(run_of({Verdict::pass, Verdict::inconclusive}), true) == "ERROR NOT_APPLICABLE");
  CHECK(end(run_of({Verdict::pass, Verdict::error})) == "ERROR NOT_APPLICABLE");
  CHECK(end(run_of({Verdict::fail, Verdict::error})) == "COMPLETE FAIL");
  CHECK(end(run_of({Verdict::fail}, 9)) == "COMPLETE FAIL");
  CHECK(end(run_of({Verdict::pass}, 9)) == "SKIP NOT_APPLICABLE");
  CHECK(end(run_of({Verdict::unsupported})) == "SKIP NOT_APPLICABLE");
  CHECK(end(Run()) == "SKIP NOT_APPLICABLE");
  CHECK(content_of(artifacts_of(run_of({Verdict::fail}, 9)), "error").at("message") ==
        "cut short: 8 of 9 planned cases did not run");
  CHECK(content_of(artifacts_of(run_of({Verdict::fail})), "error").is_null());
}

TEST_CASE("measurements have a validator where the bound is known, and numbers that JSON has no word for are strings") {
  Run run = run_of({Verdict::pass});
  run.outcomes[0].measure(measurement::worst_error_ratio, 0.5);
  Json found = content_of(artifacts_of(run), "measurement");
  CHECK(found.at("value") == 0.5);
  CHECK(found.at("unit") == "1");
  CHECK(found.at("validators") == Json::array({{{"name", "allowed"}, {"type", "LESS_THAN_OR_EQUAL"}, {"value", 1.0}}}));
  for (const auto& [value, text] : {std::pair(std::numeric_limits<double>::quiet_NaN(), "nan"),
                                    {-std::numeric_limits<double>::infinity(), "-inf"}}) {
    run.outcomes[0].measurements[0].value = value;
    found = content_of(artifacts_of(run), "measurement");
    CHECK(found.at("value") == text);
    CHECK_FALSE(found.contains("validators"));
  }
}

TEST_CASE("the start of the run describes the machine") {
  const std::vector<Json> artifacts = artifacts_of(sample_run());
  const Json start = content_of(artifacts, "testRunStart");
  CHECK(start.at("version") == "0.1.0");
  CHECK(start.at("parameters").at("seed") == "18446744073709551615");
  const Json& machine = start.at("dutInfo");
  CHECK(machine.at("name") == "bench-7");
  CHECK(machine.at("hardwareInfos").at(1) ==
        Json{{"hardwareInfoId", "device-0"}, {"name", "Example Accelerator A, 80 GiB"}});
  CHECK(machine.at("softwareInfos").at(2).at("version") == "0.3.21, SkylakeX");
  CHECK(artifacts[1].at("timestamp") == "2025-01-02T03:04:05.000Z");
  CHECK(artifacts.back().at("timestamp") == "2025-01-02T03:04:17.340Z");
}

TEST_CASE("times of day are read, or not taken for what they are not") {
  using detail::later;
  using detail::utc_text;
  using detail::utc_time;
  const auto again = [](const char* text) { return utc_time(text) ? utc_text(*utc_time(text)) : "none"; };
  CHECK(again("2024-02-29T23:59:59Z") == "2024-02-29T23:59:59.000Z");
  CHECK(again("2025-01-02T03:04:05.6") == "2025-01-02T03:04:05.600Z");
  CHECK(again("2025-01-02T03:04:05.678912Z") == "2025-01-02T03:04:05.678Z");
  for (const char* text :
       {"", "2025-02-29T00:00:00Z", "2025-13-01T00:00:00Z", "2025-01-02T24:00:00Z", "2025-01-02 03:04:05",
        "2025-01-02T03:04:05+01:00", "2025-01-02T03:04:05.Z", "2025-01-02T03:04:0", "x025-01-02T03:04:05Z"}) {
    INFO(text);
    CHECK(again(text) == "none");
  }
  const detail::UtcTime midnight = *utc_time("2024-12-31T23:59:59Z");
  CHECK(utc_text(later(midnight, 1.25)) == "2025-01-01T00:00:00.250Z");
  for (const double none : {-1.0, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()})
    CHECK(later(midnight, none) == midnight);
}

TEST_CASE("lines are ASCII and whole, whatever the bytes, and 10,000 outcomes are written") {
  Run run = run_of({Verdict::fail});
  run.outcomes[0].id = run.outcomes[0].reason = run.title = "\xFF\xC2\x85\xE2\x80\xA8\n" + nasty_text();
  const std::string text = ocp_text(run);
  CHECK(std::all_of(text.begin(), text.end(), [](char byte) { return byte == '\n' || (byte >= 0x20 && byte < 0x7F); }));
  CHECK(artifacts_of(run).size() == 7);
  std::size_t ends = 0;
  for (const Json& artifact : artifacts_of(large_run(10'000)))
    ends += artifact.contains("testStepArtifact") && artifact.at("testStepArtifact").contains("testStepEnd") ? 1 : 0;
  CHECK(ends == 10'000);
}
