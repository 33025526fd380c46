#include "assay/performance/import_results.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "performance/history_conformance.hpp"
#include "performance/imported_history.hpp"
#include "testing/catch.hpp"
#include "testing/source_directory.hpp"

// tests/performance/data: google_benchmark*.json were written by Google Benchmark 1.7.1 and pytest_benchmark.json by
// pytest-benchmark 5.3.1. nvbench.json was made by hand in the form 1.0.0 that nvbench/json_printer.cu and
// nvbench/detail/measure_cold.cu of NVIDIA's nvbench write (2026), since it needs a GPU: two devices of one name,
// samples beside the file, some of them missing, a skipped state, empty lists.

using namespace assay;
using namespace assay::testing;
namespace fs = std::filesystem;

namespace {

const fs::path data = assay::testing::source_directory() / "tests" / "performance" / "data";

std::string text_of(const std::string& name) {
  std::ifstream file(data / name, std::ios::binary);
  REQUIRE(file);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

bool has_note(const Imported& imported, const std::string& part) {
  for (const std::string& note : imported.notes)
    if (note.find(part) != std::string::npos) return true;
  return false;
}

template <class T>
std::string refusal(const Result<T>& result) {
  if (result) return "";
  CHECK(result.error().kind == ErrorKind::malformed);
  return result.error().message;
}

}  // namespace

TEST_CASE("Google Benchmark: repetitions are samples, in seconds; errors and unknown counters are told") {
  const auto imported = import_results(data / "google_benchmark.json");
  const History history = history_of(imported);
  REQUIRE(history.runs.size() == 1);
  CHECK(history.runs[0].label("commit") == "abc123");  // --benchmark_context=commit=abc123
  CHECK(utc_time_text(history.runs[0].time) == "2026-11-22T05:01:32.000Z");
  CHECK(history.runs[0].environment.at("logical_processors") == "2");
  CHECK(history.runs[0].clocks.at("frequency_scaling") == "off");
  CHECK(history.series.size() == 8);
  const HistorySeries* sum = history.find("sum/64/repeats:3/real_time");
  REQUIRE(sum != nullptr);
  REQUIRE(sum->points[0].samples.size() == 3);
  CHECK(sum->points[0].samples[0] == Approx(2.84396e-8).epsilon(1e-5));  // from microseconds
  CHECK(sum->points[0].note.empty());
  REQUIRE(history.find("manual/iterations:5/manual_time/real_time") != nullptr);
  CHECK(history.find("manual/iterations:5/manual_time/real_time")->points[0].samples == std::vector<double>{2 * 1e-3});
  CHECK(history.find("sum/64/repeats:3/bytes_per_second")->direction == Direction::higher_is_better);
  CHECK(history.find("sum/64/repeats:3/flops") == nullptr);
  CHECK(has_note(imported.value(), "'absent' has no result: it reported the error 'no device found'"));
  CHECK(has_note(imported.value(), "'flops' is left out"));

  ImportOptions options;
  options.directions = {{"flops", Direction::higher_is_better}, {"undefined", Direction::lower_is_better}};
  const auto told = import_google_benchmark(text_of("google_benchmark.json"), options);
  CHECK(history_of(told).find("sum/64/repeats:3/flops")->points[0].samples.size() == 3);
  CHECK(has_note(told.value(), "a sample of undefined is NaN and left out"));
}

TEST_CASE("Google Benchmark: where only aggregates were written, the median is taken and says so") {
  const History history = history_of(import_results(data / "google_benchmark_aggregates.json"));
  const HistorySeries* sum = history.find("sum/64/repeats:3/real_time");
  REQUIRE(sum != nullptr);
  REQUIRE(sum->points[0].samples.size() == 1);
  CHECK_THAT(sum->points[0].note, contains("median of 3 repetitions"));
}

TEST_CASE("Google Benchmark: what is malformed is refused with its place") {
  const std::string text = text_of("google_benchmark.json");
  const auto refused = [&](const std::string& from, const std::string& to) {
    return refusal(import_google_benchmark(replaced(text, from, to)));
  };
  CHECK_THAT(refused("\"time_unit\": \"us\"", "\"time_unit\": \"fortnight\""),
             contains("benchmarks[0].time_unit: expected s, ms, us or ns, found \"fortnight\""));
  CHECK_THAT(refused("\"real_time\": ", "\"real_time\": \"fast\", \"was\": "),
             contains("benchmarks[0].real_time: expected a number, found \"fast\""));
  CHECK_THAT(refused("\"cpu_time\"", "\"cpu\""), contains("benchmarks[0]: the member \"cpu_time\" is missing"));
  CHECK_THAT(refused("\"benchmarks\"", "\"bench\""), contains("the member \"benchmarks\" is missing"));
  CHECK_THAT(refusal(import_google_benchmark(text.substr(0, text.size() / 2))), contains("no valid JSON at byte"));
  CHECK_THAT(refusal(import_google_benchmark("")), contains("not results of Google Benchmark"));
  CHECK_THAT(refusal(import_google_benchmark("[]")), contains("expected an object, found []"));
}

TEST_CASE("pytest-benchmark: rounds are samples, parameters are the configuration, the commit is kept") {
  const auto imported = import_results(data / "pytest_benchmark.json");
  const History history = history_of(imported);
  REQUIRE(history.runs.size() == 1);
  CHECK(history.runs[0].label("commit") == "7fdf14e094761382cd8f1b64b237273874f03a7b");
  CHECK(utc_time_text(history.runs[0].time) == "2026-11-22T04:40:45.658Z");
  CHECK(history.runs[0].environment.at("library pytest-benchmark") == "5.3.1");
  REQUIRE(history.find("test_b.py::test_sum{n=10}/seconds") != nullptr);
  CHECK(history.find("test_b.py::test_sum{n=10}/seconds")->points[0].samples.size() == 7);
  CHECK(history.find("test_b.py::test_sum{n=10}/seconds")->points[0].samples[0] == 6.176666526395517e-07);
  REQUIRE(history.find("test_b.py::test_sorted/seconds") != nullptr);

  const auto dirty =
      import_pytest_benchmark(replaced(text_of("pytest_benchmark.json"), "\"dirty\": false", "\"dirty\": true"));
  CHECK(has_note(dirty.value(), "changes that the commit does not have"));
}

TEST_CASE("pytest-benchmark: without rounds the median is taken, and parameters that are objects stay in the name") {
  std::string text = replaced(text_of("pytest_benchmark.json"), "\"data\": [", "\"ignored\": [");
  CHECK_THAT(history_of(import_pytest_benchmark(text)).find("test_b.py::test_sum{n=10}/seconds")->points[0].note,
             contains("median of 7 rounds"));
  text = replaced(text, "\"n\": 10\n", "\"n\": {\"__class__\": \"x\"}\n");
  CHECK(history_of(import_pytest_benchmark(text)).find("test_b.py::test_sum[10]/seconds") != nullptr);
  text = replaced(text_of("pytest_benchmark.json"), "\"n\": 1000", "\"n\": 10");  // two tests of equal parameters
  CHECK(history_of(import_pytest_benchmark(text)).find("test_b.py::test_sum[1000]/seconds") != nullptr);
  text = replaced(text_of("pytest_benchmark.json"), "5.743333228262296e-07,", "Infinity,");
  CHECK(has_note(import_pytest_benchmark(text).value(), "1 samples that are no numbers"));
  CHECK_THAT(
      refusal(import_pytest_benchmark(replaced(text_of("pytest_benchmark.json"), "5.743333228262296e-07,", "\"x\","))),
      contains("benchmarks[0].stats.data[1]: expected a number, found \"x\""));
  CHECK_THAT(refusal(import_pytest_benchmark(replaced(text_of("pytest_benchmark.json"), "\"stats\"", "\"state\""))),
             contains("benchmarks[0]: the member \"stats\" is missing"));
}

TEST_CASE("nvbench: samples come from beside the file, or their mean is taken and says so") {
  const auto imported = import_results(data / "nvbench.json");
  CHECK_FALSE(imported.value().has_time);
  const History history = history_of(imported);
  for (const char* device : {"0", "1"}) {  // the second names its file as seen from elsewhere
    const HistorySeries* time =
        history.find("axpy{Elements=16777216,T=F32,device=NVIDIA H200 #" + std::string(device) + "}/gpu_time");
    REQUIRE(time != nullptr);
    CHECK(time->points[0].samples ==
          std::vector<double>{double(1e-3f), double(1.25e-3f), double(1.5e-3f), 0x1p-10, 0x1p-9});
  }
  const HistorySeries* mean = history.find("axpy{Elements=1024,T=F32,device=NVIDIA H200 #0}/gpu_time");
  REQUIRE(mean != nullptr);
  CHECK(mean->points[0].samples == std::vector<double>{0.0010034002306039446});
  CHECK_THAT(mean->points[0].note, contains("the mean of 5 samples"));
  CHECK(has_note(imported.value(), "'nvbench.json-bin/1.bin' is absent or has another size than 9 samples"));
  CHECK(has_note(imported.value(), "was skipped: 'no room on the device'"));
  CHECK(history.find("axpy{Elements=16777216,T=F32,device=NVIDIA H200 #0}/bytes_per_second")->direction ==
        Direction::higher_is_better);
  CHECK(history.series.size() == 15);

  const std::string text = text_of("nvbench.json");
  CHECK_THAT(refusal(import_nvbench(replaced(text, "\"major\": 1", "\"major\": 2"))),
             contains("meta.version.json.major: expected 1"));
  CHECK_THAT(refusal(import_nvbench(replaced(text, "\"meta\"", "\"data\""))), contains("before its JSON form 1.0"));
  CHECK_THAT(refusal(import_nvbench(replaced(text, "\"value\": \"0.0010094132736625523\"", "\"value\": \"quick\""))),
             contains("states[0].summaries[3].data[0].value: expected a number, found \"quick\""));
  CHECK_THAT(refusal(import_nvbench(replaced(text, "\"device\": 0,", "\"device\": 7,"))),
             contains("benchmarks[0].states[0].device: expected the id of one of \"devices\", found 7"));
  CHECK(import_nvbench(replaced(text, "nvbench.json-bin/0.bin", "../../../../etc/hostname"), {}, data)
            .value()
            .notes.size() == 3);
}

TEST_CASE("the format of a file is told by its content") {
  CHECK(results_format(text_of("google_benchmark.json")) == ResultsFormat::google_benchmark);
  CHECK(results_format(text_of("pytest_benchmark.json")) == ResultsFormat::pytest_benchmark);
  CHECK(results_format(text_of("nvbench.json")) == ResultsFormat::nvbench);
  CHECK(results_format("name,value\n") == ResultsFormat::csv);
  for (const char* none : {"", " \n", "{}", "[1]", "<xml>", "{\"benchmarks\":[]}"}) CHECK_FALSE(results_format(none));
  CHECK_THAT(import_results(data).error().message, contains("cannot read"));
  CHECK_THAT(import_results(data / "absent").error().message, contains("cannot read"));
  CHECK(import_results(assay::testing::source_directory() / "CMakePresets.json").error().kind ==
        ErrorKind::unsupported);
}

TEST_CASE("no mutation of a file of results gives a run that cannot be kept") {
  for (const char* name :
       {"google_benchmark.json", "google_benchmark_aggregates.json", "pytest_benchmark.json", "nvbench.json"}) {
    const std::string text = text_of(name);
    detail::RandomSequence random(11);
    int read = 0;
    for (int i = 0; i < 1000; ++i) {
      std::string mutated = text;
      for (std::uint32_t left = 1 + random.below(3); left > 0; --left) {
        const std::size_t at = random.below(mutated.size());
        switch (random.below(5)) {
          case 0: mutated[at] = static_cast<char>(random.below(256)); break;
          case 1: mutated.erase(at, 1 + random.below(30)); break;
          case 2: mutated.insert(at, "\"{}[],:0e-NaN"); break;
          case 3:  // a value of another kind
            if (const std::size_t colon = mutated.find(": ", at); colon != std::string::npos)
              mutated.replace(
                  colon + 2, mutated.find_first_of(",\n", colon) - colon - 2,
                  std::vector<std::string>{"null", "1e300", "\"\"", "[]", "{}", "-Infinity", "true"}[random.below(7)]);
            break;
          case 4: mutated.resize(at + 1); break;
        }
      }
      const auto format = results_format(mutated);
      if (!format) continue;
      const auto imported = *format == ResultsFormat::nvbench            ? import_nvbench(mutated, {}, data)
                            : *format == ResultsFormat::pytest_benchmark ? import_pytest_benchmark(mutated)
                                                                         : import_google_benchmark(mutated);
      if (!imported) {
        REQUIRE_FALSE(imported.error().message.empty());
        continue;
      }
      ++read;
      for (const HistoryRun& run : imported.value().runs) {
        const auto checked = check_history_run(run);
        CAPTURE(name, i);
        if (!checked) REQUIRE_THAT(checked.error().message, contains("already") || contains("not UTF-8"));
      }
    }
    CAPTURE(name);
    CHECK(read > 50);
  }
}

TEST_CASE("results in UTF-16 are read, and what is no file of results is named for what it is") {
  const auto imported = import_results(data / "google_benchmark.utf16.json");
  INFO((imported ? std::string() : imported.error().message));
  REQUIRE(imported);
  CHECK(imported.value().runs.size() == 1);
  CHECK(detail::utf8_text("\xEF\xBB\xBF{}").value() == "{}");
  CHECK(detail::utf8_text(std::string("\xFE\xFF\xD8\x3D\xDE\x00", 6)).value() == "\xF0\x9F\x98\x80");
  for (const std::string& wrong :
       {std::string("\xFF\xFE{", 3), std::string("\xFF\xFE\x3D\xD8", 4), std::string("\xFF\xFE\x00\xDE", 4)})
    CHECK_FALSE(detail::utf8_text(wrong));
  const auto said = [](const std::string& text) {
    const fs::path path = fs::temp_directory_path() / "assay_import_what.json";
    std::ofstream(path, std::ios::binary) << text;
    const auto read = import_results(path);
    fs::remove(path);
    return read ? std::string("read") : read.error().message;
  };
  CHECK_THAT(said("version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 12\n"), contains("git lfs pull"));
  CHECK_THAT(said("\n<!DOCTYPE html>\n<html>"), contains("an HTML page"));
  CHECK_THAT(said("\x1F\x8B\x08"), contains("gzip"));
  CHECK_THAT(said("PK\x03\x04"), contains("ZIP"));
}

TEST_CASE("nvbench: a state that stands there twice has all of its samples") {
  const auto imported = import_results(data / "nvbench_same_state.json");
  const History history = history_of(imported);
  CHECK(has_note(imported.value(), "stands there more than once"));
  std::size_t most = 0;
  for (const HistorySeries& series : history.series)
    if (series.metric == "items_per_second") most = std::max(most, series.points[0].samples.size());
  CHECK(most == 2);
}
