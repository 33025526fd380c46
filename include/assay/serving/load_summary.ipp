#pragma once

#include "assay/serving/load_summary.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "assay/core/misuse.hpp"
#include "assay/report/text.hpp"

namespace assay::inline v0 {
namespace detail {

/// (time, +1 or −1) of all requests that were sent, ends before beginnings of the same time.
inline std::vector<std::pair<std::int64_t, int>> load_steps(std::span<const RequestRecord> records) {
  std::vector<std::pair<std::int64_t, int>> steps;
  for (const RequestRecord& record : records) {
    if (record.sent_ns == 0 || record.end_ns < record.sent_ns) continue;
    steps.emplace_back(record.sent_ns, 1);
    steps.emplace_back(record.end_ns, -1);
  }
  std::sort(steps.begin(), steps.end());
  return steps;
}

inline double most_in_flight(const std::vector<std::pair<std::int64_t, int>>& steps) {
  int now = 0, most = 0;
  for (const auto& [time, step] : steps) most = std::max(most, now += step);
  return most;
}

inline void add_metric(LoadSummary& summary, std::string name, std::string unit, std::vector<double> samples,
                       double confidence) {
  if (samples.empty()) return;
  MetricSummary metric{std::move(name), std::move(unit), 0, std::move(samples), {}};
  std::sort(metric.sorted.begin(), metric.sorted.end());
  for (const double sample : metric.sorted) metric.mean += sample / static_cast<double>(metric.sorted.size());
  for (const double p : {0.25, 0.5, 0.9, 0.95, 0.99})
    metric.percentiles.push_back(latency_percentile(metric.sorted, p, confidence));
  summary.metrics.push_back(std::move(metric));
}

struct LoadSamples {
  std::vector<double> first, answer, per_token, per_later, gaps, token_gaps, end, speed, delay;
  void add(const RequestMetrics& metrics) {
    const auto keep = [](std::vector<double>& list, const std::optional<double>& value) {
      if (value) list.push_back(*value);
    };
    keep(first, metrics.first_token);
    keep(answer, metrics.first_answer_token);
    keep(per_token, metrics.per_token);
    keep(per_later, metrics.per_later_token);
    keep(end, metrics.end_to_end);
    keep(speed, metrics.output_speed);
    gaps.insert(gaps.end(), metrics.event_gaps.begin(), metrics.event_gaps.end());
    token_gaps.insert(token_gaps.end(), metrics.token_gaps.begin(), metrics.token_gaps.end());
  }
};

/// What arrived of a request within the window.
inline void count_within(LoadSummary& summary, const RequestRecord& record, const RequestMetrics& metrics, bool kept) {
  const LoadWindow& window = summary.window;
  const auto within = [&](std::int64_t time) { return time >= window.begin_ns && time <= window.end_ns; };
  std::size_t output = 0;
  for (const AnswerEvent& event : record.events) {
    if (!is_output(event.kind)) continue;
    if (output == 0 && within(event.time_ns))
      summary.input_tokens_per_second += static_cast<double>(record.usage.prompt.value_or(0));
    if (within(event.time_ns)) summary.output_tokens_per_second += metrics.tokens.per_event[output];
    ++output;
  }
  if (metrics.served && within(record.end_ns)) {
    summary.requests_per_second += 1;
    summary.goodput += kept ? 1 : 0;
  }
}

inline Table percentile_table(const LoadSummary& summary) {
  Table table{"What requests took (95 % intervals in brackets)", {"metric", "unit", "samples", "mean"}, {}};
  for (const char* p : {"p25", "p50", "p90", "p95", "p99"}) table.columns.emplace_back(p);
  for (const MetricSummary& metric : summary.metrics) {
    const double scale = metric.unit == "s" ? 1e3 : 1;
    std::vector<std::string> row{metric.name, metric.unit == "s" ? "ms" : metric.unit,
                                 std::to_string(metric.sorted.size()), number_text(metric.mean * scale, 4)};
    for (const LatencyPercentile& entry : metric.percentiles)
      row.push_back(number_text(entry.value * scale, 4) + " [" +
                    (std::isfinite(entry.lower) ? number_text(entry.lower * scale, 4) : "-") + ", " +
                    (std::isfinite(entry.upper) ? number_text(entry.upper * scale, 4) : "-") + "]");
    table.rows.push_back(std::move(row));
  }
  return table;
}

/// The empirical distribution at 101 points at most.
inline Series distribution_of(const MetricSummary& metric) {
  const double scale = metric.unit == "s" ? 1e3 : 1;
  Series series{"Share of " + metric.name + " up to",
                metric.name + (metric.unit == "s" ? ", ms" : ", " + metric.unit),
                "share",
                {}};
  const std::size_t last = metric.sorted.size() - 1, points = std::min<std::size_t>(last, 100);
  for (std::size_t i = 0; i <= points; ++i) {
    const std::size_t at = points == 0 ? 0 : i * last / points;
    series.points.emplace_back(metric.sorted[at] * scale, static_cast<double>(at + 1) / static_cast<double>(last + 1));
  }
  return series;
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE const MetricSummary* LoadSummary::metric(const std::string& name) const {
  for (const MetricSummary& entry : metrics)
    if (entry.name == name) return &entry;
  return nullptr;
}

ASSAY_DETAIL_HEADER_INLINE LoadWindow steady_window(std::span<const RequestRecord> records, double share) {
  expect(share > 0 && share <= 1, [] { return "steady_window() takes a share above 0, at most 1"; });
  const auto steps = detail::load_steps(records);
  const double least = share * detail::most_in_flight(steps);
  LoadWindow window;
  int now = 0;
  for (const auto& [time, step] : steps) {
    const bool was = now > 0 && now >= least, is = now + step > 0 && now + step >= least;
    now += step;
    if (is && window.begin_ns == 0) window.begin_ns = time;
    if (was) window.end_ns = time;
  }
  return window;
}

ASSAY_DETAIL_HEADER_INLINE LoadSummary summarize_load(std::span<const RequestRecord> records,
                                                      const LoadSummaryOptions& options) {
  LoadSummary summary;
  summary.requests = records.size();
  summary.window = options.window ? *options.window : steady_window(records);
  summary.most_in_flight = detail::most_in_flight(detail::load_steps(records));
  summary.level = options.level;
  detail::LoadSamples samples;
  double kept_requests = 0;
  for (const RequestRecord& record : records) {
    const RequestMetrics metrics = request_metrics(record, options.counter);
    const bool kept = keeps(metrics, options.level);
    kept_requests += kept ? 1 : 0;
    if (record.started_ns != 0) samples.delay.push_back(metrics.client_delay);
    summary.kernel_times = summary.kernel_times && (record.kernel_times || record.events.empty());
    detail::count_within(summary, record, metrics, kept);
    if (!metrics.served) {
      if (record.end == RequestEnd::complete) ++summary.empty;
      if (record.end != RequestEnd::complete) ++summary.ends[std::string(name_of(record.end))];
      continue;
    }
    ++summary.served;
    summary.tokens = std::max(summary.tokens, metrics.tokens.source);
    summary.first_bounds += metrics.first_is_bound ? 1 : 0;
    summary.shared_reads += metrics.shared_reads;
    summary.output_events += metrics.event_gaps.size() + 1;
    samples.add(metrics);
  }
  const double seconds = summary.window.seconds();
  for (double* rate : {&summary.output_tokens_per_second, &summary.input_tokens_per_second,
                       &summary.requests_per_second, &summary.goodput})
    *rate = seconds > 0 ? *rate / seconds : 0;
  if (!records.empty()) summary.kept_share = kept_requests / static_cast<double>(records.size());
  const auto add = [&](const char* name, std::vector<double>& list, const char* unit = "s") {
    detail::add_metric(summary, name, unit, std::move(list), options.confidence);
  };
  add("ttft", samples.first);
  add("ttfat", samples.answer);
  add("tpot", samples.per_token);
  add("tpot_later", samples.per_later);
  add("itl", samples.token_gaps);
  add("event_gap", samples.gaps);
  add("e2e", samples.end);
  add("output_speed", samples.speed, "tokens/s");
  add("client_delay", samples.delay);
  if (const MetricSummary* delay = summary.metric("client_delay");
      delay != nullptr && delay->percentiles.back().value > options.most_client_delay)
    summary.void_reason =
        "the client turned to 1 % of its requests more than " + number_text(delay->percentiles.back().value * 1e3, 3) +
        " ms late (at most " + number_text(options.most_client_delay * 1e3, 3) +
        " ms are allowed): it is saturated, and latencies are its own; use fewer streams or more cores";
  return summary;
}

ASSAY_DETAIL_HEADER_INLINE Outcome load_outcome(const LoadSummary& summary, const std::string& id, double least_kept) {
  Outcome outcome;
  outcome.id = "serving/" + id;
  outcome.labels["operation"] = "serving";
  outcome.measure("requests", static_cast<double>(summary.requests), "requests");
  outcome.measure("served", static_cast<double>(summary.served), "requests");
  outcome.measure("output_tokens_per_second", summary.output_tokens_per_second, "tokens/s");
  outcome.measure("input_tokens_per_second", summary.input_tokens_per_second, "tokens/s");
  outcome.measure("requests_per_second", summary.requests_per_second, "requests/s");
  outcome.measure("most_in_flight", summary.most_in_flight, "requests");
  outcome.measure("window_seconds", summary.window.seconds(), "s");
  if (summary.level.any()) {
    outcome.measure("goodput", summary.goodput, "requests/s");
    outcome.measure("kept_share", summary.kept_share);
  }
  for (const MetricSummary& metric : summary.metrics) {
    outcome.measure(metric.name + "_mean", metric.mean, metric.unit);
    for (const LatencyPercentile& entry : metric.percentiles)
      outcome.measure(metric.name + "_p" + number_text(entry.p * 100), entry.value, metric.unit);
    if (metric.name == "ttft" || metric.name == "itl" || metric.name == "e2e" || metric.name == "output_speed")
      outcome.series.push_back(detail::distribution_of(metric));
  }
  if (!summary.metrics.empty()) outcome.tables.push_back(detail::percentile_table(summary));
  outcome.derivation.push_back("tokens are counted by: " + std::string(name_of(summary.tokens)));
  outcome.derivation.push_back(
      "percentiles are x[⌊np⌋] of ascending samples, as LoadGen's; latencies count from the "
      "scheduled time");
  outcome.derivation.push_back("rates are of the " + number_text(summary.window.seconds(), 3) +
                               " s in which the load was steady");
  outcome.derivation.push_back(
      std::string("times of arrival are the ") + (summary.kernel_times ? "kernel's" : "client's") + "; " +
      std::to_string(summary.shared_reads) + " of " + std::to_string(summary.output_events) +
      " output events shared a read, " + std::to_string(summary.first_bounds) + " TTFTs are upper bounds therefore");
  std::string unserved = summary.empty > 0 ? std::to_string(summary.empty) + " empty" : "";
  for (const auto& [name, count] : summary.ends)
    unserved += (unserved.empty() ? "" : ", ") + std::to_string(count) + " " + name;
  outcome.verdict = Verdict::pass;
  if (!unserved.empty()) {
    outcome.verdict = Verdict::fail;
    outcome.reason = std::to_string(summary.requests - summary.served) + " of " + std::to_string(summary.requests) +
                     " requests were not served: " + unserved;
  } else if (!summary.void_reason.empty() || summary.served == 0) {
    outcome.verdict = Verdict::inconclusive;
    outcome.reason = summary.served == 0 ? "no request was made" : "the run is void: " + summary.void_reason;
  } else if (summary.level.any() && summary.kept_share < least_kept) {
    outcome.verdict = Verdict::fail;
    outcome.reason = "the service level was kept by " + number_text(100 * summary.kept_share, 4) +
                     " % of the requests; " + number_text(100 * least_kept, 4) + " % were to";
  }
  return outcome;
}

}  // namespace assay::inline v0
