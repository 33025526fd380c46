#include "assay/performance/import_tool_text.hpp"

#include "assay/performance/import_results.hpp"
#include "performance/imported_history.hpp"
#include "testing/catch.hpp"
#include "testing/source_directory.hpp"

// components: json
// tests/performance/data: google_benchmark.csv was written by Google Benchmark 1.9.5; the others are in the forms that
// go test, nccl-tests 2.17, LoadGen 5 and Catch2 3.5 write.

using namespace assay;
using namespace assay::testing;

namespace {

History read(const std::string& name, std::vector<std::string>* notes = nullptr) {
  const auto imported = import_results(source_directory() / "tests" / "performance" / "data" / name);
  if (imported && notes != nullptr) *notes = imported.value().notes;
  return history_of(imported);
}

std::string joined(const std::vector<std::string>& notes) {
  std::string text;
  for (const std::string& note : notes) text += note + "\n";
  return text;
}

}  // namespace

TEST_CASE("go test -bench: lines of one benchmark are samples") {
  std::vector<std::string> notes;
  const History history = read("go_benchmark.txt", &notes);
  const HistorySeries* const sum = history.find("BenchmarkSum{n=64,pkg=example.com/sum,procs=8}/seconds");
  REQUIRE(sum != nullptr);
  REQUIRE(sum->points[0].samples.size() == 2);
  CHECK(sum->points[0].samples[0] == Approx(33.29e-9));
  CHECK(history.find("BenchmarkSum{n=64,pkg=example.com/sum,procs=8}/allocs%2Fop")->direction ==
        Direction::lower_is_better);
  CHECK(history.find("BenchmarkSum{n=64,pkg=example.com/sum,procs=8}/MB%2Fs")->direction ==
        Direction::higher_is_better);
  CHECK_THAT(joined(notes), contains("'widgets/op' is left out") && contains("--- FAIL: BenchmarkBroken"));
  CHECK_FALSE(import_go_benchmark("PASS\n"));
}

TEST_CASE("nccl-tests: a table by its heading") {
  std::vector<std::string> notes;
  const History history = read("nccl_tests.txt", &notes);
  const HistorySeries* const series =
      history.find("all_reduce_perf{place=in_place,redop=sum,root=-1,size=1048576,type=float}/busbw");
  REQUIRE(series != nullptr);
  CHECK(series->points[0].samples == std::vector<double>{44.73});
  CHECK(history.find("all_reduce_perf{place=in_place,redop=sum,root=-1,size=1073741824,type=float}/busbw") == nullptr);
  CHECK_THAT(joined(notes), contains("had 3 wrong values") && contains("out of bounds"));
  CHECK_FALSE(import_nccl_tests("# size busbw\n"));
}

TEST_CASE("LoadGen: what is not VALID is no result") {
  const History history = read("loadgen_summary.txt");
  const std::string head =
      "mlperf{max_async_queries=0,samples_per_query=1,scenario=Server,sut=H200-SXM-141GBx8_TRT,target_latency "
      "(ns)=100000000,target_qps=272.5}/";
  REQUIRE(history.find(head + "99.00 percentile latency") != nullptr);
  CHECK(history.find(head + "99.00 percentile latency")->points[0].samples[0] == Approx(0.092034121));
  CHECK(history.find(head + "Completed samples per second")->direction == Direction::higher_is_better);
  const std::string text = "Mode : PerformanceOnly\nSamples per second: 12\nResult is : ";
  CHECK(import_loadgen(text + "VALID\n").value().runs.size() == 1);
  const auto invalid = import_loadgen(text + "INVALID\n");
  CHECK(invalid.value().runs.empty());
  CHECK_THAT(joined(invalid.value().notes), contains("'INVALID'"));
  CHECK_FALSE(import_loadgen("Mode : PerformanceOnly\nSamples per second: 12\n"));
}

TEST_CASE("Catch2: means, with the way to them as the name") {
  std::vector<std::string> notes;
  const History history = read("catch2.xml", &notes);
  REQUIRE(history.series.size() == 1);
  CHECK(history.series[0].name == "sums/small/n = 64");
  CHECK(history.series[0].points[0].samples[0] == Approx(33.29e-9));
  CHECK_THAT(joined(notes), contains("'sums/throws' has no result: 'no device'"));
  CHECK_FALSE(import_catch2("<testsuites/>"));
}

TEST_CASE("Google Benchmark's CSV: times in seconds") {
  const History history = read("google_benchmark.csv");
  REQUIRE(history.find("Sum/64/real_time") != nullptr);
  CHECK(history.find("Sum/64/real_time")->points[0].samples[0] == Approx(33.2941e-9));
  CHECK(history.find("Sum/64/bytes_per_second")->unit == "B/s");
}
