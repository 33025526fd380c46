#include "assay/serving/throughput_ladder.hpp"

#include <algorithm>
#include <cmath>

#include "assay/statistics/random_sequence.hpp"
#include "records.hpp"
#include "testing/catch.hpp"

using namespace assay::testing;

namespace {

const assay::LadderRules& rules = assay::system_load_test;

/// A phase of a server that delivers `rate`, known to 1 %.
assay::LadderPhase phase_of(std::size_t users, double rate) {
  assay::LadderPhase phase;
  phase.users = users;
  phase.seconds = 180;
  phase.tokens_per_second = rate;
  phase.error = rate * 0.01;
  phase.batches = 16;
  phase.requests = phase.served = 100 * users;
  return phase;
}

/// Each user gets `each` tokens a second, all together `most` at most; above `limit` users, `beyond` of that.
assay::ProbeUsers server(double each, double most, std::size_t limit = ~std::size_t{0}, double beyond = 1) {
  return [=](std::size_t users) -> assay::Result<assay::LadderPhase> {
    const double rate = std::min(each * static_cast<double>(users), most);
    return phase_of(users, users > limit ? beyond * rate : rate);
  };
}

std::vector<assay::LadderPhase> climbed(const assay::ProbeUsers& probe, std::size_t most = 1024) {
  return assay::climb_ladder(probe, rules, most).value();
}

/// One answer of so many tokens, from `begin` to `end` in seconds.
assay::RequestRecord answer(double begin, double end, unsigned tokens) {
  assay::RequestRecord record = empty_record();
  record.scheduled_ns = record.started_ns = record.sent_ns = 1'000'000'000 + static_cast<std::int64_t>(begin * 1e9);
  for (unsigned i = 0; i < tokens; ++i)
    record.events.push_back(
        event_at(1e3 * (begin + (end - begin) * (i + 1) / tokens), assay::AnswerEventKind::text, "a"));
  record.end_ns = record.events.back().time_ns;
  record.usage.completion = tokens;
  return record;
}

}  // namespace

TEST_CASE("users double up to 64, then 64 are added", "[serving]") {
  std::vector<std::size_t> seen;
  for (std::size_t users = 0; users < 256;) seen.push_back(users = assay::next_users(users, rules));
  CHECK(seen == std::vector<std::size_t>{1, 2, 4, 8, 16, 32, 64, 128, 192, 256});
}

TEST_CASE("a server that saturates has its plateau where it saturates", "[serving]") {
  const auto phases = climbed(server(10, 160));
  const assay::Plateau plateau = assay::find_plateau(phases, rules);
  CHECK(plateau.reached);
  CHECK(plateau.users == 16);
  CHECK(plateau.tokens_per_second == 160);
  CHECK(phases.back().users == 64);  // two flat phases behind it, and no more
  const auto outcome = assay::ladder_outcome(phases, rules, "slt");
  CHECK(outcome.verdict == assay::Verdict::pass);
  CHECK(outcome.measurement("plateau_users") == 16);
  CHECK(outcome.series.size() == 3);
}

TEST_CASE("one that does not saturate has none, and is not said to", "[serving]") {
  const auto phases = climbed(server(10, 1e9), 256);
  CHECK(phases.back().users == 256);
  const auto outcome = assay::ladder_outcome(phases, rules, "slt");
  CHECK(outcome.verdict == assay::Verdict::inconclusive);
  CHECK_THAT(outcome.reason, contains("no plateau up to 256 users"));
}

TEST_CASE("one that collapses above a load fails by name, one that loses a little does not", "[serving]") {
  const auto outcome = assay::ladder_outcome(climbed(server(10, 1e9, 8, 0.3)), rules, "slt");
  CHECK(outcome.verdict == assay::Verdict::fail);
  CHECK_THAT(outcome.reason, contains("collapses: 80 tokens/s with 8 users, 48 tokens/s with 16"));
  CHECK(assay::ladder_outcome(climbed(server(10, 80, 8, 0.9)), rules, "slt").verdict == assay::Verdict::pass);
}

