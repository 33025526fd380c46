// components: json sqlite
//
// How long histories take: 1,000 metrics over 1,000 runs of 10 samples each, which are 10⁶ points, appended, loaded and scanned for regressions,
// as JSON lines and as SQLite.
//   bench_history [METRICS RUNS SAMPLES]

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "assay/performance/default_detector.hpp"
#include "assay/performance/history_jsonl.hpp"
#include "assay/performance/history_scan.hpp"
#include "assay/performance/history_sqlite.hpp"
#include "timing.hpp"

namespace {

namespace fs = std::filesystem;

/// Run `index` of kernels of many shapes: noise of 1 %, and from the 900th run on every hundredth of them is 3 %
/// slower.
assay::HistoryRun run_of(std::size_t index, std::size_t metrics, std::size_t samples,
                         assay::detail::RandomSequence& random) {
  assay::HistoryRun run;
  run.origin.time = assay::UtcTime(std::chrono::hours(24 * (10000 + index)));
  run.origin.labels = {{"version", "1." + std::to_string(index / 30)}, {"commit", std::to_string(random.next())}};
  run.origin.environment = {{"processor", "a processor"}, {"compiler", "a compiler"}};
  for (std::size_t m = 0; m < metrics; ++m) {
    assay::HistoryPoint point{"gemm/onednn/bf16.f32.bf16",
                              {{"m", std::to_string(64 * (m + 1))}, {"n", "4096"}, {"k", "14336"}},
                              {"seconds", "s", assay::Direction::lower_is_better, {}, ""}};
    const double slower = m % 100 == 0 && index >= 900 ? 1.03 : 1;
    for (std::size_t i = 0; i < samples; ++i) {
      double noise = -6;
      for (int part = 0; part < 12; ++part) noise += static_cast<double>(random.next() >> 11) * 0x1p-53;
      point.metric.samples.push_back(1e-3 * slower * (1 + 0.01 * noise));
    }
    run.points.push_back(std::move(point));
  }
  return run;
}

template <class Store>
void measure(const char* name, const fs::path& path, std::size_t metrics, std::size_t runs, std::size_t samples,
             auto options) {
  Store store(path, options);
  assay::detail::RandomSequence random(1);
  double append = 0;
  for (std::size_t index = 0; index < runs; ++index) {
    const assay::HistoryRun run = run_of(index, metrics, samples, random);
    append += seconds_of([&] {
      if (const auto appended = store.append(run); !appended)
        std::printf("%s\n", appended.error().message.c_str()), std::exit(1);
    });
  }
  std::vector<double> loads, scans;
  std::size_t failed = 0, decided = 0;
  for (int repetition = 0; repetition < 3; ++repetition) {
    auto start = std::chrono::steady_clock::now();
    const auto history = store.load();
    loads.push_back(seconds_since(start));
    if (!history) std::printf("%s\n", history.error().message.c_str()), std::exit(1);
    start = std::chrono::steady_clock::now();
    const auto outcomes = assay::scan_history(history.value(), {{{"version", "1.29"}}}, assay::default_detector());
    scans.push_back(seconds_since(start));
    failed = decided = 0;
    for (const assay::Outcome& outcome : outcomes) {
      failed += outcome.verdict == assay::Verdict::fail ? 1 : 0;
      decided += outcome.verdict == assay::Verdict::fail || outcome.verdict == assay::Verdict::pass ? 1 : 0;
    }
  }
  std::printf("| %s | %.0f | %.2f | %.2f | %.2f | %.2f | %zu of %zu, %zu decided |\n", name,
              static_cast<double>(fs::file_size(path)) / 1e6, 1e3 * append / static_cast<double>(runs), median(loads),
              median(scans), median(loads) + median(scans), failed, (metrics + 99) / 100, decided);
  std::fflush(stdout);
}

}  // namespace

int main(int count, char** arguments) {
  const auto argument = [&](int at, std::size_t otherwise) {
    return count > at ? static_cast<std::size_t>(std::atoll(arguments[at])) : otherwise;
  };
  const std::size_t metrics = argument(1, 1000), runs = argument(2, 1000), samples = argument(3, 10);
  const fs::path folder =
      fs::temp_directory_path() /
      ("assay-bench-history-" + std::to_string(std::chrono::steady_clock::now().time_since_epoch().count()));
  fs::create_directories(folder);
  std::printf(
      "%zu metrics over %zu runs, %zu samples a point\n\n| store | MB | append a run, ms | load, s | scan, s | load "
      "and scan, s | "
      "regressed, of those that did |\n|---|---|---|---|---|---|---|\n",
      metrics, runs, samples);
  measure<assay::JsonlHistory>("JSON lines", folder / "h.jsonl", metrics, runs, samples,
                               assay::JsonlHistoryOptions{false});
  measure<assay::SqliteHistory>("SQLite", folder / "h.sqlite", metrics, runs, samples,
                                assay::SqliteHistoryOptions{false, 30});
  fs::remove_all(folder);
}
