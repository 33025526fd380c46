#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "assay/core/config.hpp"
#include "assay/serving/event_stream_reader.hpp"
#include "assay/serving/http_response_reader.hpp"
#include "assay/serving/request_record.hpp"

namespace assay::inline v0::detail {

/// The answer to one request, as bytes of it arrive: from HTTP and its body to the events of the record.
class AnswerStream {
 public:
  AnswerStream(RequestRecord& record, std::size_t most_bytes, bool keep_body)
      : record_(&record), most_bytes_(most_bytes), keep_body_(keep_body) {}

  /// What was read at once, with the time of its last segment. False once the answer is over, well or not.
  bool read(std::string_view bytes, std::int64_t time_ns);
  /// The connection ended.
  void end_of_connection(std::int64_t time_ns);

  /// Whether bytes of an answer came.
  [[nodiscard]] bool began() const noexcept { return bytes_ > 0; }
  /// Whether the end mark came, and only the end of the body is missing.
  [[nodiscard]] bool only_end_is_missing() const noexcept { return ended_by_mark_; }
  /// Whether the connection may serve another request.
  [[nodiscard]] bool reusable() const { return http_.keeps_connection() && record_->end == RequestEnd::complete; }

 private:
  void take_body(std::int64_t time_ns);
  void take_event(const StreamEvent& event, std::int64_t time_ns);
  void finish(std::int64_t time_ns);
  void judge_end();
  void set_end(RequestEnd end, std::string reason);

  RequestRecord* record_;
  std::size_t most_bytes_;
  bool keep_body_;
  std::size_t bytes_ = 0;
  HttpResponseReader http_;
  EventStreamReader events_;
  std::string body_;
  bool streamed_ = false;
  bool ended_by_mark_ = false;
  bool over_ = false;  ///< the record's end is decided
};

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/serving/detail/answer_stream.ipp"
#endif
