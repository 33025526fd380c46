#include "assay/accuracy/accuracy_outcome.hpp"

#include <cmath>

#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("A score becomes an outcome of a model", "[accuracy]") {
  Score score{"wer", 0.25, "1", false, "pooled", {{"hits", 3, "words"}}, {1, {1, 2}}, {}};
  const Outcome alone = accuracy_outcome(score, {"org/model a", "test", {}, {"one reference is empty"}});
  CHECK(alone.id == "model/org_model_a/test/wer");
  CHECK(alone.verdict == Verdict::new_baseline);
  CHECK(alone.measurement("wer") == 0.25);
  CHECK(alone.measurement("hits") == 3);
  CHECK(alone.measurement("samples") == 2);
  CHECK(alone.derivation.back() == "one reference is empty");

  EquivalenceJudgment judgment;
  judgment.verdict = Verdict::pass;
  judgment.reason = "within";
  const Outcome compared = accuracy_outcome(score, 0.2, judgment, 0.1, {});
  CHECK(compared.verdict == Verdict::pass);
  CHECK(compared.measurement("wer_baseline") == 0.2);
  CHECK(compared.measurement("margin") == 0.1);
}

TEST_CASE("Broken samples and NaN fail whatever a comparison says", "[accuracy]") {
  Score score{"kl", 0.0, "nat", false, "", {}, {1, {1}}, {}};
  EquivalenceJudgment judgment;
  judgment.verdict = Verdict::pass;
  CHECK(accuracy_outcome(score, 0, judgment, 1, {"m", "", {"line 3"}, {}}).verdict == Verdict::fail);
  score.value = std::nan("");
  CHECK(accuracy_outcome(score, {}).verdict == Verdict::fail);
  score.value = INFINITY;
  CHECK(accuracy_outcome(score, {}).verdict == Verdict::fail);
  CHECK(accuracy_outcome(score, 0, judgment, 1, {}).verdict == Verdict::fail);
  CHECK(accuracy_outcome(score, {}).reason.find("kl is infinite") == 0);
}

TEST_CASE("Names are listed briefly", "[accuracy]") {
  CHECK(listed_names({"a", "b"}) == "a, b");
  CHECK(listed_names({"a", "b", "c", "d", "e"}) == "a, b, c and 2 more");
  CHECK(listed_names({}).empty());
}
