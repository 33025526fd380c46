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
#include "assay/performance/import_tool_json.hpp"
#include "assay/performance/import_tool_text.hpp"
#include "assay/report/read_file.hpp"

/// Results of other people's benchmarks, from the files that they write.
namespace assay::inline v0 {

/// Reads what `--benchmark_out_format=json` of Google Benchmark 1.4 to 1.9 writes. Each repetition is a sample; of
/// aggregates, the median is taken where no repetitions are there, and a note says so. Real and processor time in
/// seconds, `bytes_per_second` and `items_per_second`, and counters whose direction `options` tells: the file does not
/// say whether a counter is a rate. Benchmarks with errors, skipped ones and values that are not finite are left out,
/// and told; labels (SetLabel) are not kept. Errors: `malformed`, with the place.
[[nodiscard]] inline Result<Imported> import_google_benchmark(std::string_view text,
                                                              const ImportOptions& options = {}) {
  return detail::read_json_document(text, "results of Google Benchmark", [&](const detail::JsonPlace& document) {
    return detail::GoogleBenchmarkReader(options).read(document);
  });
}

/// Reads what `--benchmark-json=FILE` and `--benchmark-save` of pytest-benchmark 3.1 to 5 write: the metric "seconds",
/// a sample a round, or, where the rounds were not written, their median, with a note. Parameters are the
/// configuration, where they are plain values. Errors: `malformed`, with the place.
[[nodiscard]] inline Result<Imported> import_pytest_benchmark(std::string_view text,
                                                              const ImportOptions& options = {}) {
  return detail::read_json_document(text, "results of pytest-benchmark", [&](const detail::JsonPlace& document) {
    return detail::PytestBenchmarkReader(options).read(document);
  });
}

/// Reads what `--json` and `--jsonbin` of nvbench write (its JSON form 1.x). Axes and device are the configuration;
/// `gpu_time` has the samples where `--jsonbin` wrote them (looked for beside the document, in `folder`), else their
/// mean, with a note; `cpu_time`, `batch_gpu_time` and rates are means. Skipped states are told. The form holds no
/// time: say it in `options`. Errors: `malformed`, with the place.
[[nodiscard]] inline Result<Imported> import_nvbench(std::string_view text, const ImportOptions& options = {},
                                                     const std::filesystem::path& folder = ".") {
  return detail::read_json_document(text, "results of nvbench", [&](const detail::JsonPlace& document) {
    return detail::NvbenchReader(options, folder).read(document);
  });
}

/// What files of results there are.
enum class ResultsFormat {
  google_benchmark,
  nvbench,
  pytest_benchmark,
  csv,
  hyperfine,
  jmh,
  criterion,
  cargo_criterion,
  nccl_tests_json,
  nccl_tests,
  vllm_bench,
  aiperf,
  go_benchmark,
  loadgen,
  catch2,
  google_benchmark_csv
};

/// Which of the formats a text is in, by what only one of them has; nothing if it has none of them.
[[nodiscard]] std::optional<ResultsFormat> results_format(std::string_view text);

namespace detail {

/// A text in UTF-8 without a byte order mark, from UTF-16 where its mark says so. Error `malformed`.
[[nodiscard]] Result<std::string> utf8_text(std::string text);

/// What a file is that holds no results of anything: a pointer of Git LFS, a page of a web server, an archive; empty if
/// nothing of the kind.
[[nodiscard]] std::string what_else_it_is(std::string_view text);

}  // namespace detail

/// Reads a file of results in any of the formats, in UTF-8 or UTF-16. Errors: as of `read_file`; `unsupported`: it is in none of them; or
/// as of the format; the message names the file.
[[nodiscard]] Result<Imported> import_results(const std::filesystem::path& path, const ImportOptions& options = {},
                                              const CsvColumns& columns = {});

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/performance/import_results.ipp"
#endif
