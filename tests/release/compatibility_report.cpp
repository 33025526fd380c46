#include "assay/release/compatibility_report.hpp"

#include "release/sample_certifications.hpp"
#include "testing/catch.hpp"

using namespace assay;
using namespace assay::testing;

namespace {

CompatibilityState state_of(const CompatibilityReport& report, const std::vector<std::string>& values) {
  for (const CompatibilityEntry& entry : report.entries)
    if (entry.values == values) return entry.state;
  FAIL("no such combination");
  return CompatibilityState::hole;
}

}  // namespace

TEST_CASE("results beside what was promised") {
  const CompatibilityReport report = sample_report();
  CHECK(report.entries.size() == 11);
  CHECK(state_of(report, {"580.1", "13.0", "pytorch"}) == CompatibilityState::certified);
  CHECK(state_of(report, {"580.1", "12.6", "jax"}) == CompatibilityState::certified);
  CHECK(state_of(report, {"550.54", "12.6", "jax"}) == CompatibilityState::failed);
  CHECK(state_of(report, {"550.54", "12.6", "pytorch"}) == CompatibilityState::undecided);
  CHECK(state_of(report, {"550.54", "11.8", "pytorch"}) == CompatibilityState::conflict);
  CHECK(state_of(report, {"450.80.02", "11.8", "pytorch"}) == CompatibilityState::hole);
  CHECK(report.count(CompatibilityState::hole) == 6);
  CHECK(report.exit_code() == 1);
}

TEST_CASE("conflicts name the outcome and who says what") {
  const CompatibilityReport report = sample_report();
  REQUIRE(report.conflicts.size() == 1);
  CHECK(report.conflicts[0].combination == "cuda=11.8 driver=550.54 framework=pytorch");
  CHECK(report.conflicts[0].what == "t1: f.json of lab1 says pass, g.json of lab2 says fail");
}

TEST_CASE("many disagreements are counted") {
  const VersionMatrix matrix = grid_matrix(1, 1);
  const auto one = certify(certifying_run(std::vector<Verdict>(20, Verdict::pass)), {{"a0", "0"}}, "", "one"),
             two = certify(certifying_run(std::vector<Verdict>(20, Verdict::unsupported)), {{"a0", "0"}}, "", "two");
  const CompatibilityReport report = compatibility_report(matrix, expand(matrix).value().combinations, {one, two});
  REQUIRE(report.conflicts.size() == 6);
  CHECK(report.conflicts[5].what == "and 15 outcomes more");
  CHECK(report.entries[0].state == CompatibilityState::conflict);
}

TEST_CASE("results of what was not promised are told apart, with the reason") {
  const CompatibilityReport report = sample_report();
  REQUIRE(report.strangers.size() == 2);
  CHECK(report.certifications[report.strangers[0].first].source == "h.json");
  CHECK_THAT(report.strangers[0].second, contains("a rule excludes it"));
  CHECK_THAT(report.strangers[1].second, contains("value of the axis 'cuda' '12.7'") && contains("12.6"));
  const VersionMatrix matrix = grid_matrix(1, 2);
  const auto with = [&](NamedCombination combination) {
    return compatibility_report(matrix, expand(matrix).value().combinations,
                                {certify(certifying_run({Verdict::pass}), std::move(combination), "", "x")});
  };
  CHECK_THAT(with({}).strangers.at(0).second, contains("nothing of the axis 'a0'"));
  CHECK_THAT(with({{"a0", "1"}, {"a1", "1"}}).strangers.at(0).second, contains("unknown axis 'a1'; nearest: a0"));
  CHECK(with({{"a0", "1"}}).strangers.empty());
}

TEST_CASE("holes are never passes") {
  const VersionMatrix matrix = grid_matrix(1, 2);
  const auto list = expand(matrix).value().combinations;
  const auto of = [](const char* value) {
    return certify(certifying_run({Verdict::pass}), {{"a0", value}}, "", value);
  };
  CHECK(compatibility_report(matrix, list, {}).exit_code() == 2);
  CHECK(compatibility_report(matrix, list, {of("0")}).exit_code() == 2);
  CHECK(compatibility_report(matrix, list, {of("0"), of("1")}).exit_code() == 0);
  CHECK(compatibility_report(matrix, CombinationList(1), {of("0")}).exit_code() == 2);
  CHECK(CompatibilityEntry().state == CompatibilityState::hole);
}
