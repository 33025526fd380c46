#pragma once

#include "assay/serving/detail/answer_stream.hpp"

#include <charconv>
#include <utility>
#include <vector>

#include "assay/report/text.hpp"
#include "assay/serving/openai_answer.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE void AnswerStream::set_end(RequestEnd end, std::string reason) {
  if (over_) return;
  over_ = true;
  record_->end = end;
  record_->reason = std::move(reason);
}

ASSAY_DETAIL_HEADER_INLINE void AnswerStream::take_event(const StreamEvent& event, std::int64_t time_ns) {
  if (over_ || ended_by_mark_) return;
  if (event.comment) {
    AnswerEvent comment;
    comment.kind = AnswerEventKind::comment;
    comment.time_ns = time_ns;
    comment.text = event.data;
    record_->events.push_back(std::move(comment));
  } else if (!event.data.empty() && !take_stream_payload(event.data, time_ns, *record_)) {
    ended_by_mark_ = record_->done_mark;
    if (!ended_by_mark_) over_ = true;  // the record says why
  }
}

ASSAY_DETAIL_HEADER_INLINE void AnswerStream::take_body(std::int64_t time_ns) {
  if (!streamed_) return;
  std::vector<StreamEvent> events;
  const bool readable = events_.read(body_, events);
  body_.clear();
  // All but what the last event brought may have come before the time of the read's last segment.
  std::size_t last = record_->events.size();
  const std::size_t first = last;
  for (const StreamEvent& event : events) {
    last = record_->events.size();
    take_event(event, time_ns);
  }
  for (std::size_t i = first; i < last; ++i) record_->events[i].shared_read = true;
  if (!readable) set_end(RequestEnd::malformed, "an event of the stream never ended");
}

ASSAY_DETAIL_HEADER_INLINE bool AnswerStream::read(std::string_view bytes, std::int64_t time_ns) {
  bytes_ += bytes.size();
  const bool had_headers = http_.has_headers();
  const bool well = http_.read(bytes, body_);
  if (!had_headers && http_.has_headers()) {
    record_->status = http_.status();
    streamed_ =
        http_.status() / 100 == 2 && http_.header("content-type").find("text/event-stream") != std::string::npos;
    AnswerEvent headers;
    headers.kind = AnswerEventKind::headers;
    headers.time_ns = time_ns;
    headers.shared_read = !body_.empty();
    record_->events.push_back(std::move(headers));
  }
  take_body(time_ns);
  if (!well) set_end(RequestEnd::malformed, http_.error());
  if (bytes_ > most_bytes_)
    set_end(RequestEnd::malformed, "the answer is longer than " + std::to_string(most_bytes_) + " bytes");
  if (http_.done()) finish(time_ns);
  return !over_;
}

ASSAY_DETAIL_HEADER_INLINE void AnswerStream::end_of_connection(std::int64_t time_ns) {
  if (http_.end_of_connection()) return finish(time_ns);
  set_end(RequestEnd::truncated, http_.error());
}

ASSAY_DETAIL_HEADER_INLINE void AnswerStream::finish(std::int64_t time_ns) {
  if (keep_body_) record_->body = body_;
  if (http_.status() / 100 != 2) {
    const std::string wait = http_.header("retry-after");
    double seconds = 0;
    const auto [end, code] = std::from_chars(wait.data(), wait.data() + wait.size(), seconds);
    if (code == std::errc() && end == wait.data() + wait.size()) record_->retry_after = seconds;
    return set_end(RequestEnd::http_error,
                   "HTTP status " + std::to_string(http_.status()) + ": " + error_message_of(body_));
  }
  if (streamed_) {
    for (const StreamEvent& event : events_.finish()) take_event(event, time_ns);
  } else if (!over_ && !take_whole_answer(body_, time_ns, *record_)) {
    over_ = true;  // the record says why
  }
  judge_end();
}

ASSAY_DETAIL_HEADER_INLINE void AnswerStream::judge_end() {
  bool finished = record_->done_mark;
  for (const AnswerEvent& event : record_->events) finished = finished || event.kind == AnswerEventKind::finish;
  if (finished) return set_end(RequestEnd::complete, "");
  set_end(RequestEnd::truncated, "the answer ended without a finish reason and without an end mark");
}

}  // namespace assay::inline v0::detail
