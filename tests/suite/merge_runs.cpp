#include "assay/suite/merge_runs.hpp"

#include "testing/catch.hpp"

using namespace assay;

namespace {

Run part(const std::string& shard, const std::vector<std::string>& ids, Verdict verdict = Verdict::pass) {
  Run run;
  run.title = "nightly";
  run.seed = 7;
  run.shard = shard;
  run.environment.host_name = "host" + shard.substr(0, 1);
  run.planned_cases = ids.size();
  run.duration_seconds = 1;
  for (const std::string& id : ids) {
    Outcome outcome;
    outcome.id = id;
    outcome.verdict = verdict;
    if (verdict != Verdict::pass) outcome.reason = "for this test";
    run.outcomes.push_back(outcome);
  }
  return run;
}

std::string ids_of(const Run& run) {
  std::string text;
  for (const Outcome& outcome : run.outcomes) text += outcome.id + " ";
  return text;
}

}  // namespace

TEST_CASE("parts in any order give the run that was split, in its order") {
  const auto merged = merge_runs({part("3/3", {"c"}), part("1/3", {"a", "d"}), part("2/3", {"b", "e"})});
  REQUIRE(merged);
  CHECK(ids_of(merged.value()) == "a b c d e ");
  CHECK(merged.value().exit_code() == 0);
  CHECK(merged.value().planned_cases == 5);
  CHECK(merged.value().duration_seconds == 3);
  CHECK(merged.value().shard.empty());
  CHECK(merged.value().environment.host_name == "host1; host2; host3");
  CHECK(merged.value().outcomes[1].label("host") == "host2");
}

TEST_CASE("a part that is missing is an error, never a smaller run that passed") {
  const auto merged = merge_runs({part("1/3", {"a", "d"}), part("3/3", {"c"})});
  REQUIRE(merged);
  CHECK(ids_of(merged.value()) == "a d c shard/2/3 ");
  CHECK(merged.value().exit_code() == 1);
  CHECK(merged.value().outcomes.back().verdict == Verdict::error);
}

TEST_CASE("a part that was cut short leaves the whole cut short") {
  Run short_part = part("2/2", {"b"});
  short_part.planned_cases = 2;
  const auto merged = merge_runs({part("1/2", {"a", "c"}), short_part});
  REQUIRE(merged);
  CHECK(ids_of(merged.value()) == "a c b ");
  CHECK(merged.value().exit_code() == 2);
}

TEST_CASE("what a rerun came to is not missing; what no run came to is") {
  const auto cut_short = [](const std::string& shard) {
    Run run = part(shard, {"a", "b"});
    run.planned_cases = 4;
    run.cases_not_run = {"c", "d"};
    return run;
  };
  for (const char* shard : {"", "1/1"}) {
    const auto whole = merge_runs({cut_short(shard), part(shard, {"a", "b", "c", "d"})});
    REQUIRE(whole);
    CHECK(whole.value().planned_cases == 4);
    CHECK(whole.value().cases_not_run.empty());
    CHECK(whole.value().exit_code() == 0);
  }
  const auto still = merge_runs({cut_short(""), part("", {"c"})});
  REQUIRE(still);
  CHECK(still.value().planned_cases == 4);
  CHECK(still.value().cases_not_run == std::vector<std::string>{"d"});
  CHECK(still.value().exit_code() == 2);
}

TEST_CASE("inconclusive cases of the merged run count as failures where they do in a part") {
  Run strict = part("1/2", {"a"});
  strict.require_conclusive = true;
  const auto merged = merge_runs({strict, part("2/2", {"b"}, Verdict::inconclusive)});
  REQUIRE(merged);
  CHECK(merged.value().exit_code() == 1);
}

TEST_CASE("parts that were judged by different rules are refused") {
  const auto judged = [](const std::string& shard, const std::string& id,
                         const std::map<std::string, std::string>& rules) {
    Run run = part(shard, {id});
    run.rules = rules;
    return run;
  };
  const std::map<std::string, std::string> derived{{"tolerance", "derived"}}, relaxed{{"tolerance", "relaxed"}};
  const auto same = merge_runs({judged("1/2", "a", relaxed), judged("2/2", "b", relaxed)});
  REQUIRE(same);
  CHECK(same.value().rules == relaxed);
  CHECK_THAT(merge_runs({judged("1/2", "a", derived), judged("2/2", "b", relaxed)}).error().message,
             testing::contains("tolerance is 'derived' in one of them and 'relaxed' in another"));
  CHECK_FALSE(merge_runs({judged("1/3", "a", {}), judged("2/3", "b", relaxed), judged("3/3", "c", derived)}));
  CHECK(merge_runs({judged("1/2", "a", {}), judged("2/2", "b", relaxed)}));
}

TEST_CASE("a part of more parts than there can be is refused, and needs no memory for the others") {
  CHECK_THAT(merge_runs({part("1/4000000000", {"a"})}).error().message,
             testing::contains("is one of 4000000000 parts, and only 1 was given"));
}

TEST_CASE("a case that ran twice keeps the gravest outcome, and the diagnosis tells") {
  const auto merged = merge_runs({part("1/1", {"a"}), part("1/1", {"a"}, Verdict::fail), part("1/1", {"a"})});
  REQUIRE(merged);
  REQUIRE(merged.value().outcomes.size() == 1);
  CHECK(merged.value().planned_cases == 1);
  CHECK(merged.value().outcomes[0].verdict == Verdict::fail);
  CHECK(merged.value().outcomes[0].diagnosis.back() == "ran in 3 of the merged runs: pass; fail");
  CHECK(merged.value().exit_code() == 1);
}

TEST_CASE("runs that are no parts are put one after another") {
  const auto merged = merge_runs({part("", {"a", "b"}), part("", {"c"})});
  REQUIRE(merged);
  CHECK(ids_of(merged.value()) == "a b c ");
  CHECK(merged.value().exit_code() == 0);
}

TEST_CASE("what does not belong together is refused") {
  Run other_seed = part("2/2", {"b"});
  other_seed.seed = 8;
  CHECK_THAT(merge_runs({part("1/2", {"a"}), other_seed}).error().message, testing::contains("seeds 7 and 8"));
  Run other_version = part("2/2", {"b"});
  other_version.environment.assay_version = "0.0.9";
  CHECK(!merge_runs({part("1/2", {"a"}), other_version}));
  CHECK_THAT(merge_runs({part("1/2", {"a"}), part("2/3", {"b"})}).error().message,
             testing::contains("2/3 was given beside parts of 2"));
  CHECK(!merge_runs({part("1/2", {"a"}), part("", {"b"})}));
  CHECK(!merge_runs({part("", {"a"}), part("1/2", {"b"})}));
  CHECK_THROWS_AS(merge_runs({}), Misuse);
}

TEST_CASE("parts that cannot be of one selection are refused") {
  CHECK_THAT(merge_runs({part("1/2", {"a", "b", "c"}), part("2/2", {"d"})}).error().message,
             testing::contains("it has 1 cases"));
  CHECK_THAT(merge_runs({part("1/2", {"a"}), part("2/2", {"a"})}).error().message,
             testing::contains("the case 'a' is in shard 1/2, too"));
}
