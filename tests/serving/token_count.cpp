#include "assay/serving/token_count.hpp"

#include "serving/records.hpp"
#include "testing/catch.hpp"

using namespace assay::testing;

TEST_CASE("tokens are counted by the best there is, and the source is named", "[serving]") {
  const auto by_event = assay::count_tokens(golden_stream(true));
  CHECK(by_event.source == assay::TokenSource::server_per_event);
  CHECK(by_event.total == 30);
  CHECK(by_event.per_event == std::vector<double>(10, 3.0));

  const auto by_total = assay::count_tokens(golden_stream(false));
  CHECK(by_total.source == assay::TokenSource::server_total);
  CHECK(by_total.total == 30);
  CHECK(by_total.per_event.size() == 10);
  CHECK(by_total.per_event.front() == Approx(3));
  CHECK_FALSE(by_total.estimated());

  assay::RequestRecord untold = golden_stream(false);
  untold.usage = {};
  const auto by_events = assay::count_tokens(untold);
  CHECK(by_events.total == 10);
  CHECK(by_events.estimated());

  const auto common = assay::count_tokens(golden_stream(true), [](std::string_view text) { return text.size(); });
  CHECK(common.source == assay::TokenSource::tokenizer);
  CHECK(common.total == 30);
}

TEST_CASE("as many events as tokens are a token each, however long their texts", "[serving]") {
  assay::RequestRecord record = golden_stream(false);
  record.events[4].text = "much longer than the others";
  record.usage.completion = 10;
  CHECK(assay::count_tokens(record).per_event == std::vector<double>(10, 1.0));
  record.usage.completion = 5;
  CHECK(assay::count_tokens(record).per_event == std::vector<double>(10, 0.5));
}

TEST_CASE("an end token without text is counted, with no event", "[serving]") {
  assay::RequestRecord record = golden_stream(true);
  record.usage.completion = 31;
  const auto count = assay::count_tokens(record);
  CHECK(count.total == 31);
  CHECK(count.per_event == std::vector<double>(10, 3.0));
}

TEST_CASE("a running count that goes back, or is of several choices, is not taken", "[serving]") {
  assay::RequestRecord record = golden_stream(true);
  record.events[5].counted = 1;
  CHECK(assay::count_tokens(record).source == assay::TokenSource::server_total);
  record = golden_stream(true);
  record.events[5].choice = 1;
  CHECK(assay::count_tokens(record).source == assay::TokenSource::server_total);
}

TEST_CASE("no output is no token", "[serving]") {
  CHECK(assay::count_tokens(empty_record()).total == 0);
  CHECK(assay::count_tokens(empty_record()).per_event.empty());
}
