#include "assay/pipeline/data_loading.hpp"

#include "assay/core/misuse.hpp"
#include "testing/catch.hpp"

namespace {

using namespace assay;

LoaderPromise promise() {
  LoaderPromise all;
  all.dataset = {0, 1, 2, 3, 4};
  all.batch = 2;
  return all;
}

Verdict of(const std::vector<Outcome>& outcomes, const std::string& check) {
  for (const Outcome& outcome : outcomes)
    if (outcome.id == "pipeline/loader/" + check) return outcome.verdict;
  return Verdict::error;
}

}  // namespace

TEST_CASE("What is missing, twice or foreign is told", "[pipeline]") {
  CHECK(of(check_loading("loader", promise(), {{{4, 2, 0, 1, 3}, {}, 2, 0.5}}), "coverage") == Verdict::pass);
  CHECK(of(check_loading("loader", promise(), {{{4, 2, 0, 1}, {}, 0, 0}}), "coverage") == Verdict::fail);
  CHECK(of(check_loading("loader", promise(), {{{4, 2, 0, 1, 3, 3}, {}, 0, 0}}), "coverage") == Verdict::fail);
  CHECK(of(check_loading("loader", promise(), {{{4, 2, 0, 1, 3, 9}, {}, 0, 0}}), "coverage") == Verdict::fail);
  LoaderPromise dropping = promise();
  dropping.drops_last = true;
  CHECK(of(check_loading("loader", dropping, {{{4, 2, 0, 1}, {}, 0, 0}}), "coverage") == Verdict::pass);
  CHECK(of(check_loading("loader", dropping, {{{4, 2, 0}, {}, 0, 0}}), "coverage") == Verdict::fail);
  const auto timed = check_loading("loader", promise(), {{{4, 2, 0, 1, 3}, {}, 2, 0.5}});
  CHECK(timed[0].measurement("samples_per_second") == 2.5);
  CHECK(timed[0].measurement("stalled_share") == 0.25);
}

TEST_CASE("Order is checked where it is promised", "[pipeline]") {
  LoaderPromise ordered = promise();
  CHECK(of(check_loading("loader", ordered, {{{1, 0, 2, 3, 4}, {}, 0, 0}}), "order") == Verdict::skipped);
  ordered.in_order = true;
  CHECK(of(check_loading("loader", ordered, {{{1, 0, 2, 3, 4}, {}, 0, 0}}), "order") == Verdict::fail);
  CHECK(of(check_loading("loader", ordered, {{{0, 1, 2, 3, 4}, {}, 0, 0}}), "order") == Verdict::pass);
}

TEST_CASE("Epochs of one seed are the same", "[pipeline]") {
  const LoadedEpoch first{{4, 2, 0, 1, 3}, {1, 2, 3, 4, 5}, 0, 0};
  LoadedEpoch other = first;
  CHECK(of(check_loading("loader", promise(), {first}), "determinism") == Verdict::inconclusive);
  CHECK(of(check_loading("loader", promise(), {first, other}), "determinism") == Verdict::pass);
  other.checksums[2] = 9;
  CHECK(of(check_loading("loader", promise(), {first, other}), "determinism") == Verdict::fail);
  other = first;
  std::swap(other.samples[0], other.samples[1]);
  CHECK(of(check_loading("loader", promise(), {first, other}), "determinism") == Verdict::fail);
}

TEST_CASE("Nothing that was loaded is no pass", "[pipeline]") {
  LoaderPromise ordered = promise();
  ordered.in_order = true;
  LoaderPromise empty = ordered;
  empty.dataset.clear();
  for (const auto& outcomes : {check_loading("loader", ordered, {}), check_loading("loader", empty, {{}, {}}),
                               check_loading("loader", empty, {})})
    for (const Outcome& outcome : outcomes) {
      CHECK(outcome.verdict == Verdict::inconclusive);
      CHECK(!outcome.reason.empty());
    }
  const auto nothing = check_loading("loader", ordered, {{}, {}});
  CHECK(of(nothing, "coverage") == Verdict::fail);
  CHECK(of(nothing, "order") == Verdict::inconclusive);
  CHECK(of(nothing, "determinism") == Verdict::inconclusive);
  CHECK(of(check_loading("loader", empty, {{{1}, {}, 0, 0}}), "coverage") == Verdict::fail);
  ordered.drops_last = true;
  ordered.batch = 8;
  CHECK(of(check_loading("loader", ordered, {{}, {}}), "coverage") == Verdict::inconclusive);
  ordered.batch = 0;
  CHECK_THROWS_AS(check_loading("loader", ordered, {{}}), Misuse);
}
