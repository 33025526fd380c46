#pragma once

#include "assay/performance/import_results.hpp"

#include "assay/core/config.hpp"
#include "assay/core/lower_case.hpp"
#include "assay/report/xml_element.hpp"

namespace assay::inline v0 {

namespace detail {

ASSAY_DETAIL_HEADER_INLINE Result<std::string> utf8_text(std::string text) {
  if (text.starts_with("\xEF\xBB\xBF")) return text.substr(3);
  const bool little = text.starts_with("\xFF\xFE"), big = text.starts_with("\xFE\xFF");
  if (!little && !big) return text;
  const auto unit = [&](std::size_t at) {
    const auto low = static_cast<unsigned char>(text[at + (little ? 0 : 1)]),
               high = static_cast<unsigned char>(text[at + (little ? 1 : 0)]);
    return static_cast<std::uint32_t>(high << 8 | low);
  };
  if (text.size() % 2 != 0) return failure(ErrorKind::malformed, "it is UTF-16 with half a character at its end");
  std::string decoded;
  for (std::size_t at = 2; at < text.size(); at += 2) {
    std::uint32_t code = unit(at);
    if (code >= 0xD800 && code < 0xE000) {
      const std::uint32_t low = code < 0xDC00 && at + 4 <= text.size() ? unit(at + 2) : 0;
      if (low < 0xDC00 || low >= 0xE000)
        return failure(ErrorKind::malformed, "it is UTF-16 with half a pair at byte " + std::to_string(at));
      code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
      at += 2;
    }
    append_character(decoded, code);
  }
  return decoded;
}

ASSAY_DETAIL_HEADER_INLINE std::string what_else_it_is(std::string_view text) {
  const auto begins = [&](std::string_view part) { return text.substr(0, part.size()) == part; };
  if (begins("version https://git-lfs.github.com/spec/"))
    return "a pointer of Git LFS, whose file was not fetched; run git lfs pull";
  const std::string head = lower_case(text.substr(0, 200));
  if (head.find("<!doctype html") != head.npos || head.find("<html") != head.npos)
    return "an HTML page, as a server sends in place of a file that one has to log in for; fetch the file itself";
  if (begins("\x1F\x8B")) return "compressed by gzip; unpack it first";
  if (begins("PK\x03\x04")) return "a ZIP archive; unpack it first";
  if (begins("SQLite format 3")) return "an SQLite database, and no file of results; a history is named as such";
  if (begins("{\"schema\":\"assay-history/"))
    return "a history of Assay; assay history export and import of CSV merge histories";
  return {};
}

/// Which of the forms of JSON.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::optional<ResultsFormat> json_results_format(std::string_view text) {
  const auto has = [&](std::string_view part) { return text.find(part) != std::string_view::npos; };
  if (has("\"machine_info\"") && has("\"benchmarks\"")) return ResultsFormat::pytest_benchmark;
  if (has("\"context\"") && has("\"benchmarks\"")) return ResultsFormat::google_benchmark;
  if (has("\"devices\"") && has("\"benchmarks\"")) return ResultsFormat::nvbench;
  if (has("\"primaryMetric\"") && has("\"benchmark\"")) return ResultsFormat::jmh;
  if (has("\"out_of_place\"") && has("\"results\"")) return ResultsFormat::nccl_tests_json;
  if (has("\"results\"") && has("\"command\"") && has("\"median\"")) return ResultsFormat::hyperfine;
  if (has("\"reason\"") && has("\"benchmark-complete\"")) return ResultsFormat::cargo_criterion;
  if ((has("\"sampling_mode\"") && has("\"iters\"")) || (has("\"point_estimate\"") && has("\"median_abs_dev\"")))
    return ResultsFormat::criterion;
  if (has("\"request_throughput\"") && has("\"total_input_tokens\"")) return ResultsFormat::vllm_bench;
  if (has("\"request_throughput\"") && has("\"unit\"") && has("\"avg\"")) return ResultsFormat::aiperf;
  return std::nullopt;
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE std::optional<ResultsFormat> results_format(std::string_view text) {
  const auto has = [&](std::string_view part) { return text.find(part) != std::string_view::npos; };
  const std::size_t first = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  if (first == std::string_view::npos || !detail::what_else_it_is(text).empty()) return std::nullopt;
  if (text[first] == '{' || text[first] == '[') return detail::json_results_format(text);
  if (text[first] == '<')
    return has("<Catch2TestRun") || (has("<Catch") && has("<BenchmarkResults")) ? std::optional(ResultsFormat::catch2)
                                                                                : std::nullopt;
  const bool table = has("algbw") && has("busbw") && has("size");
  if (text[first] == '#' && table) return ResultsFormat::nccl_tests;
  if (has("MLPerf Results Summary")) return ResultsFormat::loadgen;
  if (has("name,iterations,real_time,cpu_time,")) return ResultsFormat::google_benchmark_csv;
  const bool go_head = text.substr(first).starts_with("goos:") || text.substr(first).starts_with("pkg:") ||
                       text.substr(first).starts_with("Benchmark");
  if (has(" ns/op") || (go_head && has("Benchmark") && has("/op"))) return ResultsFormat::go_benchmark;
  if (table && has("\n#")) return ResultsFormat::nccl_tests;  // behind lines of a launcher
  return ResultsFormat::csv;
}

ASSAY_DETAIL_HEADER_INLINE Result<Imported> import_results(const std::filesystem::path& path,
                                                           const ImportOptions& options, const CsvColumns& columns) {
  Result<std::string> whole = read_file(path, "a file of results, as JSON, XML, CSV or text");
  if (!whole) return whole.propagate();
  const std::string named = "'" + path.string() + "'";
  Result<std::string> decoded = detail::utf8_text(std::move(whole).value());
  if (!decoded) return failure(decoded.error().kind, named + ": " + decoded.error().message);
  const std::string& text = decoded.value();
  if (const std::string other = detail::what_else_it_is(text); !other.empty())
    return failure(ErrorKind::unsupported, named + " is " + other);
  const auto format = results_format(text);
  if (!format)
    return failure(ErrorKind::unsupported,
                   named + " begins with '" + clipped(visible(std::string_view(text).substr(0, 120)), 40) +
                       "' and has what none of the forms has that are read: Google Benchmark, nvbench, "
                       "pytest-benchmark, hyperfine, JMH, criterion, nccl-tests, vllm bench, AIPerf (JSON), Catch2 "
                       "(XML), go test -bench, nccl-tests, LoadGen (text), CSV");
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
  const auto read = [&]() -> Result<Imported> {
    switch (*format) {
      case ResultsFormat::google_benchmark: return import_google_benchmark(text, options);
      case ResultsFormat::nvbench: return import_nvbench(text, options, folder);
      case ResultsFormat::pytest_benchmark: return import_pytest_benchmark(text, options);
      case ResultsFormat::csv: return import_csv(text, columns, options);
      case ResultsFormat::hyperfine: return import_hyperfine(text, options);
      case ResultsFormat::jmh: return import_jmh(text, options);
      case ResultsFormat::criterion: return import_criterion(text, options, folder);
      case ResultsFormat::cargo_criterion: return import_cargo_criterion(text, options);
      case ResultsFormat::nccl_tests_json: return import_nccl_tests_json(text, options);
      case ResultsFormat::nccl_tests: return import_nccl_tests(text, options, path.stem().string());
      case ResultsFormat::vllm_bench: return import_vllm_bench(text, options);
      case ResultsFormat::aiperf: return import_aiperf(text, options);
      case ResultsFormat::go_benchmark: return import_go_benchmark(text, options);
      case ResultsFormat::loadgen: return import_loadgen(text, options);
      case ResultsFormat::catch2: return import_catch2(text, options);
      case ResultsFormat::google_benchmark_csv: return import_google_benchmark_csv(text, options);
    }
    return failure(ErrorKind::unsupported, "no such format");
  };
  Result<Imported> imported = read();
  if (!imported) return failure(imported.error().kind, named + ": " + imported.error().message);
  return imported;
}

}  // namespace assay::inline v0
