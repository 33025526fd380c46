#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "assay/serving/request_record.hpp"

/// Records of requests, written down by hand.
namespace assay::testing {

inline AnswerEvent event_at(double milliseconds, AnswerEventKind kind, std::string text = "",
                            std::uint64_t counted = 0) {
  AnswerEvent event;
  event.kind = kind;
  event.time_ns = 1'000'000'000 + static_cast<std::int64_t>(milliseconds * 1e6);
  event.text = std::move(text);
  event.counted = counted;
  return event;
}

/// Scheduled and sent at the same time, complete.
inline RequestRecord empty_record() {
  RequestRecord record;
  record.scheduled_ns = record.started_ns = record.sent_ns = 1'000'000'000;
  record.end_ns = 1'000'000'000 + 540'000'000;
  record.status = 200;
  record.kernel_times = true;
  return record;
}

/// The stream whose truth is known: role at 0 ms, a comment at 100, ten events of three tokens from 200 every 30 ms,
/// finish at 500, usage at 520, the end mark at 540.
inline RequestRecord golden_stream(bool counted_by_event) {
  RequestRecord record = empty_record();
  record.events.push_back(event_at(0, AnswerEventKind::role));
  record.events.push_back(event_at(100, AnswerEventKind::comment));
  for (unsigned i = 0; i < 10; ++i)
    record.events.push_back(event_at(200 + 30 * i, AnswerEventKind::text, "abc", counted_by_event ? 3 * (i + 1) : 0));
  record.events.push_back(event_at(500, AnswerEventKind::finish, "stop"));
  record.events.push_back(event_at(520, AnswerEventKind::usage));
  record.events.push_back(event_at(540, AnswerEventKind::done));
  record.usage.prompt = 9;
  record.usage.completion = 30;
  return record;
}

/// Complete, with one event of text.
inline RequestRecord answered(std::string prompt, std::string text, std::uint64_t id = 0) {
  RequestRecord record = empty_record();
  record.id = id;
  record.prompt = std::move(prompt);
  if (!text.empty()) record.events.push_back(event_at(10, AnswerEventKind::text, std::move(text)));
  record.events.push_back(event_at(11, AnswerEventKind::finish, "stop"));
  return record;
}

}  // namespace assay::testing