TEST_CASE("phases that are not known well enough are no plateau", "[serving]") {
  std::vector<assay::LadderPhase> phases{phase_of(1, 100), phase_of(2, 100), phase_of(4, 100)};
  CHECK(assay::find_plateau(phases, rules).reached);
  for (auto& phase : phases) phase.error = 8;
  CHECK_FALSE(assay::find_plateau(phases, rules).reached);
}

TEST_CASE("what is not served or void ends the ladder and decides nothing", "[serving]") {
  auto phases = climbed([](std::size_t users) -> assay::Result<assay::LadderPhase> {
    auto phase = phase_of(users, 10.0 * static_cast<double>(users));
    phase.served -= users == 4 ? 1 : 0;
    return phase;
  });
  CHECK(phases.size() == 3);
  CHECK(assay::ladder_outcome(phases, rules, "slt").verdict == assay::Verdict::fail);
  phases.back().served = phases.back().requests;
  phases.back().void_reason = "the client is late";
  const auto outcome = assay::ladder_outcome(phases, rules, "slt");
  CHECK(outcome.verdict == assay::Verdict::inconclusive);
  CHECK_THAT(outcome.reason, contains("the client is late"));
  CHECK(assay::ladder_outcome({}, rules, "slt").verdict == assay::Verdict::inconclusive);
}

TEST_CASE("a stated plateau is borne out, or it is said what is wrong with it", "[serving]") {
  const auto phases = climbed(server(10, 160));
  const auto claimed = [&](std::size_t users, double rate) {
    return assay::claimed_plateau_outcome(phases, rules, {users, rate}, "claim");
  };
  CHECK(claimed(16, 160).verdict == assay::Verdict::pass);
  CHECK(claimed(16, 163).verdict == assay::Verdict::pass);
  CHECK_THAT(claimed(16, 220).reason, contains("the most that came is 160 tokens/s"));
  CHECK_THAT(claimed(8, 80).reason, contains("bring 160 tokens/s against 80 tokens/s there"));
  CHECK_THAT(claimed(32, 160).reason, contains("16 users bring 160 tokens/s already"));
  for (const auto& wrong : {claimed(16, 220), claimed(8, 80), claimed(32, 160)})
    CHECK(wrong.verdict == assay::Verdict::fail);
  CHECK(claimed(24, 160).verdict == assay::Verdict::inconclusive);
}

TEST_CASE("the error of a phase covers its truth", "[serving]") {
  // Four users, answers one after the other with lengths of chance: 100 tokens in 2 s on average, 200 tokens/s in all.
  int covered = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    assay::detail::RandomSequence random(seed);
    std::vector<assay::RequestRecord> records;
    for (int user = 0; user < 4; ++user)
      for (double time = 0; time < 400;) {
        const double length = 1 + 2 * static_cast<double>(random.below(1000)) / 1000;
        records.push_back(answer(time, time + length, 100));
        time += length + 0.001;  // the next request
      }
    const auto phase = assay::ladder_phase(records, 4);
    CHECK(phase.seconds > 390);
    CHECK(phase.served == records.size());
    covered += std::abs(phase.tokens_per_second - 200) <= 2.131 * phase.error ? 1 : 0;
  }
  CHECK(covered >= 34);  // 38 are to be; fewer than 34 are with a chance of 2 %
}

TEST_CASE("gain has one-sided bounds of its confidence", "[serving]") {
  const auto gain = assay::ladder_gain(phase_of(1, 100), phase_of(2, 110), 0.95);
  CHECK(std::abs(gain.gain - 0.1) < 1e-12);
  CHECK(std::abs(gain.upper - (0.1 + 1.7531 * std::hypot(0.011, 0.011))) < 1e-4);
  CHECK(std::abs(gain.lower - (0.1 - 1.7531 * std::hypot(0.011, 0.011))) < 1e-4);
  CHECK(std::isinf(assay::ladder_gain(phase_of(1, 0), phase_of(2, 1), 0.95).upper));
}
