#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

/// One event of a stream, or a comment of it.
struct StreamEvent {
  std::string data;   ///< the lines of `data:`, joined by newlines; of a comment its text
  std::string event;  ///< of `event:`; empty where there was none
  bool comment = false;
};

/// Reads server-sent events from bytes in pieces of any size: lines end by line feed, carriage return or both, a piece may end within a
/// line, a line end or a character. Source: WHATWG HTML, "Server-sent events". Comments come out, since a client that
/// drops them cannot tell a silent server from one that says it lives.
class EventStreamReader {
 public:
  /// `most_bytes`: of an event, beyond which the stream is refused; a server that never ends a line is to fill no memory.
  explicit EventStreamReader(std::size_t most_bytes = 16u << 20) : most_bytes_(most_bytes) {}

  /// Appends the events that end within `bytes`. False once an event is too long. O(bytes).
  bool read(std::string_view bytes, std::vector<StreamEvent>& events);

  /// Whether something was begun that no empty line ended: the stream was cut, or its server forgot the empty line.
  [[nodiscard]] bool unfinished() const noexcept { return any_ || !line_.empty(); }
  /// What was begun, as if its end had come. Servers that end without the last empty line are common.
  [[nodiscard]] std::vector<StreamEvent> finish();

 private:
  void end_line(std::vector<StreamEvent>& events);

  std::size_t most_bytes_;
  std::string line_;
  StreamEvent current_;
  bool any_ = false;           ///< the event has a line that counts
  bool after_return_ = false;  ///< a \n that follows is part of the same line end
  bool first_line_ = true;     ///< may begin with a byte order mark
};

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/serving/event_stream_reader.ipp"
#endif
