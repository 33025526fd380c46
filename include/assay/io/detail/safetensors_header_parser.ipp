#pragma once

#include "assay/io/detail/safetensors_header_parser.hpp"

#include <limits>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE Result<SafetensorsHeader> SafetensorsHeaderParser::parse(const std::string& text,
                                                                                    std::size_t data_bytes) {
  if (text.empty() || text.front() != '{')
    return failure(ErrorKind::malformed, "not a safetensors file: the header does not begin with '{'");
  if (const std::size_t zero = text.find('\0'); zero != std::string::npos)  // the library would take it for the end
    return failure(ErrorKind::malformed, "the header is not JSON: its byte " + std::to_string(zero) + " is 0");
  if (!nlohmann::json::sax_parse(text.begin(), text.end(), this)) return Failure{error_};
  if (const auto ordered = order_safetensors_entries(header_.entries, data_bytes); !ordered) return ordered.propagate();
  return std::move(header_);
}

ASSAY_DETAIL_HEADER_INLINE bool SafetensorsHeaderParser::number_unsigned(number_unsigned_t value) {
  if (place_ != Place::extents && place_ != Place::offsets) return unexpected("the number " + std::to_string(value));
  if (value > static_cast<number_unsigned_t>(std::numeric_limits<Index>::max()))
    return unexpected("the number " + std::to_string(value) + ", beyond 2^63 − 1");
  const auto number = static_cast<Index>(value);
  if (place_ == Place::extents) {
    entry_.shape.push_back(number);
    return true;
  }
  if (offsets_ == 2) return refuse(tensor() + "data_offsets has more than two numbers");
  (offsets_++ == 0 ? entry_.begin : entry_.end) = number;
  return true;
}

ASSAY_DETAIL_HEADER_INLINE bool SafetensorsHeaderParser::string(string_t& text) {
  if (place_ == Place::metadata_value) {
    header_.metadata[key_] = std::move(text);
    place_ = Place::metadata;
    return true;
  }
  if (place_ != Place::type) return unexpected("the string " + shown_name(text));
  const auto type = safetensors_type(text);
  if (!type) return refuse(tensor() + type.error().message, type.error().kind);
  entry_.type = type.value();
  place_ = Place::members;
  return true;
}

ASSAY_DETAIL_HEADER_INLINE bool SafetensorsHeaderParser::start_object(std::size_t) {
  switch (place_) {
    case Place::start: place_ = Place::tensors; return true;
    case Place::metadata_start: place_ = Place::metadata; return true;
    case Place::tensor: place_ = Place::members; return true;
    default: return unexpected("an object");
  }
}

ASSAY_DETAIL_HEADER_INLINE bool SafetensorsHeaderParser::key(string_t& name) {
  if (place_ == Place::tensors) {
    if (!names_.insert(name).second) return refuse("the name " + shown_name(name) + " stands in the header twice");
    if (name == "__metadata__") {
      place_ = Place::metadata_start;
      return true;
    }
    entry_ = {};
    entry_.name = std::move(name);
    has_type_ = has_shape_ = has_offsets_ = false;
    offsets_ = 0;
    place_ = Place::tensor;
    return true;
  }
  if (place_ == Place::metadata) {
    if (header_.metadata.count(name) > 0)
      return refuse("the name " + shown_name(name) + " stands in __metadata__ twice");
    key_ = std::move(name);
    place_ = Place::metadata_value;
    return true;
  }
  bool* present = nullptr;
  if (name == "dtype")
    present = &has_type_, place_ = Place::type;
  else if (name == "shape")
    present = &has_shape_, place_ = Place::shape;
  else if (name == "data_offsets")
    present = &has_offsets_, place_ = Place::offsets_start;
  else
    return refuse(tensor() + "unknown member " + shown_name(name) + "; the format has dtype, shape and data_offsets");
  if (*present) return refuse(tensor() + name + " is given twice");
  return *present = true;
}

ASSAY_DETAIL_HEADER_INLINE bool SafetensorsHeaderParser::end_object() {
  if (place_ == Place::members) {
    if (!has_type_ || !has_shape_ || !has_offsets_)
      return refuse(tensor() + (!has_type_ ? "dtype" : !has_shape_ ? "shape" : "data_offsets") + " is missing");
    const auto sound = check_safetensors_entry(entry_);
    if (!sound) return refuse(sound.error().message);
    header_.entries.push_back(std::move(entry_));
  }
  place_ = Place::tensors;  // of the outermost object, too: nothing can follow it
  return true;
}

ASSAY_DETAIL_HEADER_INLINE bool SafetensorsHeaderParser::start_array(std::size_t) {
  if (place_ == Place::shape)
    place_ = Place::extents;
  else if (place_ == Place::offsets_start)
    place_ = Place::offsets;
  else
    return unexpected("an array");
  return true;
}

ASSAY_DETAIL_HEADER_INLINE bool SafetensorsHeaderParser::unexpected(const std::string& found) {
  const std::string but_found = ", found " + found;
  switch (place_) {
    case Place::start:
    case Place::tensors: return refuse("expected one JSON object" + but_found);
    case Place::metadata_start: return refuse("__metadata__ must be an object of strings" + but_found);
    case Place::metadata:
    case Place::metadata_value:
      return refuse("__metadata__: the value of " + shown_name(key_) + " must be a string" + but_found);
    case Place::tensor:
    case Place::members: return refuse(tensor() + "expected an object with dtype, shape and data_offsets" + but_found);
    case Place::type: return refuse(tensor() + "dtype must be a string" + but_found);
    case Place::shape:
    case Place::extents:
      return refuse(tensor() + "shape must be an array of whole numbers from 0 to 2^63 − 1" + but_found);
    case Place::offsets_start:
    case Place::offsets:
      return refuse(tensor() + "data_offsets must be two whole numbers from 0 to 2^63 − 1" + but_found);
  }
  return false;
}

}  // namespace assay::inline v0::detail
