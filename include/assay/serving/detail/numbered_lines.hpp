#pragma once

#include <cstddef>
#include <string_view>

namespace assay::inline v0::detail {

/// Goes through the lines of a text, which must outlive it.
class NumberedLines {
 public:
  explicit NumberedLines(std::string_view text) noexcept : rest_(text) {}

  /// Takes the next line. Whether there was one.
  [[nodiscard]] bool next() noexcept {
    if (rest_.empty()) return false;
    const std::size_t end = rest_.find('\n');
    whole_ = end != std::string_view::npos;
    line_ = rest_.substr(0, end);
    rest_.remove_prefix(whole_ ? end + 1 : rest_.size());
    ++number_;
    return true;
  }
  [[nodiscard]] std::string_view line() const noexcept { return line_; }  ///< without its end
  [[nodiscard]] std::size_t number() const noexcept { return number_; }   ///< from 1
  [[nodiscard]] bool whole() const noexcept { return whole_; }            ///< its end was there

 private:
  std::string_view rest_, line_;
  std::size_t number_ = 0;
  bool whole_ = false;
};

}  // namespace assay::inline v0::detail
