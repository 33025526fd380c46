#pragma once

#include "assay/io/detail/npy_header.hpp"

#include <algorithm>
#include <cstring>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

/// The element type that a dtype string such as "<f4" names.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE Result<NpyType> parse_npy_type(std::string_view description,
                                                                        bool& big_endian) {
  const std::string quoted = "dtype '" + std::string(description) + "'";
  const char order = description.empty() ? '\0' : description.front();
  const bool ordered = order == '<' || order == '>' || order == '|' || order == '=';
  const std::string_view rest = description.substr(ordered ? 1 : 0);
  if (rest.empty()) return failure(ErrorKind::malformed, quoted + " names no type; expected e.g. '<f4'");
  if (rest.front() == 'O')
    return failure(
        ErrorKind::unsupported,
        quoted + " holds pickled Python objects, which are never loaded; convert to numbers first: .astype('<f4')");
  Index size = 0;
  for (const char digit : rest.substr(1)) {
    if (digit < '0' || digit > '9' || size > 1'000'000)
      return failure(ErrorKind::unsupported, quoted + " is not a plain number type; convert first: .astype('<f4')");
    size = 10 * size + (digit - '0');
  }
  const auto one_of = [&](std::initializer_list<Index> sizes) {
    for (const Index allowed : sizes)
      if (size == allowed) return true;
    return false;
  };
  NpyType type{NpyKind::raw, static_cast<std::size_t>(size)};
  bool known = false;
  switch (rest.front()) {
    case 'b': type.kind = NpyKind::boolean, known = size == 1; break;
    case 'i': type.kind = NpyKind::signed_integer, known = one_of({1, 2, 4, 8}); break;
    case 'u': type.kind = NpyKind::unsigned_integer, known = one_of({1, 2, 4, 8}); break;
    case 'f':  // "<f1" is what numpy writes of ml_dtypes' float8_e5m2: which format it is, the caller has to know
      type.kind = size == 1 ? NpyKind::raw : NpyKind::floating, known = one_of({1, 2, 4, 8});
      break;
    case 'V': known = size > 0; break;
    default: break;
  }
  if (!known)
    return failure(ErrorKind::unsupported, quoted +
                                               " is not supported; f2, f4, f8, i1 to i8, u1 to u8, b1 and V (raw "
                                               "bytes) are: convert first, e.g. .astype('<f4')");
  big_endian = order == '>' && size > 1;
  if (big_endian && type.kind == NpyKind::raw)
    return failure(ErrorKind::unsupported, quoted +
                                               " is raw bytes in big-endian order, of which nobody knows what to "
                                               "turn around; save it from a little-endian array");
  if (order != '<' && !big_endian && size > 1 && type.kind != NpyKind::raw)
    return failure(ErrorKind::malformed,
                   quoted + " does not say its byte order; expected '<" + std::string(rest) + "'");
  return type;
}

ASSAY_DETAIL_HEADER_INLINE Result<NpyHeader> NpyHeaderParser::parse() {
  NpyHeader header;
  bool seen_type = false, seen_order = false, seen_shape = false;
  if (!take('{')) return unexpected("'{'");
  while (!take('}')) {
    const auto key = string();
    if (!key) return key.propagate();
    if (!take(':')) return unexpected("':'");
    bool* seen = key.value() == "descr"           ? &seen_type
                 : key.value() == "fortran_order" ? &seen_order
                 : key.value() == "shape"         ? &seen_shape
                                                  : nullptr;
    if (seen == nullptr)
      return failure(ErrorKind::malformed, "the header has the key '" + std::string(key.value().substr(0, 40)) +
                                               "'; only descr, fortran_order and shape are allowed");
    if (*seen) return failure(ErrorKind::malformed, "the header has the key '" + std::string(key.value()) + "' twice");
    *seen = true;
    Result<void> done;
    if (seen == &seen_type) done = type(header);
    if (seen == &seen_order) done = order(header.column_major);
    if (seen == &seen_shape) done = shape(header.shape);
    if (!done) return done.propagate();
    if (take(',')) continue;
    if (!take('}')) return unexpected("',' or '}'");
    break;
  }
  skip_space();
  if (position_ != text_.size()) return unexpected("spaces up to the end of the header");
  if (!seen_type || !seen_order || !seen_shape)
    return failure(ErrorKind::malformed, std::string("the header lacks the key '") +
                                             (!seen_type    ? "descr"
                                              : !seen_order ? "fortran_order"
                                                            : "shape") +
                                             "'");
  return sized(std::move(header));
}

ASSAY_DETAIL_HEADER_INLINE Failure NpyHeaderParser::unexpected(const std::string& wanted) {
  skip_space();
  std::string found;
  for (const char c : text_.substr(position_, 16)) found += c >= ' ' && c <= '~' ? c : '?';
  return failure(ErrorKind::malformed, "the header cannot be read at byte " + std::to_string(position_) +
                                           ": expected " + wanted + ", found " + (found.empty() ? "its end" : found));
}

ASSAY_DETAIL_HEADER_INLINE Result<std::string_view> NpyHeaderParser::string() {
  const char quote = peek();
  if (quote != '\'' && quote != '"') return unexpected("a quoted string");
  const std::size_t begin = position_ + 1;
  const std::size_t end = text_.find(quote, begin);
  if (end == std::string_view::npos) return unexpected("a string that is closed");
  const std::string_view content = text_.substr(begin, end - begin);
  for (const char c : content)
    if (c < ' ' || c > '~' || c == '\\') return unexpected("a string of plain ASCII characters");
  position_ = end + 1;
  return content;
}

