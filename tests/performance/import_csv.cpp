#include "assay/performance/import_csv.hpp"

#include "performance/history_conformance.hpp"
#include "performance/imported_history.hpp"
#include "testing/catch.hpp"

using namespace assay;
using namespace assay::testing;

namespace {

std::string refusal(const std::string& text, const CsvColumns& columns = {}) {
  const auto imported = import_csv(text, columns);
  return imported ? "" : imported.error().message;
}

}  // namespace

TEST_CASE(
    "rows of one subject are samples, of other versions other runs, and columns without a role are configuration") {
  const auto imported = import_csv(
      "version,name,m,value,unit,time\r\n"
      "1.9,gemm,64,2,ms,2025-01-02T03:04:05Z\r\n"
      "1.9,gemm,64,3,ms,2025-01-02T03:04:05Z\r\n"
      "1.9,gemm,128,9,ms,2025-01-02T03:04:05Z\r\n"
      "\r\n"
      "1.10,gemm,64,4,ms,2025-02-02T03:04:05+01:00\r\n"
      "1.10,\"the \"\"big\"\", one\",,5e2,GB/s,2025-02-02T03:04:05+01:00");
  const History history = history_of(imported);
  REQUIRE(history.runs.size() == 2);
  CHECK(history.runs[1].label("version") == "1.10");
  CHECK(utc_time_text(history.runs[1].time) == "2025-02-02T02:04:05.000Z");
  REQUIRE(history.series.size() == 3);
  const HistorySeries* gemm = history.find("gemm{m=64}/value");
  REQUIRE(gemm != nullptr);
  CHECK(gemm->unit == "s");
  CHECK(gemm->points[0].samples == std::vector<double>{0.002, 0.003});
  CHECK(gemm->points[1].samples == std::vector<double>{0.004});
  const HistorySeries* big = history.find("the \"big\", one/value");
  REQUIRE(big != nullptr);
  CHECK(big->direction == Direction::higher_is_better);
  CHECK(imported.value().has_time);
}

TEST_CASE("columns of values are metrics, their units in their headings") {
  CsvColumns columns;
  columns.benchmark = "serve";
  columns.values = {"latency", "throughput"};
  columns.ignored = {"comment"};
  columns.separator = ';';
  const auto imported = import_csv("latency (ms);throughput [tok/s];batch;comment\n12;3000;8;x\n", columns);
  const History history = history_of(imported);
  REQUIRE(history.find("serve{batch=8}/latency") != nullptr);
  CHECK(history.find("serve{batch=8}/latency")->points[0].samples[0] == 0.012);
  REQUIRE(history.find("serve{batch=8}/throughput") != nullptr);
  CHECK(history.find("serve{batch=8}/throughput")->unit == "tok/s");
  CHECK_FALSE(imported.value().has_time);
}

TEST_CASE("what has no direction, no value or no finite value is left out and told") {
  const auto imported = import_csv(
      "name,metric,value,direction\na,tiles,64,\na,score,1,higher_is_better\na,score,,higher_is_better\na,score,nan,"
      "higher_is_better\na,"
      "score,-inf,higher_is_better\n");
  const History history = history_of(imported);
  CHECK(history.series.size() == 1);
  CHECK(history.series[0].points[0].samples == std::vector<double>{1});
  REQUIRE(imported.value().notes.size() == 4);
  CHECK_THAT(imported.value().notes[0], contains("'tiles' is left out: its unit '' does not tell"));
  CHECK_THAT(imported.value().notes[1], contains("line 4: the value of 'a' is empty"));
  CHECK(import_csv("name,value,unit\n").value().runs.empty());
}

TEST_CASE("a malformed file is refused with the line") {
  CHECK_THAT(refusal(""), contains("the file is empty"));
  CHECK_THAT(refusal("name,value,unit\na,1\n"), contains("line 2: 2 cells, and the header has 3"));
  CHECK_THAT(refusal("name,value,unit\na,1,s\nb,one,s\n"),
             contains("line 3: 'one' in the column 'value' is no number"));
  CHECK_THAT(refusal("name,value,unit\na,1.5.2,s\n"), contains("line 2: '1.5.2'"));
  CHECK_THAT(refusal("name,value,unit\n\"a\nb\",1,s\nc,\"2,s\n"),
             contains("line 4: a quote is opened and never closed"));
  CHECK_THAT(refusal("name,value,unit\n\"a\"b,1,s\n"), contains("line 2: text stands behind a closing quote"));
  CHECK_THAT(refusal("name,value,unit,time\na,1,s,today\n"), contains("line 2: 'today' is no time"));
  CHECK_THAT(refusal("name,value,unit,direction\na,1,s,down\n"), contains("line 2: 'down' is no direction"));
  CHECK_THAT(refusal("name,value,unit\na,1,s\na,1,GB\n"),
             contains("line 3: 'value' of 'a' has another unit or direction"));
  CHECK_THAT(refusal("name,value,value\n"), contains("two columns are headed 'value'"));
  CHECK_THAT(refusal("name,valeu\n"), contains("unknown column of values 'value'; nearest: valeu"));
  CHECK_THAT(refusal("value,unit\n1,s\n"), contains("unknown column of names 'name'"));
  CHECK_THAT(refusal("name,value,unit\n,1,s\n"), contains("line 2: the cell 'name' is empty"));
}

