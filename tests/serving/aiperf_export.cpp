#include "assay/serving/aiperf_export.hpp"

#include <array>
#include <fstream>
#include <string>

#include "assay/report/read_file.hpp"
#include "assay/serving/event_log.hpp"
#include "assay/serving/request_metrics.hpp"
#include "testing/catch.hpp"
#include "testing/source_directory.hpp"
#include "testing/temporary_folder.hpp"

using namespace assay::testing;

namespace {

std::filesystem::path recorded() {
  return source_directory() / "tests/serving/data/aiperf_raw.jsonl";
}
std::string recorded_text() {
  return assay::read_file(recorded()).value();
}

}  // namespace

TEST_CASE("AIPerf's numbers are computed from its raw export again", "[serving]") {
  const std::string text = recorded_text();
  CHECK(assay::is_aiperf_export(text));
  CHECK_FALSE(assay::is_aiperf_export("{\"id\": 1}\n"));
  const auto records = assay::read_event_log(recorded()).value();
  REQUIRE(records.size() == 2);
  struct Told {  // by AIPerf 0.13 of these two, in milliseconds
    double first, first_answer, latency, per_token, first_gap, last_gap;
  };
  constexpr std::array<Told, 2> told{
      Told{61.345462, 81.724079, 271.687733, 7.2531817586206895, 20.378617, 27.932754},
      Told{52.911151999999994, 73.480662, 263.491174, 7.261380068965517, 20.569509999999998, 24.156651}};
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK(records[i].id == i);
    CHECK(records[i].done_mark);
    const assay::RequestMetrics metrics = assay::request_metrics(records[i]);
    CHECK(metrics.served);
    CHECK(metrics.first_kind == assay::AnswerEventKind::reasoning);
    CHECK(*metrics.first_token * 1e3 == Approx(told[i].first).epsilon(1e-12));
    CHECK(*metrics.first_answer_token * 1e3 == Approx(told[i].first_answer).epsilon(1e-12));
    CHECK(*metrics.end_to_end * 1e3 == Approx(told[i].latency).epsilon(1e-12));
    CHECK(*metrics.per_token * 1e3 == Approx(told[i].per_token).epsilon(1e-12));
    CHECK(metrics.event_gaps.front() * 1e3 == Approx(told[i].first_gap).epsilon(1e-12));
    CHECK(metrics.event_gaps.back() * 1e3 == Approx(told[i].last_gap).epsilon(1e-12));
    CHECK(records[i].usage.completion == 30);
    CHECK(records[i].usage.prompt == 7);
  }
}

TEST_CASE("what AIPerf did not get whole is not served", "[serving]") {
  const std::string text = recorded_text(), line = text.substr(0, text.find('\n'));
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string other = line;
    other.replace(other.find(from), from.size(), to);
    return assay::record_of_aiperf_line(other);
  };
  CHECK(changed("\"status\": 200", "\"status\": 503, \"error\": {\"code\": 503, \"message\": \"busy\"}").value()->end ==
        assay::RequestEnd::http_error);
  CHECK(changed("\"status\": 200", "\"status\": null, \"error\": {\"message\": \"reset\"}").value()->reason == "reset");
  CHECK(changed("\"was_cancelled\": false", "\"was_cancelled\": true").value()->end == assay::RequestEnd::canceled);
  std::string cut = line;  // neither a reason nor the end mark
  cut.replace(cut.find("[DONE]"), 6, "{}");
  cut.replace(cut.find("\\\"stop\\\""), 8, "null");
  CHECK_FALSE(assay::request_metrics(*assay::record_of_aiperf_line(cut).value()).served);
  CHECK_FALSE(changed("\"benchmark_phase\": \"profiling\"", "\"benchmark_phase\": \"warmup\"").value());
  CHECK_THAT(changed("\"perf_ns\"", "\"perf\"").error().message, contains("perf_ns"));
}

TEST_CASE("an export is read but for its warm-up and a last line that was cut", "[serving]") {
  const TemporaryFolder folder;
  const auto path = folder.path / "raw.jsonl";
  const std::string text = recorded_text(), line = text.substr(0, text.find('\n'));
  std::string warm = line;
  warm.replace(warm.find("\"profiling\""), 11, "\"warmup\"");
  std::ofstream(path) << warm << "\n" << line << "\n" << line.substr(0, 90);
  CHECK(assay::read_event_log(path).value().size() == 1);
  std::ofstream(path) << line << "\n{}\n" << line << "\n";
  CHECK_THAT(assay::read_event_log(path).error().message, contains("line 2"));
  CHECK(assay::read_event_log(folder.path / "none").error().kind == assay::ErrorKind::not_found);
}
