// components: json
// Writes one run of every kind in every format, for schema_oracle.py to hold against schemas and other people's readers.

#include <cstdlib>
#include <filesystem>
#include <random>

#include "assay/report/json.hpp"
#include "assay/report/junit.hpp"
#include "assay/report/markdown.hpp"
#include "assay/report/ocp.hpp"
#include "assay/report/sarif.hpp"
#include "report/sample_run.hpp"
#include "testing/catch.hpp"

using namespace assay;
using namespace assay::testing;

namespace {

/// Every byte there is, and what XML, JSON and Markdown each give a meaning to.
std::string all_bytes() {
  std::string bytes =
      nasty_text() + " ]]> --> \xEF\xBF\xBE \xEF\xBF\xBF \xED\xA0\x80 {0} [a](1) ``` @name #1 | <details> $x$ ";
  for (int byte = 0; byte < 256; ++byte) bytes += static_cast<char>(byte);
  return bytes;
}

Run run_of(const std::vector<Verdict>& verdicts) {
  Run run;
  for (const Verdict verdict : verdicts)
    run.outcomes.push_back(
        sample_outcome("gemm/openblas/f32/128x128x3000/" + std::to_string(run.outcomes.size()), verdict));
  run.planned_cases = run.outcomes.size();
  return run;
}

Run run_of_all_bytes() {
  Run run = sample_run();
  Environment& machine = run.environment;
  for (std::string* text : {&run.title, &run.command, &machine.host_name, &machine.processor, &machine.operating_system,
                            &machine.compiler, &machine.started_at, &machine.assay_version})
    *text = all_bytes();
  machine.devices = {all_bytes()};
  machine.libraries = {{all_bytes(), all_bytes()}};
  machine.memory_bytes = std::numeric_limits<double>::quiet_NaN();
  run.duration_seconds = -std::numeric_limits<double>::infinity();
  for (Outcome& outcome : run.outcomes) {
    outcome.id = outcome.reason = outcome.reproduce = all_bytes();
    outcome.diagnosis = outcome.derivation = {all_bytes(), ""};
    for (const char* label : {"operation", "backend", "formats"}) outcome.labels[label] = all_bytes();
    outcome.duration_seconds = std::numeric_limits<double>::infinity();
    for (const double value :
         {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), -0.0, 1e308})
      outcome.measure(measurement::worst_error_ratio, value, all_bytes());
  }
  return run;
}

std::vector<std::pair<std::string, Run>> runs() {
  Run cut_short = run_of({Verdict::pass, Verdict::fail});
  cut_short.planned_cases = 10;
  Run cut_short_unhurt = run_of({Verdict::pass});
  cut_short_unhurt.planned_cases = 3;
  Run blank = run_of({Verdict::pass, Verdict::fail});
  for (Outcome& outcome : blank.outcomes) {
    const Verdict verdict = outcome.verdict;
    outcome = Outcome();
    outcome.verdict = verdict;
  }
  Run empty;
  return {{"sample", sample_run()},
          {"empty", empty},
          {"passed",
           run_of({Verdict::pass, Verdict::pass, Verdict::new_baseline, Verdict::inconclusive, Verdict::skipped})},
          {"erred", run_of({Verdict::pass, Verdict::error})},
          {"undecided", run_of({Verdict::skipped, Verdict::unsupported, Verdict::inconclusive})},
          {"cut_short", cut_short},
          {"cut_short_unhurt", cut_short_unhurt},
          {"blank", blank},
          {"all_bytes", run_of_all_bytes()},
          {"large", large_run(10'000)}};
}

void write_all(const Run& run, const std::filesystem::path& stem) {
  const auto path = [&](const char* ending) { return std::filesystem::path(stem).concat(ending); };
  REQUIRE(write_json(run, path(".json")));
  REQUIRE(write_junit(run, path(".xml")));
  REQUIRE(write_markdown(run, path(".md")));
  REQUIRE(write_sarif(run, path(".sarif")));
  REQUIRE(write_ocp(run, path(".jsonl")));
}

}  // namespace

TEST_CASE("every format is written to a file, and says so if it cannot be") {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("assay-formats-" + std::to_string(std::random_device()()));
  std::filesystem::create_directories(folder);
  write_all(run_of({Verdict::pass}), folder / "run");
  for (const char* ending : {".json", ".xml", ".md", ".sarif", ".jsonl"})
    CHECK(std::filesystem::file_size((folder / "run").concat(ending)) > 100);
  std::filesystem::remove_all(folder);
  for (const auto& write : {write_junit, write_sarif, write_ocp})
    CHECK(write(Run(), folder / "run", false).error().kind == ErrorKind::io);
  CHECK(write_markdown(Run(), folder / "run").error().kind == ErrorKind::io);
}

TEST_CASE("runs of every kind for other readers", "[.oracle]") {
  const char* folder = std::getenv("ASSAY_REPORT_FOLDER");
  REQUIRE(folder != nullptr);
  for (const auto& [name, run] : runs()) write_all(run, std::filesystem::path(folder) / name);
}
