#pragma once

#include <string>
#include <unordered_set>
#include <utility>

#include <nlohmann/json.hpp>

#include "assay/io/detail/safetensors_header.hpp"

namespace assay::inline v0::detail {

/// Builds the tensors' entries while the JSON text is read (nlohmann's interface for that), and stops at the first
/// thing that the format does not have: no tree is built of what a file claims.
class SafetensorsHeaderParser {
 public:
  using number_integer_t = nlohmann::json::number_integer_t;
  using number_unsigned_t = nlohmann::json::number_unsigned_t;
  using number_float_t = nlohmann::json::number_float_t;
  using string_t = nlohmann::json::string_t;
  using binary_t = nlohmann::json::binary_t;

  [[nodiscard]] Result<SafetensorsHeader> parse(const std::string& text, std::size_t data_bytes);

  bool null() { return unexpected("null"); }
  bool boolean(bool) { return unexpected("true or false"); }
  bool number_integer(number_integer_t value) { return unexpected("the number " + std::to_string(value)); }
  bool number_float(number_float_t, const string_t& text) {
    return unexpected("the number " + clipped(visible(text), 40));
  }
  bool binary(binary_t&) { return unexpected("binary data"); }

  bool number_unsigned(number_unsigned_t value);

  bool string(string_t& text);

  bool start_object(std::size_t);

  bool key(string_t& name);

  bool end_object();

  bool start_array(std::size_t);

  bool end_array() {
    if (place_ == Place::offsets && offsets_ != 2)
      return refuse(tensor() + "data_offsets has " + std::to_string(offsets_) + " numbers, expected two");
    place_ = Place::members;
    return true;
  }

  template <class Exception>
  bool parse_error(std::size_t position, const std::string& last, const Exception&) {
    return refuse("the header is not JSON in UTF-8: error at its byte " + std::to_string(position) + ", at '" +
                  clipped(visible(last), 40) + "'");
  }

 private:
  /// What stands next.
  enum class Place {
    start,
    tensors,
    metadata_start,
    metadata,
    metadata_value,
    tensor,
    members,
    type,
    shape,
    extents,
    offsets_start,
    offsets
  };

  [[nodiscard]] std::string tensor() const { return "tensor " + shown_name(entry_.name) + ": "; }

  bool refuse(std::string message, ErrorKind kind = ErrorKind::malformed) {
    error_ = {kind, std::move(message)};
    return false;
  }

  bool unexpected(const std::string& found);

  Place place_ = Place::start;
  SafetensorsHeader header_;
  SafetensorsEntry entry_;
  std::string key_;
  std::unordered_set<std::string> names_;
  bool has_type_ = false, has_shape_ = false, has_offsets_ = false;
  int offsets_ = 0;
  Error error_;
};

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/io/detail/safetensors_header_parser.ipp"
#endif
