#pragma once

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "assay/performance/detail/google_benchmark_reader.hpp"
#include "assay/performance/detail/nvbench_reader.hpp"
#include "assay/performance/detail/pytest_benchmark_reader.hpp"
#include "assay/performance/import_csv.hpp"
#include "assay/report/read_file.hpp"

/// Results of other people's benchmarks, from the files that they write.
namespace assay::inline v0 {

/// Reads what `--benchmark_out_format=json` of Google Benchmark 1.4 to 1.9 writes. Each repetition is a sample; of aggregates, the median is
/// taken where no repetitions are there, and a note says so. Real and processor time in seconds, `bytes_per_second` and
/// `items_per_second`, and counters whose direction `options` tells: the file does not say whether a counter is a rate.
/// Benchmarks with errors, skipped ones and values that are not finite are left out, and told; labels (SetLabel) are not kept.
/// Errors: `malformed`, with the place.
[[nodiscard]] inline Result<Imported> import_google_benchmark(std::string_view text, const ImportOptions& options = {}) {
  return detail::read_json_document(text, "results of Google Benchmark", [&](const detail::JsonPlace& document) {
    return detail::GoogleBenchmarkReader(options).read(document);
  });
}

/// Reads what `--benchmark-json=FILE` and `--benchmark-save` of pytest-benchmark 3.1 to 5 write: the metric "seconds", a sample a round, or,
/// where the rounds were not written, their median, with a note. Parameters are the configuration, where they are plain values.
/// Errors: `malformed`, with the place.
[[nodiscard]] inline Result<Imported> import_pytest_benchmark(std::string_view text, const ImportOptions& options = {}) {
  return detail::read_json_document(text, "results of pytest-benchmark", [&](const detail::JsonPlace& document) {
    return detail::PytestBenchmarkReader(options).read(document);
  });
}

/// Reads what `--json` and `--jsonbin` of nvbench write (its JSON form 1.x). Axes and device are the configuration; `gpu_time` has the samples
/// where `--jsonbin` wrote them (looked for beside the document, in `folder`), else their mean, with a note; `cpu_time`, `batch_gpu_time` and
/// rates are means. Skipped states are told. The form holds no time: say it in `options`.
/// Errors: `malformed`, with the place.
[[nodiscard]] inline Result<Imported> import_nvbench(std::string_view text, const ImportOptions& options = {},
                                                     const std::filesystem::path& folder = ".") {
  return detail::read_json_document(
      text, "results of nvbench", [&](const detail::JsonPlace& document) { return detail::NvbenchReader(options, folder).read(document); });
}

/// What files of results there are.
enum class ResultsFormat { google_benchmark, nvbench, pytest_benchmark, csv };

/// Which of the formats a text is in, by members that only one of them has; nothing if it has none of them.
[[nodiscard]] inline std::optional<ResultsFormat> results_format(std::string_view text) {
  const auto has = [&](std::string_view part) { return text.find(part) != std::string_view::npos; };
  const std::size_t first = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  if (first == std::string_view::npos) return std::nullopt;
  if (text[first] != '{') return text[first] != '[' && text[first] != '<' ? std::optional(ResultsFormat::csv) : std::nullopt;
  if (has("\"machine_info\"") && has("\"benchmarks\"")) return ResultsFormat::pytest_benchmark;
  if (has("\"context\"") && has("\"benchmarks\"")) return ResultsFormat::google_benchmark;
  if (has("\"devices\"") && has("\"benchmarks\"")) return ResultsFormat::nvbench;
  return std::nullopt;
}

/// Reads a file of results in any of the formats. Errors: as of `read_file`; `unsupported`: it is in none of them; or as of the format; the message
/// names the file.
[[nodiscard]] inline Result<Imported> import_results(const std::filesystem::path& path, const ImportOptions& options = {},
                                                     const CsvColumns& columns = {}) {
  const Result<std::string> whole = read_file(path, "a file of Google Benchmark, nvbench or pytest-benchmark (JSON), or CSV");
  if (!whole) return whole.propagate();
  const std::string& text = whole.value();
  const auto format = results_format(text);
  if (!format)
    return failure(ErrorKind::unsupported,
                   "'" + path.string() + "' begins with '" + clipped(visible(std::string_view(text).substr(0, 120)), 40) +
                       "' and has the members neither of Google Benchmark, nvbench or pytest-benchmark, nor is it CSV");
  const auto read = [&]() -> Result<Imported> {
    switch (*format) {
      case ResultsFormat::google_benchmark: return import_google_benchmark(text, options);
      case ResultsFormat::nvbench:
        return import_nvbench(text, options, path.has_parent_path() ? path.parent_path() : std::filesystem::path("."));
      case ResultsFormat::pytest_benchmark: return import_pytest_benchmark(text, options);
      case ResultsFormat::csv: return import_csv(text, columns, options);
    }
    return failure(ErrorKind::unsupported, "no such format");
  };
  Result<Imported> imported = read();
  if (!imported) return failure(imported.error().kind, "'" + path.string() + "': " + imported.error().message);
  return imported;
}

}  // namespace assay::inline v0
