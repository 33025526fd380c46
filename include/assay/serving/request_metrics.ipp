#pragma once

#include "assay/serving/request_metrics.hpp"

#include <algorithm>
#include <cmath>

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE RequestMetrics request_metrics(const RequestRecord& record, const TokenCounter& counter) {
  RequestMetrics metrics;
  metrics.tokens = count_tokens(record, counter);
  metrics.client_delay = static_cast<double>(record.started_ns - record.scheduled_ns) * 1e-9;
  const auto since_scheduled = [&](std::int64_t time) {
    return static_cast<double>(time - record.scheduled_ns) * 1e-9;
  };
  std::optional<std::int64_t> first, last;
  double in_first = 0, sum = 0;
  std::size_t output = 0;
  for (const AnswerEvent& event : record.events) {
    if (!is_output(event.kind)) continue;
    const double tokens = metrics.tokens.per_event[output++];
    sum += tokens;
    metrics.shared_reads += event.shared_read ? 1 : 0;
    if (event.kind != AnswerEventKind::reasoning && !metrics.first_answer_token)
      metrics.first_answer_token = since_scheduled(event.time_ns);
    if (!first) {
      first = event.time_ns;
      in_first = tokens;
      metrics.first_kind = event.kind;
      metrics.first_is_bound = event.shared_read;
    } else {
      const double gap = static_cast<double>(event.time_ns - *last) * 1e-9;
      metrics.event_gaps.push_back(gap);
      // Of estimated shares the sum is rounded, so that no token is made or lost.
      const auto whole = static_cast<std::size_t>(std::max(0.0, std::round(sum) - std::round(sum - tokens)));
      metrics.token_gaps.insert(metrics.token_gaps.end(), whole, whole > 0 ? gap / static_cast<double>(whole) : gap);
    }
    last = event.time_ns;
  }
  if (record.end_ns != 0) metrics.whole = since_scheduled(record.end_ns);
  metrics.served = record.end == RequestEnd::complete && first.has_value();
  if (!first) return metrics;
  metrics.first_token = since_scheduled(*first);
  metrics.end_to_end = since_scheduled(*last);
  const double decoding = static_cast<double>(*last - *first) * 1e-9;
  if (metrics.tokens.total >= 2) metrics.per_token = decoding / static_cast<double>(metrics.tokens.total - 1);
  if (const double later = sum - in_first; later > 0.5 && decoding > 0) {
    metrics.per_later_token = decoding / later;
    metrics.output_speed = later / decoding;
  }
  return metrics;
}

ASSAY_DETAIL_HEADER_INLINE bool keeps(const RequestMetrics& metrics, const ServiceLevel& level) {
  const auto within = [](const std::optional<double>& value, const std::optional<double>& most) {
    return !most || !value || *value <= *most;
  };
  return metrics.served && within(metrics.first_token, level.first_token) &&
         within(metrics.per_token, level.per_token) && within(metrics.end_to_end, level.end_to_end) &&
         (!level.longest_gap || metrics.longest_gap() <= *level.longest_gap);
}

}  // namespace assay::inline v0
