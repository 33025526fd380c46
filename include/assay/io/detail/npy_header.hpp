#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "assay/io/npy_array.hpp"

namespace assay::inline v0::detail {

static_assert(std::endian::native == std::endian::little,
              "npy files are read and written as they lie in memory: little-endian machines only");

/// The three facts of an npy header.
struct NpyHeader {
  NpyType type;
  bool big_endian = false;    ///< the most significant byte of an element comes first
  bool column_major = false;  ///< Fortran order: the first dimension is the fastest
  std::vector<Index> shape;
  Index data_bytes = 0;
};

/// Reads the Python dictionary literal of an npy header, and nothing else: three known keys, each once, in any order.
class NpyHeaderParser {
 public:
  explicit NpyHeaderParser(std::string_view text) : text_(text) {}

  [[nodiscard]] Result<NpyHeader> parse();

 private:
  static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
  void skip_space() {
    while (position_ < text_.size() && is_space(text_[position_])) ++position_;
  }
  [[nodiscard]] char peek() {
    skip_space();
    return position_ < text_.size() ? text_[position_] : '\0';
  }
  [[nodiscard]] bool take(char wanted) {
    if (peek() != wanted || position_ == text_.size()) return false;
    ++position_;
    return true;
  }
  [[nodiscard]] bool take(std::string_view word) {
    skip_space();
    if (!text_.substr(position_).starts_with(word)) return false;
    position_ += word.size();
    return true;
  }
  [[nodiscard]] Failure unexpected(const std::string& wanted);

  [[nodiscard]] Result<std::string_view> string();

  [[nodiscard]] Result<void> type(NpyHeader& header);

  [[nodiscard]] Result<void> order(bool& column_major) {
    column_major = take("True");
    return column_major || take("False") ? Result<void>() : unexpected("True or False");
  }

  [[nodiscard]] Result<void> shape(std::vector<Index>& shape);

  [[nodiscard]] Result<Index> integer();

  /// Adds the byte count, which must fit 64 bits even where an extent is 0.
  [[nodiscard]] static Result<NpyHeader> sized(NpyHeader header);

  std::string_view text_;
  std::size_t position_ = 0;
};

/// The elements as they stand in a file, as those of an array: little-endian, the last dimension the fastest. O(bytes);
/// needs as much memory again for Fortran order. Precondition: as many bytes as the header says.
void arrange(const NpyHeader& header, std::vector<std::byte>& bytes);

/// What stands before the data: magic, version, length, and a header padded so that the data begins at a multiple of
/// 64. Version 1.0 where its 16-bit length suffices, else 2.0.
[[nodiscard]] std::string npy_preamble(const NpyType& type, const std::vector<Index>& shape);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/io/detail/npy_header.ipp"
#endif
