#pragma once

#include "assay/performance/import_results.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE std::optional<ResultsFormat> results_format(std::string_view text) {
  const auto has = [&](std::string_view part) { return text.find(part) != std::string_view::npos; };
  const std::size_t first = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  if (first == std::string_view::npos) return std::nullopt;
  if (text[first] != '{')
    return text[first] != '[' && text[first] != '<' ? std::optional(ResultsFormat::csv) : std::nullopt;
  if (has("\"machine_info\"") && has("\"benchmarks\"")) return ResultsFormat::pytest_benchmark;
  if (has("\"context\"") && has("\"benchmarks\"")) return ResultsFormat::google_benchmark;
  if (has("\"devices\"") && has("\"benchmarks\"")) return ResultsFormat::nvbench;
  return std::nullopt;
}

ASSAY_DETAIL_HEADER_INLINE Result<Imported> import_results(const std::filesystem::path& path,
                                                           const ImportOptions& options, const CsvColumns& columns) {
  const Result<std::string> whole =
      read_file(path, "a file of Google Benchmark, nvbench or pytest-benchmark (JSON), or CSV");
  if (!whole) return whole.propagate();
  const std::string& text = whole.value();
  const auto format = results_format(text);
  if (!format)
    return failure(ErrorKind::unsupported,
                   "'" + path.string() + "' begins with '" +
                       clipped(visible(std::string_view(text).substr(0, 120)), 40) +
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