TEST_CASE("no mutation of a CSV file gives a run that cannot be kept") {
  const std::string text =
      "name,m,value,unit,time,direction\ngemm,64,2,ms,2025-01-02T03:04:05Z,lower_is_better\n\"a,b\",,1e3,GB/"
      "s,2025-01-02T03:04:05Z,\n";
  detail::RandomSequence random(1);
  int read = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string mutated = text;
    for (std::uint32_t left = 1 + random.below(3); left > 0; --left) {
      const std::size_t at = random.below(mutated.size());
      switch (random.below(3)) {
        case 0: mutated[at] = "\",\n\r;e-.0\xff "[random.below(11)]; break;
        case 1: mutated.erase(at, 1 + random.below(5)); break;
        case 2: mutated.insert(at, 1, "\",\n9"[random.below(4)]); break;
      }
      if (mutated.empty()) mutated = ",";
    }
    const auto imported = import_csv(mutated);
    if (!imported) {
      REQUIRE_FALSE(imported.error().message.empty());
      continue;
    }
    ++read;
    for (const HistoryRun& run : imported.value().runs) {
      const auto checked = check_history_run(run);
      CAPTURE(mutated);
      if (!checked) REQUIRE_THAT(checked.error().message, contains("not UTF-8"));
    }
  }
  CHECK(read > 1000);
}

TEST_CASE("separators and decimal commas are seen where they are certain, and asked for where not") {
  const auto value = [](const std::string& text, CsvColumns columns = {}) {
    const auto imported = import_csv(text, columns);
    INFO((imported ? std::string() : imported.error().message));
    REQUIRE(imported);
    REQUIRE(imported.value().runs.size() == 1);
    return imported.value().runs[0].points[0].metric.samples[0];
  };
  CHECK(value("name;value;unit\ngemm;0,0031;s\n") == 0.0031);
  CHECK(value("name\tvalue\tunit\ngemm\t0.0031\ts\n") == 0.0031);
  CHECK(value("name|value|unit\ngemm|3|s\n") == 3);
  CHECK(value("name;value;unit\ngemm;1.5;s\n") == 1.5);
  CHECK(value("name;value;unit\ngemm;1,234;s\ngemm;1,2;s\n") == 1.234);
  CHECK_THAT(refusal("name;value;unit\ngemm;1,234;s\n"), contains("decimals or thousands"));
  CsvColumns columns;
  columns.decimal = ',';
  CHECK(value("name;value;unit\ngemm;1,234;s\n", columns) == 1.234);
  CHECK_THAT(refusal("name,value;unit\na,1,s\n"), contains("say which separates"));
}

TEST_CASE("columns that are certain need not be named") {
  const auto read = [](const std::string& text, CsvColumns columns = {}) {
    const auto imported = import_csv(text, columns);
    INFO((imported ? std::string() : imported.error().message));
    REQUIRE(imported);
    return imported.value();
  };
  const Imported guessed = read("benchmark,time (ms),timestamp\ngemm,3,2025-01-02 03:04:05\n");
  CHECK(guessed.runs[0].points[0].name == "gemm");
  CHECK(guessed.runs[0].points[0].metric.samples[0] == Approx(3e-3));
  CHECK(utc_time_text(guessed.runs[0].origin.time) == "2025-01-02T03:04:05.000Z");
  CHECK(guessed.has_time);
  CsvColumns columns;
  columns.benchmark = "all";
  columns.values = {"metric1"};
  columns.units["metric1"] = "ns";
  CHECK(
      utc_time_text(read("time,commit,metric1\n2024.01.01 3:00:00 +0100,aaa0,154023\n", columns).runs[0].origin.time) ==
      "2024-01-01T02:00:00.000Z");
  columns.values = {"time"};
  columns.units = {{"time", "s"}};
  CHECK(read("name,size,time\ngemm,4096,0.0031\n", columns).runs[0].points[0].metric.samples[0] == 0.0031);
  CHECK_THAT(refusal("name,value,unit,time\ngemm,1,s,0.0031\n"), contains("is a number and no time of day"));
}

TEST_CASE("units of one quantity are converted within a column") {
  const auto imported = import_csv("name,value,unit\na,1,GB/s\na,500,MB/s\n");
  REQUIRE(imported);
  CHECK(imported.value().runs[0].points[0].metric.samples == std::vector<double>{1, 0.5});
  const auto drops = import_csv("name,value,unit\na,3,steps\n");
  REQUIRE(drops);
  CHECK(drops.value().runs.empty());
  CHECK_THAT(drops.value().notes[0], contains("'steps' does not tell whether lower or higher is better"));
}
