#include "assay/release/compatibility_text.hpp"

#include "release/sample_certifications.hpp"
#include "testing/catch.hpp"

using namespace assay;
using namespace assay::testing;

TEST_CASE("the report in a screen") {
  const CompatibilityReport report = sample_report();
  const CompatibilityGrid grid = compatibility_grid(report, "driver", "cuda").value();
  std::string text;
  for (const std::string& line : compatibility_lines(report, &grid, 3)) text += line + "\n";
  INFO(text);
  CHECK_THAT(
      text, contains("drivers and toolkits: 11 combinations: 2 certified, 1 failed, 1 conflict, 1 undecided, 6 holes"));
  CHECK_THAT(text, contains("driver \\ cuda"));
  CHECK_THAT(text, contains("0/2 ✗1 ?1"));
  CHECK_THAT(text, contains("1/2 ○1"));
  CHECK_THAT(text, contains("conflict: cuda=11.8 driver=550.54 framework=pytorch: t1: f.json of lab1 says pass, g.json "
                            "of lab2 says fail"));
  CHECK_THAT(text, contains("failed  driver=550.54 cuda=12.6 framework=jax  [d|.json]"));
  CHECK_THAT(text, contains("hole  driver=450.80.02 cuda=11.8 framework=pytorch\n"));
  CHECK_THAT(text, contains("… and 3 more hole"));
  CHECK_THAT(text, contains("not counted: h.json"));
  CHECK_THAT(compatibility_lines(report, nullptr).front(), contains("2 certified"));
}

TEST_CASE("who certified what, when, where, what is wrong first") {
  const Table table = certification_table(sample_report(), 5);
  REQUIRE(table.rows.size() == 5);
  CHECK(table.rows[0][1] == "conflict");
  CHECK(table.rows[1] == std::vector<std::string>{"driver=550.54 cuda=12.6 framework=jax", "failed", "ada",
                                                  "2026-01-02T03:04:05Z", "lab1 (H100, CPU, oneDNN 3.1)", "d|.json"});
  CHECK(table.rows[3][1] == "certified");
  CHECK(table.rows[3][2] == "?");  // nobody said who
  CHECK(table.rows[4][2] == "ada; bob");
}

TEST_CASE("Markdown shows what results hold as text") {
  const CompatibilityReport report = sample_report();
  const std::string text = compatibility_markdown(report, nullptr);
  CHECK_THAT(text, contains("## Compatibility: drivers and toolkits"));
  CHECK(text.find("d|.json") == std::string::npos);
  CHECK_THAT(text, contains("runs disagree"));
  CHECK_THAT(text, contains("| hole |"));
  CHECK_THAT(compatibility_markdown({}, nullptr), contains("0 combinations"));
}
