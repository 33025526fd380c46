#include "assay/frameworks/cases/known_failures.hpp"

#include "testing/catch.hpp"

using namespace assay;

namespace {

Outcome outcome_of(const char* id, Verdict verdict) {
  Outcome outcome;
  outcome.id = id;
  outcome.verdict = verdict;
  return outcome;
}

}  // namespace

TEST_CASE("known failures have an owner, a day and a reason") {
  const auto read = read_known_failures("# ours\n\n test_dft* | lee | 2027-01-31 | tolerance | too narrow \n");
  REQUIRE(read);
  REQUIRE(read.value().size() == 1);
  CHECK(read.value()[0].glob == "test_dft*");
  CHECK(read.value()[0].owner == "lee");
  CHECK(read.value()[0].reason == "tolerance | too narrow");
  for (const char* wrong : {"a | b | 2027-01-31", "a | b | 2027-13-31 | c", "a | b | soon | c", "a || 2027-01-31 | c",
                            "a | b | 2027-1-31 | c", "| b | 2027-01-31 | c"}) {
    const auto refused = read_known_failures(wrong);
    REQUIRE(!refused);
    CHECK(refused.error().message.find("line 1") != std::string::npos);
  }
}

TEST_CASE("a known failure is known until its day, and lines that hit nothing are told of") {
  const std::vector<Outcome> outcomes{outcome_of("onnx/ort/DFT/test_dft", Verdict::fail),
                                      outcome_of("onnx/ort/Relu/test_relu", Verdict::error),
                                      outcome_of("onnx/ort/Add/test_add", Verdict::pass)};
  const auto list = read_known_failures(
      "test_dft | lee | 2027-01-31 | a\nonnx/*/test_relu | lee | 2026-01-31 | b\ntest_add | kim | 2027-01-31 | c");
  REQUIRE(list);
  const JudgedFailures judged = judge_by_known_failures(outcomes, list.value(), "2026-02-01");
  CHECK(judged.known == std::vector<std::string>{"onnx/ort/DFT/test_dft"});
  CHECK(judged.unknown == std::vector<std::string>{"onnx/ort/Relu/test_relu"});
  REQUIRE(judged.stale.size() == 2);
  CHECK(judged.stale[0].find("expired on 2026-01-31") != std::string::npos);
  CHECK(judged.stale[1].find("hits no failure") != std::string::npos);
  CHECK(judge_by_known_failures(outcomes, list.value(), "2027-01-31").known.size() == 1);  // the last day counts
  CHECK(judge_by_known_failures(outcomes, {}, "2026-02-01").unknown.size() == 2);
}
