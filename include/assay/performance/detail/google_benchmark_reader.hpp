#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>

#include "assay/performance/detail/json_place.hpp"
#include "assay/performance/import_options.hpp"

namespace assay::inline v0::detail {

class GoogleBenchmarkReader {
 public:
  explicit GoogleBenchmarkReader(const ImportOptions& options) : options_(options) {}

  [[nodiscard]] Imported read(const JsonPlace& document);

 private:
  HistoryRun& run() { return imported_.runs.front(); }

  void read_context(const JsonPlace& context);

  static std::string name_of_benchmark(const JsonPlace& benchmark) {
    return benchmark.find("run_name") ? benchmark.at("run_name").text() : benchmark.at("name").text();
  }

  /// Whether it was measured; notes why not.
  bool measured(const JsonPlace& benchmark);

  void read_repetition(const JsonPlace& benchmark) {
    const std::string name = name_of_benchmark(benchmark);
    if (name.empty()) benchmark.refuse("the name is empty");
    if (benchmark.text_of("run_type") == "aggregate" || !measured(benchmark)) return;
    read_values(benchmark, name, "");
  }

  /// Only of a benchmark of which no repetitions are there.
  void read_aggregate(const JsonPlace& benchmark);

  void read_values(const JsonPlace& benchmark, const std::string& name, const std::string& note);

  static bool parse_infinity(const JsonPlace& value) {
    const std::string text = value.text();
    return text == "NaN" || text == "-NaN" || text == "Infinity" || text == "-Infinity";
  }

  void add(const std::string& name, const std::string& metric, const std::string& unit, const JsonPlace& value,
           double scale, const std::string& note);

  const ImportOptions& options_;
  Imported imported_;
  std::map<std::string, std::size_t> points_;
  std::map<std::string, bool> repeated_;
};

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/performance/detail/google_benchmark_reader.ipp"
#endif
