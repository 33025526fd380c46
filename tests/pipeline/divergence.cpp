#include "assay/pipeline/divergence.hpp"

#include "assay/core/misuse.hpp"
#include "pipeline/chain.hpp"
#include "testing/catch.hpp"

using namespace assay;
using assay::testing::chain;

TEST_CASE("The guilty stage is named, and nobody else", "[pipeline]") {
  for (std::size_t faulty = 0; faulty < 5; ++faulty) {
    const Divergence divergence = find_divergence(chain(5, 99, 0), chain(5, faulty, 0.5));
    CHECK(divergence.guilty == std::vector<std::string>{"s" + std::to_string(faulty)});
    CHECK(divergence.first_visible == divergence.guilty.front());
    const auto outcomes = divergence_outcomes("chain", divergence);
    CHECK(outcomes.size() == 6);
    CHECK(outcomes[0].id == "pipeline/chain");
    CHECK(outcomes[0].verdict == Verdict::fail);
    for (std::size_t i = 0; i < 5; ++i) CHECK(outcomes[i + 1].verdict == (i == faulty ? Verdict::fail : Verdict::pass));
  }
}

TEST_CASE("Right implementations are not accused", "[pipeline]") {
  const Divergence divergence = find_divergence(chain(5, 99, 0), chain(5, 1, 0.0005));
  CHECK(divergence.guilty.empty());
  CHECK(divergence.first_visible.empty());
  for (const Outcome& outcome : divergence_outcomes("chain", divergence)) CHECK(outcome.verdict == Verdict::pass);
}

TEST_CASE("Small errors that add up fail the whole, and no stage", "[pipeline]") {
  const auto outcomes = divergence_outcomes("chain", find_divergence(chain(9, 99, 0), chain(9, 0, 0.009)));
  CHECK(outcomes[0].verdict == Verdict::fail);
  CHECK(outcomes[0].reason.find("small errors add up") != std::string::npos);
  for (std::size_t i = 1; i < outcomes.size(); ++i) CHECK(outcomes[i].verdict == Verdict::pass);
}

TEST_CASE("Without outputs on the reference's inputs nobody is called guilty", "[pipeline]") {
  const auto reference = run_free(chain(3, 99, 0)), free = run_free(chain(3, 1, 1));
  const Divergence divergence = find_divergence(reference, free, {}, std::vector<StageBound>(3));
  CHECK(divergence.guilty.empty());
  CHECK(divergence.first_visible == "s1");
  const auto outcomes = divergence_outcomes("chain", divergence);
  CHECK(outcomes[0].verdict == Verdict::fail);
  CHECK(outcomes[2].verdict == Verdict::inconclusive);
}

TEST_CASE("A stage that was not recorded is no pass", "[pipeline]") {
  const auto reference = run_free(chain(3, 99, 0));
  auto fed = reference;
  fed.pop_back();
  const auto outcomes =
      divergence_outcomes("chain", find_divergence(reference, reference, fed, std::vector<StageBound>(3)));
  CHECK(outcomes[3].verdict == Verdict::error);
  CHECK(outcomes[0].verdict == Verdict::error);
  CHECK_THROWS_AS(find_divergence(chain(3, 0, 0), chain(4, 0, 0)), Misuse);
}

TEST_CASE("A stage that failed where all runs free is no pass, right as it is on the reference's inputs",
          "[pipeline]") {
  const auto reference = run_free(chain(3, 99, 0));
  auto free = reference;
  free[1].value = failure(ErrorKind::io, "the disk is full");
  const auto outcomes =
      divergence_outcomes("chain", find_divergence(reference, free, reference, std::vector<StageBound>(3)));
  CHECK(outcomes[0].verdict == Verdict::error);
  CHECK(outcomes[2].verdict == Verdict::error);
  CHECK(outcomes[2].reason.find("running free: the disk is full") == 0);
  CHECK(outcomes[1].verdict == Verdict::pass);
}

TEST_CASE("Outputs on the reference's inputs that were given and cannot be read are no pass", "[pipeline]") {
  const auto reference = run_free(chain(3, 99, 0));
  auto fed = reference;
  for (StageOutput& own : fed) own.value = failure(ErrorKind::malformed, "no array");
  const Divergence divergence = find_divergence(reference, reference, fed, std::vector<StageBound>(3));
  CHECK(divergence.fed_given);
  for (const Outcome& outcome : divergence_outcomes("chain", divergence)) CHECK(outcome.verdict == Verdict::error);
  const auto reason = divergence_outcomes("chain", find_divergence(reference, run_free(chain(3, 1, 1)), fed,
                                                                   std::vector<StageBound>(3)))
                          .front()
                          .reason;
  CHECK(reason.find("differs from s1 on") == 0);
  const Divergence free_alone = find_divergence(reference, reference, {}, std::vector<StageBound>(3));
  CHECK(!free_alone.fed_given);
  for (const Outcome& outcome : divergence_outcomes("chain", free_alone)) CHECK(outcome.verdict == Verdict::pass);
}
