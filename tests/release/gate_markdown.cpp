#include "assay/release/gate_markdown.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>

#include "release/sample_gate.hpp"

using namespace assay;
using namespace assay::testing;

TEST_CASE("a section of release notes") {
  const std::string text = gate_markdown(mixed_report());
  INFO(text);
  CHECK_THAT(text, contains("## Release gate: blocked"));
  CHECK_THAT(text, contains("| hard | **violated** | 3 of 4 are bad |"));
  CHECK_THAT(text, contains("| soft | **violated** |"));
  CHECK_THAT(text, contains("### What is wrong"));
  CHECK_THAT(text, contains("### Known issues that are let through") && contains("gemm/known/1"));
  CHECK_THAT(text, contains("### Flaky tests in quarantine") && contains("gemm/flaky"));
  CHECK_THAT(text, contains("- ada, until 2026-06-30: ticket 7"));
  CHECK_THAT(text, contains("### To mend in the policy") && contains("expired on 2026-01-30"));
  CHECK(text.find("**violated**") < text.find("**cannot tell**"));
  CHECK(text.find("**cannot tell**") < text.find("| passed |"));
}

TEST_CASE("what outcomes hold shows as text") {
  const std::string text = gate_markdown(mixed_report());
  CHECK(text.find("refuted|<b>") == std::string::npos);
  CHECK_THAT(text, contains("refuted"));
}

TEST_CASE("approval says so, and nothing else") {
  const std::string text =
      gate_markdown(judged(policy_of({gate_of("no fail")}), {input_of({outcome_of("a", Verdict::pass)})}));
  CHECK_THAT(text, contains("## Release gate: approved") && contains("| passed |") && !contains("### What is wrong") &&
                       !contains("### Waivers"));
  const auto path = std::filesystem::temp_directory_path() / "assay-gate-markdown.md";
  REQUIRE(write_gate_markdown(mixed_report(), path));
  std::ifstream file(path);
  CHECK(std::string(std::istreambuf_iterator<char>(file), {}) == gate_markdown(mixed_report()));
  std::filesystem::remove(path);
}
