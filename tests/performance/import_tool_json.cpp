#include "assay/performance/import_tool_json.hpp"

#include "assay/performance/import_results.hpp"
#include "performance/imported_history.hpp"
#include "testing/catch.hpp"
#include "testing/source_directory.hpp"

// tests/performance/data: hyperfine.json was written by hyperfine; the others are in the forms that JMH 1.37,
// criterion.rs 0.5, cargo-criterion 1.1, nccl-tests 2.17, vLLM 0.9 and AIPerf 0.3 write, as their sources and pages say.

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

TEST_CASE("hyperfine: a sample a run") {
  const History history = read("hyperfine.json");
  REQUIRE(history.series.size() == 2);
  CHECK(history.series[0].key == "sleep 0.01/seconds");
  CHECK(history.series[0].points[0].samples.size() == 5);
  const auto failed = import_hyperfine(
      R"({"results":[{"command":"x","median":1,"times":[1,2,3],"exit_codes":[0,1,null],"parameters":{"n":"4"}}]})");
  REQUIRE(failed);
  CHECK(failed.value().runs[0].points[0].metric.samples == std::vector<double>{1});
  CHECK(failed.value().runs[0].points[0].configuration.at("n") == "4");
  CHECK_THAT(joined(failed.value().notes), contains("2 runs ended with another code"));
  CHECK_FALSE(failed.value().has_time);
}

TEST_CASE("JMH: a sample an iteration of all forks") {
  const History history = read("jmh.json");
  REQUIRE(history.series.size() == 1);
  CHECK(history.series[0].key == "org.example.MyBenchmark.sum{mode=thrpt,size=1024,threads=1}/score");
  CHECK(history.series[0].unit == "ops/ms");
  CHECK(history.series[0].direction == Direction::higher_is_better);
  CHECK(history.series[0].points[0].samples.size() == 6);
}

TEST_CASE("criterion: samples by their iterations, or the median") {
  const History samples = read("criterion/fib_20/new/sample.json");
  REQUIRE(samples.series.size() == 1);
  CHECK(samples.series[0].key == "fib 20/seconds");
  REQUIRE(samples.series[0].points[0].samples.size() == 3);
  CHECK(samples.series[0].points[0].samples[0] == Approx(26e-9));
  const History estimates = read("criterion/fib_20/new/estimates.json");
  CHECK(estimates.series[0].points[0].samples[0] == Approx(26e-9));
  CHECK_FALSE(estimates.series[0].points[0].note.empty());
  const History lines = read("cargo_criterion.jsonl");
  CHECK(lines.series[0].key == "norm/seconds");
  CHECK(lines.series[0].points[0].samples[0] == Approx(4140e-9));
  CHECK_FALSE(import_criterion(R"({"iters":[1],"times":[1,2],"sampling_mode":"Flat"})"));
}

TEST_CASE("nccl-tests: what had wrong values is no measurement") {
  std::vector<std::string> notes;
  const History history = read("nccl_tests.json", &notes);
  const HistorySeries* const right =
      history.find("all_reduce_perf{place=out_of_place,ranks=2,redop=sum,root=-1,size=1048576,type=float}/busbw");
  REQUIRE(right != nullptr);
  CHECK(right->points[0].samples == std::vector<double>{25.38});
  CHECK(history.find("all_reduce_perf{place=in_place,ranks=2,redop=sum,root=-1,size=1048576,type=float}/busbw") ==
        nullptr);
  CHECK(history.find("all_reduce_perf{place=in_place,ranks=2,redop=sum,root=-1,size=2097152,type=float}/seconds")
            ->points[0]
            .samples[0] == Approx(80e-6));
  CHECK_THAT(joined(notes), contains("had 2 wrong values") && contains("out of bounds"));
  CHECK(utc_time_text(history.runs[0].time) == "2026-01-02T03:04:05.000Z");
}

TEST_CASE("vllm bench and AIPerf: rates and latencies with their directions") {
  std::vector<std::string> notes;
  const History vllm = read("vllm_bench.json", &notes);
  CHECK(utc_time_text(vllm.runs[0].time) == "2026-01-02T03:04:05.000Z");
  CHECK_THAT(joined(notes), contains("1 of 100 requests were not completed"));
  std::size_t seconds = 0, rates = 0;
  for (const HistorySeries& series : vllm.series) {
    seconds += series.unit == "s" ? 1 : 0;
    rates += series.direction == Direction::higher_is_better ? 1 : 0;
    CHECK(series.configuration.at("max_concurrency") == "16");
  }
  CHECK(seconds == 9);
  CHECK(rates == 3);
  const History aiperf = read("aiperf.json", &notes);
  const std::string head = "aiperf{concurrency=8,model_names=Qwen/Qwen3-0.6B,streaming=true}/";
  REQUIRE(aiperf.find(head + "time_to_first_token_p99") != nullptr);
  CHECK(aiperf.find(head + "time_to_first_token_p99")->points[0].samples[0] == Approx(0.0553));
  CHECK(aiperf.find(head + "request_throughput")->direction == Direction::higher_is_better);
  CHECK(aiperf.find(head + "output_sequence_length") == nullptr);
  CHECK_THAT(joined(notes), contains("'output_sequence_length' is left out"));
}

TEST_CASE("every form cut short at any byte is refused or read, never worse") {
  for (const char* name : {"hyperfine.json", "jmh.json", "nccl_tests.json", "vllm_bench.json", "aiperf.json"}) {
    const auto text = read_file(source_directory() / "tests" / "performance" / "data" / name);
    REQUIRE(text);
    for (std::size_t length = 0; length < text.value().size(); length += 7) {
      const std::string_view part = std::string_view(text.value()).substr(0, length);
      for (const auto& read : {import_hyperfine(part), import_jmh(part), import_nccl_tests_json(part),
                               import_vllm_bench(part), import_aiperf(part)})
        if (!read) CHECK(read.error().kind == ErrorKind::malformed);
    }
  }
}
