#include "assay/serving/request_record.hpp"

#include "serving/records.hpp"
#include "testing/catch.hpp"

using namespace assay::testing;

TEST_CASE("kinds and ends have names, and only what carries text is output", "[serving]") {
  CHECK(name_of(assay::AnswerEventKind::headers) == "headers");
  CHECK(name_of(assay::AnswerEventKind::error) == "error");
  CHECK(name_of(assay::RequestEnd::complete) == "complete");
  CHECK(name_of(assay::RequestEnd::canceled) == "canceled");
  CHECK(is_output(assay::AnswerEventKind::tool));
  CHECK(is_output(assay::AnswerEventKind::reasoning));
  for (const auto kind : {assay::AnswerEventKind::role, assay::AnswerEventKind::comment, assay::AnswerEventKind::empty,
                          assay::AnswerEventKind::usage})
    CHECK_FALSE(is_output(kind));
}

TEST_CASE("a record tells the answer of each choice and why it stopped", "[serving]") {
  assay::RequestRecord record = golden_stream(false);
  record.events.push_back(event_at(530, assay::AnswerEventKind::text, "other"));
  record.events.back().choice = 1;
  CHECK(record.answer().size() == 30);
  CHECK(record.answer(1) == "other");
  CHECK(record.answer(0, assay::AnswerEventKind::reasoning).empty());
  CHECK(record.finish_reason() == "stop");
  CHECK(record.finish_reason(1).empty());
}
