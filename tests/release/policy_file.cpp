#include "assay/release/policy_file.hpp"

#include <filesystem>
#include <fstream>
#include <random>
#include <string>

#include "assay/release/check_policy.hpp"
#include "assay/release/default_policy.hpp"
#include "assay/release/gate.hpp"
#include "release/refused_form.hpp"
#include "testing/catch.hpp"

using namespace assay;

namespace {

const std::string whole = R"({
  "schema": "assay-policy/1",  // a comment
  "title": "driver 550",
  "treat": {"skipped": "bad", "unsupported": "undecided"},
  "gates": [
    {"name": "kernels", "group": "kernels", "level": "hard", "why": "w", "remedy": "r", "require": "pass_rate >= 99 %", "minimum": 10,
     "select": {"ids": ["gemm/*", "conv/*"], "exclude": "*/slow", "labels": {"device": ["H100", "H200"], "operation": "*"}},
     "cover": {"device": ["H100", "H200"]}, "treat": {"skipped": "ignored", "unmeasured": "bad", "error": "undecided"}},
    {"name": "perplexity", "level": "soft", "require": "each(perplexity) within 12.3 +- 0.5", "unit": "1"}
  ],
  "waivers": [{"ids": "gemm/1", "gates": ["kernels"], "owner": "ada", "reason": "t", "expires": "2026-03-31"},
              {"gates": ["perplexity"], "missing_results": true, "owner": "ada", "reason": "t", "expires": "2026-03-31"}],
  "quarantine": [{"ids": ["gemm/2"], "owner": "bob", "reason": "t", "expires": "2026-04-30", "maximum_failure_rate": 0.25}]
})";

std::string refusal(const std::string& from, const std::string& to) {
  return assay::testing::refusal_of([](const std::string& text) { return parse_policy(text); }, whole, from, to);
}

}  // namespace

TEST_CASE("every member arrives where it belongs") {
  const auto read = parse_policy(whole);
  INFO((read ? std::string() : read.error().message));
  REQUIRE(read);
  const GatePolicy& policy = read.value();
  REQUIRE(check(policy));
  CHECK(policy.title == "driver 550");
  const Gate& gate = policy.gates.at(0);
  CHECK(gate.name == "kernels");
  CHECK(gate.group == "kernels");
  CHECK(gate.hard);
  CHECK(gate.why == "w");
  CHECK(gate.remedy == "r");
  CHECK(gate.minimum == 10);
  CHECK(gate.condition.kind == GateCondition::Kind::pass_rate);
  CHECK(gate.selection.ids == std::vector<std::string>{"gemm/*", "conv/*"});
  CHECK(gate.selection.exclude == std::vector<std::string>{"*/slow"});
  CHECK(gate.selection.labels.at("device") == std::vector<std::string>{"H100", "H200"});
  CHECK(gate.selection.labels.at("operation") == std::vector<std::string>{"*"});
  CHECK(gate.cover.at("device").size() == 2);
  CHECK(gate.treatments.skipped == GateTreatment::ignored);
  CHECK(gate.treatments.unsupported == GateTreatment::undecided);
  CHECK(gate.treatments.error == GateTreatment::undecided);
  CHECK(gate.treatments.unmeasured == GateTreatment::bad);
  CHECK_FALSE(policy.gates.at(1).hard);
  CHECK(policy.gates.at(1).unit == "1");
  CHECK(policy.gates.at(1).minimum == 1);
  CHECK(policy.gates.at(1).treatments.skipped == GateTreatment::bad);
  CHECK_FALSE(policy.gates.at(1).treatments.unmeasured.has_value());
  CHECK(policy.waivers.at(0).ids == std::vector<std::string>{"gemm/1"});
  CHECK(policy.waivers.at(0).gates == std::vector<std::string>{"kernels"});
  CHECK(date_text(policy.waivers.at(0).expires) == "2026-03-31");
  CHECK_FALSE(policy.waivers.at(0).missing_results);
  CHECK(policy.waivers.at(1).missing_results);
  CHECK(policy.quarantine.at(0).maximum_failure_rate == 0.25);
  CHECK(policy.quarantine.at(0).owner == "bob");
}

