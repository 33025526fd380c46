#pragma once

#include "assay/serving/http_response_reader.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "assay/core/lower_case.hpp"
#include "assay/report/text.hpp"

namespace assay::inline v0 {
namespace detail {

inline std::string_view without_header_blanks(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

/// A whole text as a number; false where it is none.
inline bool whole_number(std::string_view text, std::uint64_t& value, int base = 10) {
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  return code == std::errc() && end == text.data() + text.size() && !text.empty();
}

inline constexpr std::size_t most_header_bytes = 256u << 10;

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE bool HttpResponseReader::refuse(std::string message) {
  state_ = State::broken;
  error_ = std::move(message);
  return false;
}

ASSAY_DETAIL_HEADER_INLINE bool HttpResponseReader::take_line(std::string_view& bytes, std::string& line) {
  const std::size_t end = bytes.find('\n');
  line_.append(bytes.substr(0, end));
  bytes.remove_prefix(end == std::string_view::npos ? bytes.size() : end + 1);
  if (end == std::string_view::npos) return false;
  if (!line_.empty() && line_.back() == '\r') line_.pop_back();
  line = std::exchange(line_, {});
  return true;
}

ASSAY_DETAIL_HEADER_INLINE bool HttpResponseReader::take_status(std::string_view line) {
  std::uint64_t status = 0;
  if (line.size() < 12 || line.substr(0, 7) != "HTTP/1." || line[8] != ' ' ||
      !detail::whole_number(line.substr(9, 3), status) || status < 100 || (line.size() > 12 && line[12] != ' '))
    return refuse("the server does not speak HTTP/1.1; it answered '" + clipped(visible(line), 60) + "'");
  status_ = static_cast<int>(status);
  old_version_ = line[7] == '0';
  headers_.clear();
  state_ = State::headers;
  return true;
}

ASSAY_DETAIL_HEADER_INLINE bool HttpResponseReader::take_header(std::string_view line) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos || colon == 0)
    return refuse("a line of the headers is none: '" + clipped(visible(line), 60) + "'");
  const std::string name = detail::lower_case(line.substr(0, colon)),
                    value(detail::without_header_blanks(line.substr(colon + 1)));
  const auto [found, added] = headers_.emplace(name, value);
  if (added) return true;
  if (name == "content-length" && found->second != value)
    return refuse("the headers tell two lengths: " + found->second + " and " + visible(value));
  found->second += ", " + value;
  if (name == "content-length") found->second = value;
  return true;
}

ASSAY_DETAIL_HEADER_INLINE bool HttpResponseReader::end_headers() {
  if (status_ < 200) {
    state_ = State::status;
    return true;
  }
  const std::string coding = detail::lower_case(header("transfer-encoding"));
  if (status_ == 204 || status_ == 304) {
    state_ = State::done;
  } else if (!coding.empty()) {
    if (coding != "chunked") return refuse("the transfer encoding is '" + visible(coding) + "'; only chunked is known");
    state_ = State::chunk_size;
  } else if (headers_.count("content-length") > 0) {
    if (!detail::whole_number(header("content-length"), left_))
      return refuse("the length is '" + visible(header("content-length")) + "', which is no number");
    state_ = left_ > 0 ? State::fixed : State::done;
  } else {
    state_ = State::until_end;
  }
  return true;
}

ASSAY_DETAIL_HEADER_INLINE bool HttpResponseReader::take_chunk_size(std::string_view line) {
  const std::string_view size = detail::without_header_blanks(line.substr(0, line.find(';')));
  if (!detail::whole_number(size, left_, 16))
    return refuse("the size of a chunk is '" + clipped(visible(line), 40) + "', which is no hexadecimal number");
  state_ = left_ > 0 ? State::chunk : State::trailers;
  return true;
}

ASSAY_DETAIL_HEADER_INLINE bool HttpResponseReader::take_body(std::string_view& bytes, std::string& body) {
  const auto count = state_ == State::until_end
                         ? bytes.size()
                         : static_cast<std::size_t>(std::min<std::uint64_t>(left_, bytes.size()));
  body.append(bytes.substr(0, count));
  bytes.remove_prefix(count);
  if (state_ == State::until_end) return true;
  left_ -= count;
  if (left_ == 0) state_ = state_ == State::chunk ? State::chunk_end : State::done;
  return true;
}

ASSAY_DETAIL_HEADER_INLINE bool HttpResponseReader::read_line(const std::string& line) {
  switch (state_) {
    case State::status: return line.empty() || take_status(line);
    case State::headers: return line.empty() ? end_headers() : take_header(line);
    case State::chunk_size: return take_chunk_size(line);
    case State::chunk_end:
      state_ = State::chunk_size;
      return line.empty() || refuse("a chunk is longer than it said: '" + clipped(visible(line), 40) + "' follows it");
    case State::trailers:
      if (line.empty()) state_ = State::done;
      return true;
    default: return true;
  }
}

ASSAY_DETAIL_HEADER_INLINE bool HttpResponseReader::read(std::string_view bytes, std::string& body) {
  if (state_ == State::broken) return false;
  while (!bytes.empty()) {
    if (state_ == State::done) return refuse(std::to_string(bytes.size()) + " bytes follow the end of the answer");
    if (state_ == State::fixed || state_ == State::chunk || state_ == State::until_end) {
      take_body(bytes, body);
      continue;
    }
    std::string line;
    const std::size_t before = bytes.size();
    const bool whole = take_line(bytes, line);
    if (!has_headers()) header_bytes_ += before - bytes.size();
    if (line_.size() > detail::most_header_bytes || header_bytes_ > detail::most_header_bytes)
      return refuse("the headers are longer than " + std::to_string(detail::most_header_bytes) + " bytes");
    // What is no HTTP is told by its first bytes, not when a line ends that never may.
    if (!whole && state_ == State::status && line_.size() >= 5 && line_.compare(0, 5, "HTTP/") != 0)
      return take_status(line_);
    if (whole && !read_line(line)) return false;
  }
  return true;
}

ASSAY_DETAIL_HEADER_INLINE bool HttpResponseReader::end_of_connection() {
  if (state_ == State::until_end) state_ = State::done;
  if (state_ == State::done || state_ == State::broken) return state_ == State::done;
  const char* missing = state_ == State::status    ? "before any answer"
                        : state_ == State::headers ? "within the headers"
                        : state_ == State::fixed   ? "before the length that the headers tell"
                                                   : "before the last chunk";
  return refuse(std::string("the connection ended ") + missing +
                (state_ == State::fixed ? ": " + std::to_string(left_) + " bytes are missing" : ""));
}

ASSAY_DETAIL_HEADER_INLINE bool HttpResponseReader::keeps_connection() const {
  const std::string connection = detail::lower_case(header("connection"));
  return done() && (old_version_ ? connection == "keep-alive" : connection.find("close") == std::string::npos) &&
         (headers_.count("content-length") > 0 || headers_.count("transfer-encoding") > 0);
}

}  // namespace assay::inline v0
