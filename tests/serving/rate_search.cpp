#include "assay/serving/rate_search.hpp"

#include "assay/statistics/random_sequence.hpp"
#include "testing/catch.hpp"

using namespace assay::testing;

namespace {

/// A server that keeps the level of every request up to a load, and of `share` beyond.
assay::ProbeRate server_up_to(double capacity, double share_beyond = 0.5) {
  return [=](double load) -> assay::Result<assay::RateProbe> {
    return assay::RateProbe{1000, load <= capacity ? 1000u : static_cast<std::uint64_t>(1000 * share_beyond), true, ""};
  };
}

}  // namespace

TEST_CASE("a search brackets the load that the server sustains", "[serving]") {
  for (const double capacity : {0.3, 1.0, 7.0, 100.0, 777.0}) {
    const auto search = assay::search_rate(server_up_to(capacity)).value();
    INFO(capacity);
    CHECK(search.sustained <= capacity);
    CHECK(search.refuted > capacity);
    CHECK(search.refuted - search.sustained <= 0.0501 * search.sustained);
    CHECK(assay::rate_search_outcome(search, {}, "rate").verdict == assay::Verdict::pass);
  }
}

TEST_CASE("users are whole numbers", "[serving]") {
  assay::RateSearchOptions options;
  options.whole = true;
  const auto search = assay::search_rate(server_up_to(37), options).value();
  CHECK(search.sustained == 37);
  CHECK(search.refuted == 38);
}

TEST_CASE("a server that sustains nothing fails, one that sustains all is told to be no limit", "[serving]") {
  const auto none = assay::search_rate(server_up_to(0)).value();
  CHECK(none.sustained == 0);
  CHECK(assay::rate_search_outcome(none, {}, "rate").verdict == assay::Verdict::fail);
  const auto all = assay::search_rate(server_up_to(1e9)).value();
  CHECK(all.limited);
  const auto outcome = assay::rate_search_outcome(all, {}, "rate");
  CHECK(outcome.verdict == assay::Verdict::inconclusive);
  CHECK_THAT(outcome.reason, contains("sustained all that was tried"));
}

TEST_CASE("a load at the edge is probed again, and told to be undecided", "[serving]") {
  int probes = 0;
  const auto search = assay::search_rate(
                          [&](double load) -> assay::Result<assay::RateProbe> {
                            probes += load > 1.5 ? 1 : 0;
                            return assay::RateProbe{200, load > 1.5 ? 198u : 200u, true, ""};
                          },
                          {1, 2})
                          .value();
  CHECK(probes == 4);
  CHECK_FALSE(search.steps.back().decided);
}

TEST_CASE("a saturated client ends the search and decides nothing", "[serving]") {
  const auto search = assay::search_rate([](double load) -> assay::Result<assay::RateProbe> {
                        return assay::RateProbe{1000, 1000, load < 4, "the client is saturated"};
                      }).value();
  CHECK(search.sustained == 2);
  CHECK(search.limited);
  const auto outcome = assay::rate_search_outcome(search, {}, "rate");
  CHECK(outcome.verdict == assay::Verdict::inconclusive);
  CHECK_THAT(outcome.reason, contains("saturated"));
}

TEST_CASE("errors of a probe are the search's, and options are checked", "[serving]") {
  CHECK_FALSE(assay::search_rate(
      [](double) -> assay::Result<assay::RateProbe> { return assay::failure(assay::ErrorKind::io, "gone"); }));
  CHECK_FALSE(assay::search_rate(server_up_to(1), {0}));
  CHECK_FALSE(assay::search_rate(server_up_to(1), {2, 1}));
  CHECK_FALSE(assay::search_rate(server_up_to(1), {1, 2, 0}));
}
