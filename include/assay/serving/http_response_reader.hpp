#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

/// Reads one answer of HTTP/1.1 from bytes in pieces of any size: the status line, headers, and a body that is chunked, of a
/// known length, or lasts until the connection ends. Source: RFC 9112. Strict where a lenient reader would mistake a broken
/// answer for a whole one: two lengths, a chunk size that is no number, bytes behind the end.
class HttpResponseReader {
 public:
  /// Appends to `body` what `bytes` hold of it. False once the answer is broken: `error()` then says how. O(bytes).
  bool read(std::string_view bytes, std::string& body);

  /// To be called when the connection ends: whether the answer was whole then. `error()` says what is missing.
  bool end_of_connection();

  /// 0 until the status line was read. Informational answers (1xx) are passed over.
  [[nodiscard]] int status() const noexcept { return status_; }
  /// Whether all headers were read.
  [[nodiscard]] bool has_headers() const noexcept { return state_ != State::status && state_ != State::headers; }
  /// Whether the answer is whole.
  [[nodiscard]] bool done() const noexcept { return state_ == State::done; }
  /// The header of that name, in lower case; empty where there is none.
  [[nodiscard]] std::string header(const std::string& name) const {
    const auto found = headers_.find(name);
    return found == headers_.end() ? std::string() : found->second;
  }
  /// Whether another request may be sent on the connection.
  [[nodiscard]] bool keeps_connection() const;
  /// Why the answer is broken; empty while it is not.
  [[nodiscard]] const std::string& error() const noexcept { return error_; }

 private:
  enum class State : std::uint8_t {
    status,
    headers,
    fixed,
    chunk_size,
    chunk,
    chunk_end,
    trailers,
    until_end,
    done,
    broken
  };

  bool refuse(std::string message);
  bool take_line(std::string_view& bytes, std::string& line);
  bool take_status(std::string_view line);
  bool take_header(std::string_view line);
  bool end_headers();
  bool take_chunk_size(std::string_view line);
  bool take_body(std::string_view& bytes, std::string& body);
  bool read_line(const std::string& line);

  State state_ = State::status;
  int status_ = 0;
  bool old_version_ = false;
  std::string line_;
  std::size_t header_bytes_ = 0;
  std::map<std::string, std::string> headers_;
  std::uint64_t left_ = 0;
  std::string error_;
};

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/serving/http_response_reader.ipp"
#endif
