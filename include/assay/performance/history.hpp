#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "assay/core/environment.hpp"
#include "assay/core/stable_sort.hpp"
#include "assay/performance/detail/canonical_text.hpp"
#include "assay/performance/detail/version_order.hpp"
#include "assay/performance/metric.hpp"
#include "assay/report/utc_time.hpp"

/// What was measured, run after run, for years: runs are appended to a store (history_jsonl.hpp, history_sqlite.hpp),
/// which gives them back as series.
namespace assay::inline v0 {

/// UTC, to the millisecond.
using UtcTime = detail::UtcTime;

/// "2025-01-02T03:04:05.678Z".
[[nodiscard]] inline std::string utc_time_text(UtcTime time) {
  return detail::utc_text(time);
}

/// Reads "2025-01-02T03:04:05" with or without a fraction, and "Z", an offset ("+02:00") or nothing, which is UTC.
/// Nothing for other texts.
[[nodiscard]] std::optional<UtcTime> parse_utc_time(std::string_view text);

/// When, of what, where and in which state one run measured: the same for all that it measured.
struct RunOrigin {
  UtcTime time{};                             ///< when the run began
  std::map<std::string, std::string> labels;  ///< of what was measured: "version", "commit", "build", "branch", …
  std::map<std::string, std::string> environment;  ///< `environment_summary`: "processor", "compiler", "devices", …
  std::map<std::string, std::string>
      clocks;  ///< `clock_summary`: frequency, governor, throttle events, and what could not be read

  /// The label of that name; empty where there is none.
  [[nodiscard]] std::string label(const std::string& name) const {
    const auto found = labels.find(name);
    return found == labels.end() ? std::string() : found->second;
  }
  friend bool operator==(const RunOrigin&, const RunOrigin&) = default;
};

namespace detail {

/// Samples in the unit `from` as such in `to`. Precondition: both are units of one quantity.
void convert(std::vector<double>& samples, std::string_view from, std::string_view to);

}  // namespace detail

/// What of an environment must be equal before numbers are compared; members that are empty are left out.
[[nodiscard]] std::map<std::string, std::string> environment_summary(const Environment& environment);

/// One metric of one subject in one run.
struct HistoryPoint {
  std::string name;                                  ///< of the benchmark
  std::map<std::string, std::string> configuration;  ///< what distinguishes its variants: shape, format, threads, …
  Metric metric;
};

/// All that one run measured: what is appended to a history, whole or not at all.
struct HistoryRun {
  RunOrigin origin;
  std::vector<HistoryPoint> points;
};

/// "name{k=v,…}/metric", the configuration in the order of its keys, without braces if there is none; special
/// characters as %XX. Distinct names, configurations and metrics have distinct keys.
[[nodiscard]] inline std::string series_key(std::string_view name,
                                            const std::map<std::string, std::string>& configuration,
                                            std::string_view metric) {
  std::string key = detail::escaped(name, "{}");
  if (!configuration.empty()) key += "{" + detail::canonical_text(configuration) + "}";
  return key + "/" + detail::escaped(metric, "/{}[]");
}

/// The samples of one metric in one run.
struct SeriesPoint {
  std::size_t run = 0;  ///< index into `History::runs`
  std::vector<double> samples;
  std::string note;  ///< what is to be known of the samples
};

/// One metric of one subject over all runs, in the unit of its first run: samples of a later run in another unit of the
/// same quantity are converted (`unit_ratio`). One whose unit became another quantity, or one that is not known, is
/// another series from then on, with the unit behind its key.
struct HistorySeries {
  std::string key;
  std::string name;                                  ///< of the metric
  std::map<std::string, std::string> configuration;  ///< what tells variants of a benchmark apart
  std::string metric;
  std::string unit;
  Direction direction = Direction::lower_is_better;
  std::vector<SeriesPoint> points;  ///< in the order in which they were appended
};

/// By what the points of a series are put in order.
enum class SeriesOrder { time, version };

/// Whether a run comes before another: by its time, or by its label "version" and then its time.
[[nodiscard]] bool is_before(const RunOrigin& first, const RunOrigin& second, SeriesOrder order);

/// Runs and the series that they make up. Move it; a copy copies every sample.
class History {
 public:
  std::vector<RunOrigin> runs;        ///< in the order in which they were appended
  std::vector<HistorySeries> series;  ///< in the order of their first points
  std::vector<std::string> warnings;  ///< what a reader of the store must know ("line 17 is torn, …")

  /// The index of the series that points of this kind belong to, made if it is absent. Amortized O(length of the key).
  /// Its unit may be another of the same quantity: multiply samples by `unit_ratio(unit, series[index].unit)`.
  std::size_t series_of(std::string_view name, const std::map<std::string, std::string>& configuration,
                        std::string_view metric, std::string_view unit, Direction direction);

  /// Adds a run with all its series. O(points · log series).
  void add(const HistoryRun& run) {
    runs.push_back(run.origin);
    for (const HistoryPoint& point : run.points) {
      HistorySeries& own = series[series_of(point.name, point.configuration, point.metric.name, point.metric.unit,
                                            point.metric.direction)];
      own.points.push_back({runs.size() - 1, point.metric.samples, point.metric.note});
      if (own.unit != point.metric.unit) detail::convert(own.points.back().samples, point.metric.unit, own.unit);
    }
  }

  /// The series of that key; null if there is none. Misuse after `series` was changed by hand.
  [[nodiscard]] const HistorySeries* find(const std::string& key) const {
    const auto found = by_key_.find(key);
    return found == by_key_.end() ? nullptr : &series[found->second];
  }

  /// Indices into `points` of a series, oldest first: by time, or by the label "version", in which digits count as
  /// numbers (550.9 < 550.54 < 550.54.1; 1.2-rc1 < 1.2), runs without it first; equals by time, then as appended. O(n
  /// log n).
  [[nodiscard]] std::vector<std::size_t> ordered(const HistorySeries& of, SeriesOrder order = SeriesOrder::time) const;

 private:
  std::unordered_map<std::string, std::size_t> by_key_;
};

/// Leaves out runs that say to the bit what an earlier one says, and warns of them: a run is evidence once. `name` is
/// that of the store. O(points).
void drop_repeated_runs(History& history, const std::string& name);

/// Nothing if a run can be kept. Error `invalid`: nothing was measured, a benchmark without a name, a metric twice of
/// one subject, a text that is not UTF-8, or as `check_metric`; the message names the point.
[[nodiscard]] Result<void> check_history_run(const HistoryRun& run);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/performance/history.ipp"
#endif