ASSAY_DETAIL_HEADER_INLINE Result<void> NpyHeaderParser::type(NpyHeader& header) {
  if (peek() == '[' || peek() == '(')
    return failure(ErrorKind::unsupported,
                   "a structured dtype is not supported; save each field as an array of its own: array['field']");
  const auto description = string();
  if (!description) return description.propagate();
  const auto parsed = parse_npy_type(description.value(), header.big_endian);
  if (!parsed) return parsed.propagate();
  header.type = parsed.value();
  return {};
}

ASSAY_DETAIL_HEADER_INLINE Result<void> NpyHeaderParser::shape(std::vector<Index>& shape) {
  if (!take('(')) return unexpected("'(' of a shape");
  bool comma = true;
  while (!take(')')) {
    if (!comma) return unexpected("',' or ')'");
    const auto extent = integer();
    if (!extent) return extent.propagate();
    shape.push_back(extent.value());
    comma = take(',');
  }
  if (shape.size() == 1 && !comma)
    return failure(ErrorKind::malformed, "the shape is a number in parentheses; one dimension is written \"(3,)\"");
  return {};
}

ASSAY_DETAIL_HEADER_INLINE Result<Index> NpyHeaderParser::integer() {
  const bool negative = take('-');
  if (const char first = peek(); first < '0' || first > '9') return unexpected("an extent");
  const std::size_t begin = position_;
  while (position_ < text_.size() && text_[position_] >= '0' && text_[position_] <= '9') ++position_;
  const std::string digits(text_.substr(begin, position_ - begin));
  if (position_ < text_.size() && text_[position_] == 'L') ++position_;  // Python 2 wrote it so
  if (negative)
    return failure(ErrorKind::malformed,
                   "the shape has the extent -" + digits.substr(0, 40) + "; extents are 0 or more");
  Index value = 0;
  for (const char digit : digits) {
    const Index next = checked_product(value, 10);
    if (next < 0 || next > INT64_MAX - (digit - '0'))
      return failure(ErrorKind::malformed, "the shape has the extent " + digits.substr(0, 40) +
                                               (digits.size() > 40 ? "…" : "") + ", beyond 2^63 − 1");
    value = next + (digit - '0');
  }
  return value;
}

ASSAY_DETAIL_HEADER_INLINE Result<NpyHeader> NpyHeaderParser::sized(NpyHeader header) {
  Index product = 1;
  bool empty = false;
  for (const Index extent : header.shape) {
    if (extent == 0)
      empty = true;
    else
      product = checked_product(product, extent);
    if (product < 0) break;
  }
  const Index bytes = product < 0 ? -1 : checked_product(product, static_cast<Index>(header.type.size));
  if (bytes < 0)
    return failure(ErrorKind::malformed,
                   "the shape's product, in bytes of " + header.type.description() + ", exceeds 2^63 − 1");
  header.data_bytes = empty ? 0 : bytes;
  return header;
}

ASSAY_DETAIL_HEADER_INLINE void arrange(const NpyHeader& header, std::vector<std::byte>& bytes) {
  const std::size_t size = header.type.size, count = bytes.size() / size;
  if (header.big_endian)
    for (std::size_t i = 0; i < count; ++i)
      std::reverse(bytes.begin() + static_cast<std::ptrdiff_t>(i * size),
                   bytes.begin() + static_cast<std::ptrdiff_t>((i + 1) * size));
  const std::size_t rank = header.shape.size();
  if (!header.column_major || rank < 2 || count == 0) return;
  std::vector<std::byte> turned(bytes.size());
  std::vector<std::size_t> strides(rank, 1), place(rank, 0);
  for (std::size_t d = 1; d < rank; ++d) strides[d] = strides[d - 1] * static_cast<std::size_t>(header.shape[d - 1]);
  std::size_t from = 0;
  for (std::size_t to = 0; to < count; ++to) {
    std::memcpy(turned.data() + to * size, bytes.data() + from * size, size);
    for (std::size_t d = rank; d-- > 0;) {
      from += strides[d];
      if (++place[d] < static_cast<std::size_t>(header.shape[d])) break;
      from -= strides[d] * place[d];
      place[d] = 0;
    }
  }
  bytes = std::move(turned);
}

ASSAY_DETAIL_HEADER_INLINE std::string npy_preamble(const NpyType& type, const std::vector<Index>& shape) {
  std::string header = "{'descr': '" + type.description() + "', 'fortran_order': False, 'shape': (";
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (d > 0) header += ", ";
    header += std::to_string(shape[d]);
  }
  header += shape.size() == 1 ? ",), }" : "), }";
  const auto padded = [&](std::size_t before) { return (before + header.size() + 1 + 63) / 64 * 64 - before; };
  const bool small = padded(10) <= 0xFFFF;
  const std::size_t length = padded(small ? 10 : 12);
  std::string preamble = std::string("\x93NUMPY") + (small ? '\1' : '\2') + '\0';
  for (int byte = 0; byte < (small ? 2 : 4); ++byte) preamble += static_cast<char>(length >> (8 * byte) & 0xFF);
  header.resize(length - 1, ' ');
  return preamble + header + '\n';
}

}  // namespace assay::inline v0::detail
