#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "assay/core/config.hpp"
#include "assay/core/outcome.hpp"
#include "assay/serving/latency_percentile.hpp"
#include "assay/serving/request_metrics.hpp"

namespace assay::inline v0 {

/// From when until when a run is measured, in nanoseconds of the records' clock.
struct LoadWindow {
  std::int64_t begin_ns = 0, end_ns = 0;  ///< of the window
  /// Of the window.
  [[nodiscard]] double seconds() const noexcept { return static_cast<double>(end_ns - begin_ns) * 1e-9; }
};

/// The part of a run in which the server was as loaded as it was to be: from the first to the last moment at which at
/// least `share` of the most requests at any time were in flight. Ramp and tail, in which few users have the server for
/// themselves, stay out. O(n log n); empty where there are no records. Misuse: a share outside (0, 1].
[[nodiscard]] LoadWindow steady_window(std::span<const RequestRecord> records, double share = 0.9);

/// How a run is summed up.
struct LoadSummaryOptions {
  std::optional<LoadWindow> window;  ///< where throughput is counted; `steady_window` unless given
  ServiceLevel level;                ///< for goodput
  TokenCounter counter;              ///< a common tokenizer
  double confidence = 0.95;          ///< of intervals
  /// A client that sends later than this, in seconds, at its 99th percentile measures itself: the run is void.
  double most_client_delay = 0.01;
};

/// One metric over the requests of a run, in seconds or tokens a second.
struct MetricSummary {
  std::string
      name;  ///< "ttft", "ttfat", "tpot", "tpot_later", "itl", "event_gap", "e2e", "output_speed", "client_delay"
  std::string unit;                            ///< "s" or "tokens/s"
  double mean = 0;                             ///< in `unit`
  std::vector<double> sorted;                  ///< all samples, ascending
  std::vector<LatencyPercentile> percentiles;  ///< 25, 50, 90, 95, 99
};

/// What a run of many requests was.
struct LoadSummary {
  std::size_t requests = 0;
  std::size_t served = 0;                   ///< complete, with output
  std::size_t empty = 0;                    ///< said to be complete, without any output
  std::map<std::string, std::size_t> ends;  ///< how the others ended, by name
  LoadWindow window;                        ///< in which rates are counted
  double output_tokens_per_second = 0;      ///< output that arrived within the window
  double input_tokens_per_second = 0;  ///< prompts of what was answered first within the window; by the server's word
  double requests_per_second = 0;      ///< that ended within the window
  double goodput = 0;                  ///< those of them that kept the service level, a second
  double kept_share = 0;               ///< of all requests, those that failed included
  double most_in_flight = 0;           ///< requests at the same time
  TokenSource tokens = TokenSource::server_per_event;  ///< the weakest source that any request had
  std::size_t first_bounds = 0;                        ///< requests whose TTFT is an upper bound
  std::size_t shared_reads = 0;                        ///< output events without a time of their own
  std::size_t output_events = 0;                       ///< of served requests
  bool kernel_times = true;                            ///< of all records
  std::string void_reason;             ///< why the run measures the client and not the server; empty: it does not
  std::vector<MetricSummary> metrics;  ///< of served requests
  ServiceLevel level;                  ///< that goodput counts

  /// The metric of that name; nothing where no request had it.
  [[nodiscard]] const MetricSummary* metric(const std::string& name) const;
};

/// Percentiles are over all served requests, throughput over the window. O(n log n) in tokens.
[[nodiscard]] LoadSummary summarize_load(std::span<const RequestRecord> records,
                                         const LoadSummaryOptions& options = {});

/// The summary as an outcome `serving/<id>`: measurements, distributions as series, percentiles with their intervals.
/// `fail`: a request was not served, or the service level is not kept by `least_kept` of them; `inconclusive`: the run is
/// void, or nothing was served and nothing failed.
[[nodiscard]] Outcome load_outcome(const LoadSummary& summary, const std::string& id, double least_kept = 0.99);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/serving/load_summary.ipp"
#endif
