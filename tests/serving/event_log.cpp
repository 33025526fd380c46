#include "assay/serving/event_log.hpp"

#include <fstream>

#include "assay/serving/load_summary.hpp"
#include "serving/records.hpp"
#include "testing/catch.hpp"
#include "testing/temporary_folder.hpp"

using namespace assay::testing;

TEST_CASE("records come back as they were written, and give the same numbers", "[serving]") {
  assay::RequestRecord record = golden_stream(true);
  record.id = 7;
  record.user = 3;
  record.prompt = "quoted \" and ä";
  record.reason = "none";
  record.retry_after = 1.5;
  record.attempts = 2;
  record.most_tokens = 30;
  record.usage.cached = 4;
  record.events[3].shared_read = true;
  record.events[4].choice = 2;
  const std::string line = assay::event_line(record);
  CHECK(line.find('\n') == std::string::npos);
  const auto read = assay::record_of_line(line).value();
  CHECK(assay::event_line(read) == line);
  CHECK(read.prompt == record.prompt);
  CHECK(read.events[3].shared_read);
  CHECK(read.retry_after == 1.5);
  CHECK(read.usage.cached == 4);
  CHECK_FALSE(read.usage.reasoning);
  const auto before = assay::request_metrics(record), after = assay::request_metrics(read);
  CHECK(*before.first_token == *after.first_token);
  CHECK(before.token_gaps == after.token_gaps);
  const auto shifted = assay::record_of_line(assay::event_line(record, 1'000'000'000)).value();
  CHECK(shifted.scheduled_ns == 0);
  CHECK(*assay::request_metrics(shifted).end_to_end == Approx(*before.end_to_end));
}

TEST_CASE("what is no record is refused with its place", "[serving]") {
  for (const char* bad : {"", "[]", "{}", "{\"id\":\"x\"}", "nothing"}) CHECK_FALSE(assay::record_of_line(bad));
  std::string line = assay::event_line(golden_stream(true));
  line.replace(line.find("complete"), 8, "cOmplete");
  CHECK_THAT(assay::record_of_line(line).error().message, contains("no end of a request"));
}

TEST_CASE("a file that a killed run left is read but for its last line", "[serving]") {
  const TemporaryFolder folder;
  const auto path = folder.path / "events.jsonl";
  const std::string line = assay::event_line(golden_stream(true));
  std::ofstream(path) << line << "\n\n" << line << "\n" << line.substr(0, 50);
  CHECK(assay::read_event_log(path).value().size() == 2);
  std::ofstream(path) << line << "\n{}\n" << line << "\n";
  CHECK_THAT(assay::read_event_log(path).error().message, contains("line 2"));
  CHECK(assay::read_event_log(folder.path / "none").error().kind == assay::ErrorKind::not_found);
}
