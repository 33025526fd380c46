#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay::inline v0 {

/// What one event of an answer carries. Only `text`, `reasoning` and `tool` are output: a role, a comment that keeps the
/// connection alive, or an empty delta is no token, however early it comes.
enum class AnswerEventKind : std::uint8_t {
  headers,    ///< the status line and the headers of the answer
  role,       ///< who speaks, without any text
  text,       ///< text of the answer
  reasoning,  ///< text of a chain of thought, told apart by the server
  tool,       ///< name or arguments of a tool call
  comment,    ///< a comment of the event stream
  empty,      ///< a delta that carries nothing
  finish,     ///< why the server stopped
  usage,      ///< token counts
  done,       ///< the end mark of the stream
  error       ///< an error in the middle of the stream
};

/// In the order of `AnswerEventKind`.
inline constexpr std::array<std::string_view, 11> answer_event_names{
    "headers", "role", "text", "reasoning", "tool", "comment", "empty", "finish", "usage", "done", "error"};
/// The name in files of events.
[[nodiscard]] constexpr std::string_view name_of(AnswerEventKind kind) noexcept {
  return answer_event_names[static_cast<std::size_t>(kind)];
}
/// Whether events of the kind are output of the model.
[[nodiscard]] constexpr bool is_output(AnswerEventKind kind) noexcept {
  return kind == AnswerEventKind::text || kind == AnswerEventKind::reasoning || kind == AnswerEventKind::tool;
}

/// One event of an answer, when it reached this machine.
struct AnswerEvent {
  AnswerEventKind kind = AnswerEventKind::text;
  std::int64_t time_ns = 0;   ///< on the clock of the whole record, which never goes back
  std::uint32_t choice = 0;   ///< which of several answers to one request
  bool shared_read = false;   ///< more came behind it in one read, which has one time: it may have arrived earlier
  std::uint64_t counted = 0;  ///< output tokens up to here by the server's word; 0: it said nothing with this event
  std::string text;           ///< what it carries, in UTF-8; of `error` the message, of `finish` the reason
};

/// How a request ended. Only `complete` answers count as served.
enum class RequestEnd : std::uint8_t {
  complete,      ///< the answer came whole: a finish reason or the end mark was seen, and the body ended as it said
  refused,       ///< no connection
  http_error,    ///< a status other than 2xx
  stream_error,  ///< an error in the middle of the stream
  truncated,     ///< the connection ended before the answer did
  malformed,     ///< what came is not what the protocol allows
  timed_out,     ///< the deadline passed
  canceled       ///< the run was stopped
};

/// In the order of `RequestEnd`.
inline constexpr std::array<std::string_view, 8> request_end_names{
    "complete", "refused", "http_error", "stream_error", "truncated", "malformed", "timed_out", "canceled"};
/// The name in reports and files of events.
[[nodiscard]] constexpr std::string_view name_of(RequestEnd end) noexcept {
  return request_end_names[static_cast<std::size_t>(end)];
}

/// Token counts by the server's word; empty where it did not say.
struct TokenUsage {
  std::optional<std::uint64_t> prompt;      ///< of the input
  std::optional<std::uint64_t> completion;  ///< of the output, reasoning included
  std::optional<std::uint64_t> cached;      ///< of the input, found in a prefix cache
  std::optional<std::uint64_t> reasoning;   ///< of the output
};

/// A request and its answer as timed events: all that metrics and checks are computed from. Times are in nanoseconds on
/// one monotonic clock.
struct RequestRecord {
  std::uint64_t id = 0;    ///< position in the run, from 0
  std::uint64_t user = 0;  ///< who asked: the slot of a closed loop, or the request itself
  std::string prompt;      ///< what names the prompt
  std::int64_t scheduled_ns =
      0;  ///< when it was to be sent: latencies count from here, so that a late client hides nothing
  std::int64_t started_ns = 0;  ///< when the client turned to it, before it connected
  std::int64_t sent_ns = 0;     ///< when its first byte was handed to the operating system; 0: never
  std::int64_t end_ns = 0;      ///< when nothing more was expected
  RequestEnd end = RequestEnd::complete;
  int status = 0;                     ///< of HTTP; 0: none came
  std::string reason;                 ///< why it did not complete, in one sentence
  std::uint32_t attempts = 1;         ///< connections that were tried: a server may close one that was kept open
  bool done_mark = false;             ///< the stream ended with its end mark
  bool kernel_times = false;          ///< event times were taken by the kernel, not by this program
  std::optional<double> retry_after;  ///< seconds for which the server asked not to come again
  std::uint64_t most_tokens = 0;      ///< output tokens that were asked for at most; 0: no limit was given
  TokenUsage usage;
  std::vector<AnswerEvent> events;
  std::string body;  ///< of an answer that was not streamed, as it came, where the client was told to keep it

  /// Why the server stopped a choice ("stop", "length", …); empty where it did not say. O(events).
  [[nodiscard]] std::string finish_reason(std::uint32_t choice = 0) const {
    for (const AnswerEvent& event : events)
      if (event.kind == AnswerEventKind::finish && event.choice == choice) return event.text;
    return {};
  }
  /// The reassembled text of a choice, of one kind of output. O(events).
  [[nodiscard]] std::string answer(std::uint32_t choice = 0, AnswerEventKind kind = AnswerEventKind::text) const {
    std::string text;
    for (const AnswerEvent& event : events)
      if (event.kind == kind && event.choice == choice) text += event.text;
    return text;
  }
  /// All output of a choice in its order: reasoning, text and tool calls. O(events).
  [[nodiscard]] std::string output(std::uint32_t choice = 0) const {
    std::string text;
    for (const AnswerEvent& event : events)
      if (is_output(event.kind) && event.choice == choice) text += event.text;
    return text;
  }
};

}  // namespace assay::inline v0
