#pragma once

#include <string>
#include <string_view>

#include "assay/core/result.hpp"
#include "assay/performance/import_options.hpp"

/// Results that other tools write as text. None of these forms but LoadGen's need a library.
namespace assay::inline v0 {

/// What `go test -bench` prints: a sample a line, so that `-count=10` gives ten; the package, and "key=value" parts of
/// a subbenchmark's name, are the configuration, as is the count of processors behind its name ("procs"). Errors:
/// `malformed`: no line is a benchmark's.
[[nodiscard]] Result<Imported> import_go_benchmark(std::string_view text, const ImportOptions& options = {});

/// What the programs of nccl-tests print: "seconds", "algbw" and "busbw" of each size, type and operation, in and out of
/// place. What had wrong values is left out, and told. `name` is that of the program where the text does not say it.
/// Errors: `malformed`, with the line.
[[nodiscard]] Result<Imported> import_nccl_tests(std::string_view text, const ImportOptions& options = {},
                                                 const std::string& name = "nccl-tests");

/// `mlperf_log_summary.txt` of MLPerf's LoadGen: throughputs and latencies, with the scenario and the system as the
/// configuration. A result that is not VALID is left out, and told, as is a run in another mode than performance.
/// Errors: `malformed`.
[[nodiscard]] Result<Imported> import_loadgen(std::string_view text, const ImportOptions& options = {});

/// `-r xml` of Catch2: the mean of each benchmark, with a note, as samples are not in it; test cases and sections are
/// part of its name. Errors: `malformed`, with the line.
[[nodiscard]] Result<Imported> import_catch2(std::string_view text, const ImportOptions& options = {});

/// `--benchmark_format=csv` of Google Benchmark: as of its JSON, of which it has less.
/// Errors: `malformed`, with the line.
[[nodiscard]] Result<Imported> import_google_benchmark_csv(std::string_view text, const ImportOptions& options = {});

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/performance/import_tool_text.ipp"
#endif
