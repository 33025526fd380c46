#include "assay/serving/load_summary.hpp"

#include "assay/core/misuse.hpp"
#include "serving/records.hpp"
#include "testing/catch.hpp"

using namespace assay::testing;

namespace {

/// Golden streams one after the other, in so many lanes; each takes 540 ms.
std::vector<assay::RequestRecord> lanes(std::size_t users, std::size_t each) {
  std::vector<assay::RequestRecord> records;
  for (std::size_t user = 0; user < users; ++user)
    for (std::size_t turn = 0; turn < each; ++turn) {
      assay::RequestRecord record = golden_stream(true);
      const auto shift = static_cast<std::int64_t>(turn) * 540'000'000 + static_cast<std::int64_t>(user) * 1'000'000;
      record.id = records.size();
      record.scheduled_ns += shift;
      record.started_ns += shift;
      record.sent_ns += shift;
      record.end_ns += shift;
      for (assay::AnswerEvent& event : record.events) event.time_ns += shift;
      records.push_back(record);
    }
  return records;
}

}  // namespace

TEST_CASE("a run of golden streams sums up to what each of them is", "[serving]") {
  const auto records = lanes(4, 10);
  const auto summary = assay::summarize_load(records);
  CHECK(summary.requests == 40);
  CHECK(summary.served == 40);
  CHECK(summary.most_in_flight == 4);
  CHECK(summary.metric("ttft")->percentiles[1].value == Approx(0.2));
  CHECK(summary.metric("tpot_later")->mean == Approx(0.01));
  CHECK(summary.metric("itl")->sorted.size() == 40 * 27);
  CHECK(summary.metric("nothing") == nullptr);
  // 4 users × 30 tokens every 540 ms, in a window that cuts a little of both ends.
  CHECK(summary.output_tokens_per_second == Approx(4 * 30 / 0.54).epsilon(0.02));
  CHECK(summary.void_reason.empty());
  const auto outcome = assay::load_outcome(summary, "bench/golden");
  CHECK(outcome.id == "serving/bench/golden");
  CHECK(outcome.verdict == assay::Verdict::pass);
  CHECK(*outcome.measurement("ttft_p50") == Approx(0.2));
}

TEST_CASE("the steady window leaves out ramp and tail", "[serving]") {
  auto records = lanes(3, 4);
  records.push_back(golden_stream(true));
  records.back().sent_ns -= 5'000'000'000;  // alone, long before the others
  records.back().end_ns = records.back().sent_ns + 540'000'000;
  const auto window = assay::steady_window(records);
  CHECK(window.begin_ns == 1'002'000'000);
  CHECK(window.end_ns == 1'000'000'000 + std::int64_t{4} * 540'000'000);
  CHECK(assay::steady_window({}).seconds() == 0);
  CHECK_THROWS_AS(assay::steady_window(records, 0), assay::Misuse);
}

TEST_CASE("what was not served is a failure, by name", "[serving]") {
  auto records = lanes(1, 5);
  records[0].end = assay::RequestEnd::truncated;
  records[1].end = assay::RequestEnd::http_error;
  std::erase_if(records[2].events, [](const assay::AnswerEvent& event) { return is_output(event.kind); });
  const auto summary = assay::summarize_load(records);
  CHECK(summary.served == 2);
  CHECK(summary.empty == 1);
  const auto outcome = assay::load_outcome(summary, "x");
  CHECK(outcome.verdict == assay::Verdict::fail);
  CHECK_THAT(outcome.reason, contains("3 of 5"));
  CHECK_THAT(outcome.reason, contains("1 truncated"));
  CHECK_THAT(outcome.reason, contains("1 empty"));
}

TEST_CASE("a saturated client makes the run void", "[serving]") {
  auto records = lanes(2, 5);
  records[3].started_ns += 50'000'000;
  const auto outcome = assay::load_outcome(assay::summarize_load(records), "x");
  CHECK(outcome.verdict == assay::Verdict::inconclusive);
  CHECK_THAT(outcome.reason, contains("saturated"));
}

TEST_CASE("goodput counts what keeps the service level", "[serving]") {
  auto records = lanes(1, 10);
  for (assay::AnswerEvent& event : records[4].events) event.time_ns += 100'000'000;
  assay::LoadSummaryOptions options;
  options.level.first_token = 0.25;
  const auto summary = assay::summarize_load(records, options);
  CHECK(summary.kept_share == Approx(0.9));
  CHECK(summary.goodput < summary.requests_per_second);
  CHECK(assay::load_outcome(summary, "x").verdict == assay::Verdict::fail);
  CHECK(assay::load_outcome(summary, "x", 0.9).verdict == assay::Verdict::pass);
}

TEST_CASE("nothing at all decides nothing", "[serving]") {
  CHECK(assay::load_outcome(assay::summarize_load({}), "x").verdict == assay::Verdict::inconclusive);
}
