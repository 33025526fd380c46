#pragma once

#include <filesystem>
#include <string_view>

#include "assay/core/result.hpp"
#include "assay/performance/import_options.hpp"

/// Results that other tools write as JSON; a leaf (component `json`). Errors of all: `malformed`, with the place.
namespace assay::inline v0 {

/// `hyperfine --export-json`: "seconds" of a command, a sample a run; runs that ended with another code than 0 are left
/// out, and told. Parameters are the configuration. The form holds no time.
[[nodiscard]] Result<Imported> import_hyperfine(std::string_view text, const ImportOptions& options = {});

/// `-rf json` of the Java Microbenchmark Harness: a sample a measured iteration of all forks, parameters, threads and
/// mode the configuration. The form holds no time.
[[nodiscard]] Result<Imported> import_jmh(std::string_view text, const ImportOptions& options = {});

/// What criterion.rs leaves in `target/criterion/<benchmark>/new`: `sample.json`, a sample of "seconds" per measured
/// sample, or `estimates.json`, the median alone, with a note. The name is that of `benchmark.json` in `folder`, else
/// that of the folders. The form holds no time.
[[nodiscard]] Result<Imported> import_criterion(std::string_view text, const ImportOptions& options = {},
                                                const std::filesystem::path& folder = ".");

/// `cargo criterion --message-format=json`: lines, one a benchmark that was completed.
[[nodiscard]] Result<Imported> import_cargo_criterion(std::string_view text, const ImportOptions& options = {});

/// `-J FILE` of nccl-tests: "seconds", "algbw" and "busbw" of each size, type and operation, in and out of place. What
/// had wrong values is left out, and told.
[[nodiscard]] Result<Imported> import_nccl_tests_json(std::string_view text, const ImportOptions& options = {});

/// `vllm bench serve --save-result`: throughputs, and the means, medians and percentiles of times, of a model at a
/// request rate and concurrency.
[[nodiscard]] Result<Imported> import_vllm_bench(std::string_view text, const ImportOptions& options = {});

/// `profile_export_aiperf.json` of AIPerf, and what GenAI-Perf wrote before it: the average of each metric, and the
/// median and 99th percentile where there are such.
[[nodiscard]] Result<Imported> import_aiperf(std::string_view text, const ImportOptions& options = {});

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/performance/import_tool_json.ipp"
#endif