TEST_CASE("misspelled members are errors with the nearest name and the place") {
  using testing::contains;
  CHECK_THAT(refusal("\"gates\": [", "\"gate\": ["), contains("unknown member 'gate'; nearest: gates"));
  CHECK_THAT(refusal("\"minimum\"", "\"minimun\""),
             contains("/gates/0") && contains("unknown member 'minimun'; nearest: minimum"));
  CHECK_THAT(refusal("\"require\"", "\"requires\""), contains("nearest: require"));
  CHECK_THAT(refusal("\"exclude\"", "\"excludes\""), contains("/gates/0/select") && contains("nearest: exclude"));
  CHECK_THAT(refusal("\"skipped\": \"ignored\"", "\"skiped\": \"ignored\""),
             contains("/gates/0/treat") && contains("nearest: skipped"));
  CHECK_THAT(refusal("\"expires\"", "\"expiry\""), contains("/waivers/0") && contains("nearest: expires"));
  CHECK_THAT(refusal("\"maximum_failure_rate\"", "\"max_failure_rate\""),
             contains("/quarantine/0") && contains("nearest: maximum_failure_rate"));
}

TEST_CASE("wrong values are errors with the place") {
  using testing::contains;
  CHECK_THAT(refusal("\"hard\"", "\"Hard\""),
             contains("/gates/0/level") && contains("unknown word 'Hard'; nearest: hard"));
  CHECK_THAT(refusal("\"skipped\": \"bad\"", "\"skipped\": \"pass\""),
             contains("/treat/skipped") && contains("known: ignored, undecided, bad"));
  CHECK_THAT(refusal("\"error\": \"undecided\"", "\"error\": \"ignored\""), contains("known: undecided, bad"));
  CHECK_THAT(refusal("pass_rate >= 99 %", "pass_rat >= 99 %"), contains("/gates/0/require"));
  CHECK_THAT(refusal("\"minimum\": 10", "\"minimum\": -1"), contains("whole number"));
  CHECK_THAT(refusal("\"minimum\": 10", "\"minimum\": 2.5"), contains("whole number"));
  CHECK_THAT(refusal("\"2026-03-31\"", "\"2026-02-30\""), contains("/waivers/0/expires") && contains("calendar"));
  CHECK_THAT(refusal("\"owner\": \"ada\", ", ""), contains("\"owner\""));
  CHECK_THAT(refusal("assay-policy/1", "assay-policy/2"), contains("assay-policy/1"));
  CHECK_THAT(refusal("\"schema\": \"assay-policy/1\",", ""), contains("\"schema\""));
  CHECK_THAT(refusal("\"ids\": \"gemm/1\"", "\"ids\": []"), contains("not empty"));
  CHECK_THAT(refusal("\"title\": \"driver 550\",", "\"title\": \"a\", \"title\": \"b\","), contains("a second member"));
  CHECK_THAT(refusal("\"waivers\": [",
                     "\"waivers\": ["
                     "7, "),
             contains("/waivers/0") && contains("an object"));
  CHECK_THAT(refusal("  ]", "  "), contains("no valid JSON"));
  CHECK_FALSE(parse_policy(""));
  CHECK_FALSE(parse_policy("[]"));
}

