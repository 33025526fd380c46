#include "assay/serving/request_metrics.hpp"

#include "serving/records.hpp"
#include "testing/catch.hpp"

using namespace assay::testing;

TEST_CASE("the golden stream: 200 ms to the first token, 10 ms a later token, 9.31 by n - 1", "[serving]") {
  for (const bool counted_by_event : {true, false}) {
    const auto metrics = assay::request_metrics(golden_stream(counted_by_event));
    REQUIRE(metrics.first_token);
    CHECK(*metrics.first_token == Approx(0.200));
    CHECK(metrics.first_kind == assay::AnswerEventKind::text);
    CHECK(*metrics.first_answer_token == Approx(0.200));
    CHECK(*metrics.end_to_end == Approx(0.470));
    CHECK(*metrics.whole == Approx(0.540));
    CHECK(*metrics.per_later_token == Approx(0.010));
    CHECK(*metrics.per_token == Approx(0.009310344827586206).epsilon(1e-12));
    CHECK(*metrics.output_speed == Approx(100));
    REQUIRE(metrics.event_gaps.size() == 9);
    CHECK(metrics.event_gaps.front() == Approx(0.030));
    REQUIRE(metrics.token_gaps.size() == 27);
    CHECK(metrics.token_gaps.front() == Approx(0.010));
    CHECK(metrics.longest_gap() == Approx(0.030));
    CHECK(metrics.served);
    CHECK_FALSE(metrics.first_is_bound);
  }
}

TEST_CASE("latency counts from the scheduled time, not from when a late client sent", "[serving]") {
  assay::RequestRecord record = golden_stream(true);
  record.scheduled_ns -= 1'000'000'000;
  const auto metrics = assay::request_metrics(record);
  CHECK(*metrics.first_token == Approx(1.2));
  CHECK(metrics.client_delay == Approx(1.0));
}

TEST_CASE("reasoning is the first token, and the first answer token comes behind it", "[serving]") {
  assay::RequestRecord record = golden_stream(true);
  for (std::size_t i = 2; i < 7; ++i) record.events[i].kind = assay::AnswerEventKind::reasoning;
  const auto metrics = assay::request_metrics(record);
  CHECK(metrics.first_kind == assay::AnswerEventKind::reasoning);
  CHECK(*metrics.first_token == Approx(0.200));
  CHECK(*metrics.first_answer_token == Approx(0.350));
}

TEST_CASE("what does not exist is empty, never 0", "[serving]") {
  const auto none = assay::request_metrics(empty_record());
  CHECK_FALSE(none.served);
  CHECK_FALSE(none.first_token);
  CHECK_FALSE(none.end_to_end);
  CHECK_FALSE(none.per_token);
  CHECK_FALSE(assay::keeps(none, {}));

  const auto one = assay::request_metrics(answered("p", "x"));
  CHECK(one.served);
  CHECK(one.first_token);
  CHECK_FALSE(one.per_token);
  CHECK_FALSE(one.output_speed);
  CHECK(assay::keeps(one, {{}, 1e-9, {}, {}}));
}

TEST_CASE("a first token that shared a read is told as an upper bound", "[serving]") {
  assay::RequestRecord record = golden_stream(true);
  record.events[2].shared_read = true;
  CHECK(assay::request_metrics(record).first_is_bound);
  CHECK(assay::request_metrics(record).shared_reads == 1);
}

TEST_CASE("a service level is kept by what is within all its limits", "[serving]") {
  const auto metrics = assay::request_metrics(golden_stream(true));
  CHECK(assay::keeps(metrics, {0.2001, 0.0094, 0.4701, 0.0301}));
  CHECK_FALSE(assay::keeps(metrics, {0.1999, {}, {}, {}}));
  CHECK_FALSE(assay::keeps(metrics, {{}, 0.0093, {}, {}}));
  CHECK_FALSE(assay::keeps(metrics, {{}, {}, 0.4699, {}}));
  CHECK_FALSE(assay::keeps(metrics, {{}, {}, {}, 0.0299}));
  assay::RequestRecord cut = golden_stream(true);
  cut.end = assay::RequestEnd::truncated;
  CHECK_FALSE(assay::keeps(assay::request_metrics(cut), {}));
}
