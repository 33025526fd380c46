#pragma once

#include "assay/serving/event_stream_reader.hpp"

#include <utility>

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE bool EventStreamReader::read(std::string_view bytes, std::vector<StreamEvent>& events) {
  while (!bytes.empty()) {
    if (after_return_) {
      after_return_ = false;
      if (bytes.front() == '\n') {
        bytes.remove_prefix(1);
        continue;
      }
    }
    const std::size_t end = bytes.find_first_of("\r\n");
    line_.append(bytes.substr(0, end));
    if (line_.size() + current_.data.size() > most_bytes_) return false;
    if (end == std::string_view::npos) return true;
    after_return_ = bytes[end] == '\r';
    bytes.remove_prefix(end + 1);
    end_line(events);
  }
  return true;
}

ASSAY_DETAIL_HEADER_INLINE void EventStreamReader::end_line(std::vector<StreamEvent>& events) {
  std::string_view line = line_;
  if (std::exchange(first_line_, false) && line.substr(0, 3) == "\xEF\xBB\xBF") line.remove_prefix(3);
  if (line.empty()) {
    if (any_) events.push_back(std::move(current_));
    current_ = {};
    any_ = false;
  } else {
    const std::size_t colon = line.find(':');
    const std::string_view field = line.substr(0, colon);
    std::string_view value = colon == std::string_view::npos ? std::string_view() : line.substr(colon + 1);
    if (!value.empty() && value.front() == ' ') value.remove_prefix(1);
    if (colon == 0) {
      events.push_back({std::string(value), {}, true});
    } else if (field == "data") {
      if (any_ && !current_.data.empty()) current_.data += '\n';
      current_.data += value;
      any_ = true;
    } else if (field == "event") {
      current_.event = value;
    }
  }
  line_.clear();
}

ASSAY_DETAIL_HEADER_INLINE std::vector<StreamEvent> EventStreamReader::finish() {
  std::vector<StreamEvent> events;
  if (!line_.empty()) end_line(events);
  end_line(events);
  return events;
}

}  // namespace assay::inline v0
