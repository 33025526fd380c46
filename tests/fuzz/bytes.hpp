#pragma once

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>

namespace assay::fuzz {

/// Takes values off the front of the bytes; 0 when they are over.
class Bytes {
 public:
  explicit Bytes(std::string_view bytes) : bytes_(bytes) {}

  template <class T>
  T take() {
    T value{};
    const std::size_t count = std::min(sizeof value, bytes_.size());
    std::memcpy(&value, bytes_.data(), count);
    bytes_.remove_prefix(count);
    return value;
  }

  /// Up to the next NUL, which is taken, too.
  std::string take_text() {
    std::string text(bytes_.substr(0, bytes_.find('\0')));
    bytes_.remove_prefix(std::min(text.size() + 1, bytes_.size()));
    return text;
  }

  [[nodiscard]] std::string_view rest() const { return bytes_; }

 private:
  std::string_view bytes_;
};

}  // namespace assay::fuzz
