#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "assay/performance/detail/json_place.hpp"
#include "assay/performance/import_options.hpp"

namespace assay::inline v0::detail {

class PytestBenchmarkReader {
 public:
  explicit PytestBenchmarkReader(const ImportOptions& options) : options_(options) {}

  [[nodiscard]] Imported read(const JsonPlace& document);

 private:
  HistoryRun& run() { return imported_.runs.front(); }

  void read_origin(const JsonPlace& document);

  /// "file.py::test[10]" with its parameters, where they are plain values, as configuration; else with pytest's text
  /// for them in the name.
  static HistoryPoint subject_of(const JsonPlace& benchmark);

  void read_samples(const JsonPlace& benchmark, HistoryPoint point);

  const ImportOptions& options_;
  Imported imported_;
};

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/performance/detail/pytest_benchmark_reader.ipp"
#endif
