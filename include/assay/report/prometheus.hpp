#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "assay/core/result.hpp"
#include "assay/core/run.hpp"

/// Samples as Prometheus and OpenMetrics read them.
namespace assay::inline v0 {

/// Values that go up and down, or that count since a start.
enum class MetricKind : std::uint8_t { gauge, counter };

/// A value of one thing. What was not measured is absent: the sample is left out, never written as NaN, which no
/// threshold of an alert would hold for.
struct MetricSample {
  std::map<std::string, std::string> labels;  ///< name → value
  std::optional<double> value;
};

/// Samples of one name.
struct MetricFamily {
  std::string name;  ///< with its unit, and "_total" of a counter: assay_device_energy_joules_total
  MetricKind kind = MetricKind::gauge;
  std::string unit;  ///< a base unit in the plural, which the name holds: seconds, bytes, joules, …; empty: none
  std::string help;  ///< one sentence
  std::vector<MetricSample> samples;
  bool presence = false;  ///< write also NAME_present: 1 where there is a value, 0 where there is none
};

/// Which form.
enum class MetricForm : std::uint8_t {
  prometheus,   ///< text format 0.0.4: textfile collectors, every version of Prometheus
  open_metrics  ///< OpenMetrics 1.0, which ends in # EOF
};

/// What HTTP says of the form.
[[nodiscard]] constexpr const char* content_type(MetricForm form) noexcept {
  return form == MetricForm::prometheus ? "text/plain; version=0.0.4; charset=utf-8"
                                        : "application/openmetrics-text; version=1.0.0; charset=utf-8";
}

/// The families as text, samples in the order given; values that are NaN or infinite are left out as absent ones are.
/// Errors `invalid`, naming the family: a name or label that the form does not allow, a counter without "_total" or
/// with a negative value, a gauge with "_total", a unit that is no base unit or not in the name, no help, a family or a
/// set of labels twice (readers keep the first of them, and tell nobody). O(samples · log samples).
[[nodiscard]] Result<std::string> metrics_text(const std::vector<MetricFamily>& families,
                                               MetricForm form = MetricForm::prometheus);

/// Writes a file for node_exporter's textfile collector, whole or not at all. Errors: as `metrics_text`; `invalid`
/// where the name does not end in ".prom" (the collector reads no others); as `write_file`.
[[nodiscard]] Result<void> write_metrics(const std::vector<MetricFamily>& families, const std::filesystem::path& path);

/// A run: assay_run_outcomes by verdict, planned cases, duration, exit code, and assay_case_failed{case} of each
/// that failed or erred, `most_cases` at most. `labels` are added to every sample.
[[nodiscard]] std::vector<MetricFamily> run_metrics(const Run& run,
                                                    const std::map<std::string, std::string>& labels = {},
                                                    std::size_t most_cases = 100);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/report/prometheus.ipp"
#endif
