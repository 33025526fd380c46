#include "assay/hardware/bandwidth/stream.hpp"

#include "assay/hardware/detail/pinned_threads.hpp"
#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("the four forms are measured and right, by threads, and a flipped element is found") {
  const std::vector<int> all = detail::chosen_processors({});
  StreamOptions options;
  options.bytes = 1 << 18;
  options.repetitions = 2;
  const auto found = measure_stream(all, {}, options);
  REQUIRE(found);
  REQUIRE(found.value().size() == 4);
  for (const StreamMeasurement& entry : found.value()) {
    CHECK(entry.bytes_per_second > 0);
    CHECK(entry.median_bytes_per_second <= entry.bytes_per_second);
    CHECK(entry.wrong_elements == 0);
  }
  CHECK(judge_stream(found.value(), options).verdict == Verdict::pass);
  CHECK(measure_stream(std::span(all).first(1), all, options).value()[0].wrong_elements == 0);
  options.fault_element = 77;
  const auto damaged = measure_stream(all, {}, options);
  CHECK(damaged.value()[0].wrong_elements == 1);
  const Outcome failed = judge_stream(damaged.value(), options);
  CHECK(failed.verdict == Verdict::fail);
  CHECK(failed.reason.find("element 77") != std::string::npos);
}

TEST_CASE("a rate of 0, one above the theoretical, one too low, and absent processors are no pass") {
  StreamMeasurement entry;
  entry.processors = {0};
  entry.bytes_per_second = 1e10;
  StreamOptions options;
  const auto verdict = [&] { return judge_stream(std::vector{entry}, options).verdict; };
  CHECK(verdict() == Verdict::pass);
  options.theoretical = 5e9;
  CHECK(verdict() == Verdict::fail);
  options.theoretical = 1e11;
  CHECK(verdict() == Verdict::pass);
  options.least_share = 0.5;
  CHECK(verdict() == Verdict::fail);
  options = {};
  entry.bytes_per_second = 0;
  CHECK(verdict() == Verdict::fail);
  entry.bytes_per_second = 1e10;
  entry.missing = {"processor 9: closed"};
  CHECK(verdict() == Verdict::error);
  CHECK(judge_stream({}, options).verdict == Verdict::inconclusive);
  options.bytes = 1 << 18;
  options.processors = {1 << 19};
  CHECK(check_stream({}, options).verdict == Verdict::error);
  options.processors.clear();
  options.bytes = SIZE_MAX / 4;
  CHECK(check_stream({}, options).verdict == Verdict::error);
}

TEST_CASE("with several NUMA nodes each is measured on each one's memory") {
  const std::vector<int> all = detail::chosen_processors({});
  ProcessorTopology topology;
  topology.processors = {{all.front(), 0, 0, 0, true}, {all.back(), 1, 0, 1, true}};
  StreamOptions options;
  options.bytes = 1 << 18;
  options.repetitions = 1;
  options.processors = {all.front()};
  const Outcome outcome = check_stream(topology, options);
  CHECK(outcome.verdict == Verdict::pass);
  CHECK(outcome.tables[0].rows.size() == 4 + 4 * 4);
}
