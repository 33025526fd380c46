#include "assay/release/gate_text.hpp"

#include <string>

#include "release/sample_gate.hpp"

using namespace assay;
using namespace assay::testing;

namespace {

std::string text_of(const GateReport& report, const GateTextOptions& options = {}) {
  std::string text;
  for (const std::string& line : gate_lines(report, options)) text += line + "\n";
  return text;
}

}  // namespace

TEST_CASE("why, with what blocks first") {
  const std::string text = text_of(mixed_report(), {60, 200});
  INFO(text);
  CHECK_THAT(text, contains("BLOCKED  driver 550: 1 of 4 hard gates is violated, 1 cannot tell"));
  CHECK_THAT(text, contains("11 outcomes of 2 runs, 2026-01-31"));
  CHECK_THAT(text, contains("✗ kernels/correctness: 3 of 4 are bad"));
  CHECK_THAT(text, contains("    gemm/refuted|<b>: because it is fail  [a.json]"));
  CHECK_THAT(text, contains("    to do: run it alone"));
  CHECK_THAT(text, contains("? distributed cannot tell: saw no results"));
  CHECK_THAT(text, contains("strike the gate"));
  CHECK_THAT(text, contains("! release/performance (warns): 1 of 1 break it, worst regression_percent = 4.5 %, "
                            "demanded: max(regression_percent) <= 3"));
  CHECK_THAT(text, contains("✓ 2 gates passed: models/perplexity, hardware"));
  CHECK(text.find("✗") < text.find("? distributed"));
  CHECK(text.find("? distributed") < text.find("! release"));
  CHECK(text.find("! release") < text.find("✓"));
}

TEST_CASE("waivers and quarantine are told where somebody must act") {
  const std::string text = text_of(mixed_report(), {60, 200});
  CHECK_THAT(text,
             contains("waiver of gemm/old/* (ada) expired on 2026-01-30 and is void; it would have let 1 through"));
  CHECK_THAT(text, contains("waiver of nothing/* (ada) matches nothing that is wrong"));
  CHECK_THAT(text, contains("waiver of gemm/soon (ada) ends on 2026-02-03, in 3 days"));
  CHECK_THAT(text, contains("quarantine refused: gemm/broken: it failed in all of 4 attempts"));
  CHECK_THAT(text, !contains("gemm/known"));
}

TEST_CASE("an answer of one screen, however much is wrong") {
  Gate gate = gate_of("no fail");
  std::vector<Gate> gates;
  std::vector<Outcome> outcomes;
  for (int i = 0; i < 300; ++i) {
    gate.name = "gate " + std::to_string(i);
    gates.push_back(gate);
    outcomes.push_back(
        outcome_of("a very long id " + std::string(300, 'x') + std::to_string(i) + "\n\x1b[31m", Verdict::fail));
  }
  const GateReport report = judged(policy_of(gates), {input_of(outcomes)});
  for (const std::size_t room : {2u, 24u, 40u, 100u}) {
    const auto lines = gate_lines(report, {room, 80});
    CHECK(lines.size() <= room);
    CHECK_THAT(lines.front(), contains("BLOCKED"));
    CHECK_THAT(lines.back(), contains("lines more"));
    for (const std::string& line : lines) {
      REQUIRE(display_width(line) <= 80);
      REQUIRE(line.find('\x1b') == std::string::npos);
    }
  }
  const auto few = gate_lines(judged(policy_of({gate}), {input_of(outcomes)}), {40, 80});
  CHECK_THAT(few[7], contains("… and 295 more") || contains("x"));
  CHECK(few.size() < 12);
}

TEST_CASE("what was cut short is told, and approval is plain") {
  GateInput input = input_of({outcome_of("a", Verdict::pass)});
  CHECK_THAT(text_of(judged(policy_of({gate_of("no fail")}), {input})),
             contains("APPROVED  policy: the hard gate is kept") && contains("1 outcome of 1 run") &&
                 contains("✓ 1 gate passed: the gate"));
  input.run.planned_cases = 5;
  CHECK_THAT(text_of(judged(policy_of({gate_of("no fail")}), {input})),
             contains("CANNOT TELL") && contains("? run.json was cut short: 4 of 5 planned cases did not run"));
}