TEST_CASE("the default policy is sound, and nothing passes it that nobody tested") {
  const auto policy = parse_policy(default_policy);
  INFO((policy ? std::string() : policy.error().message));
  REQUIRE(policy);
  REQUIRE(check(policy.value()));
  std::set<std::string> groups;
  for (const Gate& gate : policy.value().gates) {
    groups.insert(gate.group);
    CHECK_FALSE(gate.why.empty());
    CHECK_FALSE(gate.remedy.empty());
  }
  CHECK(groups == std::set<std::string>{"hardware", "kernels", "frameworks", "models", "distributed", "release"});
  CHECK(judge_release(policy.value(), {}).value().verdict == ReleaseVerdict::cannot_tell);

  const auto outcome = [](const std::string& id, std::vector<Measurement> measurements) {
    Outcome made;
    made.id = id;
    made.verdict = Verdict::pass;
    made.measurements = std::move(measurements);
    return made;
  };
  GateInput input;
  input.run.outcomes = {
      outcome("hardware/memory", {{"uncorrectable_ecc_errors", 0, "1"}, {"throttled_percent", 0, "%"}}),
      outcome("gemm/a", {{"worst_error_ratio", 0.5, "1"}}),
      outcome("framework/torch/gemm", {}),
      outcome("model/llama", {{"perplexity", 12.8, "1"}, {"perplexity_baseline", 12.3, "1"}}),
      outcome("collective/all_reduce", {}),
      outcome("bench/gemm", {{"regression_percent", 3, "%"}})};
  input.run.outcomes[1].labels = {{"operation", "gemm"}, {"backend", "x"}, {"formats", "f32"}};
  const auto verdict = [&](const GateInput& given) { return judge_release(policy.value(), {given}).value().verdict; };
  CHECK(verdict(input) == ReleaseVerdict::approved);
  for (std::size_t i = 0; i < input.run.outcomes.size(); ++i) {
    GateInput broken = input;
    broken.run.outcomes[i].verdict = Verdict::fail;
    for (Measurement& entry : broken.run.outcomes[i].measurements) entry.value = 50;
    INFO(broken.run.outcomes[i].id);
    if (broken.run.outcomes[i].id == "model/llama") broken.run.outcomes[i].measurements[0].value = 51;
    CHECK(verdict(broken) == ReleaseVerdict::blocked);
    broken = input;
    broken.run.outcomes.erase(broken.run.outcomes.begin() + static_cast<std::ptrdiff_t>(i));
    CHECK(verdict(broken) == ReleaseVerdict::cannot_tell);
  }
}

TEST_CASE("files: read, absent, a folder") {
  const auto path = std::filesystem::temp_directory_path() / "assay-policy-test.json";
  std::ofstream(path) << whole;
  CHECK(read_policy(path).value().gates.size() == 2);
  std::ofstream(path) << "{";
  CHECK_THAT(read_policy(path).error().message, testing::contains("assay-policy-test.json"));
  std::filesystem::remove(path);
  CHECK(read_policy(path).error().kind == ErrorKind::not_found);
  CHECK(read_policy(path.parent_path()).error().kind == ErrorKind::io);
}

TEST_CASE("mutated policies are read or refused with a reason, never worse") {
  std::mt19937 random(1);
  std::size_t read = 0, refused = 0;
  const std::string words[] = {"\"",
                               "{",
                               "}",
                               "[",
                               "]",
                               ",",
                               ":",
                               "null",
                               "1e999",
                               "-1",
                               "true",
                               "\"schema\"",
                               "//",
                               "/*",
                               "\\u0000",
                               "\xff",
                               "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[["};
  for (int i = 0; i < 6000; ++i) {
    std::string text = whole;
    for (auto edits = 1 + random() % 3; edits > 0; --edits) {
      const std::size_t at = random() % text.size();
      switch (random() % 3) {
        case 0: text.erase(at, 1 + random() % 8); break;
        case 1: text.insert(at, words[random() % std::size(words)]); break;
        default: text[at] = static_cast<char>(random() % 256);
      }
    }
    const auto policy = parse_policy(text);
    (policy ? read : refused) += 1;
    if (policy && check(policy.value()))
      REQUIRE(judge_release(policy.value(), {}).value().verdict == ReleaseVerdict::cannot_tell);
    if (!policy) REQUIRE_FALSE(policy.error().message.empty());
  }
  CHECK(read > 200);
  CHECK(refused > 2000);
}
