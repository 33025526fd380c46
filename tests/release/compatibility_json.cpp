#include "assay/release/compatibility_json.hpp"

#include "release/sample_certifications.hpp"
#include "testing/catch.hpp"

using namespace assay;
using namespace assay::testing;

TEST_CASE("the report for programs") {
  const nlohmann::json json = nlohmann::json::parse(compatibility_json(sample_report()));
  CHECK(json["schema"] == "assay-compatibility/1");
  CHECK(json["axes"][0]["name"] == "driver");
  CHECK(json["counts"]["hole"] == 6);
  CHECK(json["counts"]["certified"] == 2);
  CHECK(json["combinations"].size() == 11);
  CHECK(json["conflicts"][0]["what"] == "t1: f.json of lab1 says pass, g.json of lab2 says fail");
  CHECK(json["not_counted"].size() == 2);
  CHECK(json["not_counted"][1]["combination"]["cuda"] == "12.7");
  std::size_t certified = 0;
  for (const auto& entry : json["combinations"]) {
    if (entry["state"] == "hole") CHECK(entry["certifications"].empty());
    if (entry["state"] != "certified") continue;
    ++certified;
    CHECK(entry["certifications"][0]["when"] == "2026-01-02T03:04:05Z");
    CHECK(entry["certifications"][0]["environment"] == "H100, CPU, oneDNN 3.1");
  }
  CHECK(certified == 2);
}

TEST_CASE("bytes that are not UTF-8 do not spoil it") {
  CompatibilityReport report = sample_report();
  report.title = "a\xff\"b";
  CHECK(nlohmann::json::accept(compatibility_json(report)));
  CHECK(nlohmann::json::parse(compatibility_json({}))["combinations"].empty());
}
