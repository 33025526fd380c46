#pragma once

#include "assay/performance/detail/version_order.hpp"

#include <utility>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

/// Cuts a version into what is compared: numbers, words, and its end.
class VersionScanner {
 public:
  /// In the order of their places: 1.2~1 < 1.2.dev1 < 1.2a1 < 1.2b1 < 1.2rc1 < 1.2 < 1.2-66 < 1.2w < 1.2.1.
  enum class Kind { before_all, development, alpha, beta, candidate, end, revision, word, number };
  struct Token {
    Kind kind = Kind::end;
    std::string_view text;
  };

  explicit VersionScanner(std::string_view text) : text_(text) {
    if (const std::size_t colon = digits(text_); colon > 0 && colon + 1 < text_.size() && text_[colon] == ':') {
      epoch_ = without_zeros(text_.substr(0, colon));
      text_.remove_prefix(colon + 1);
    }
    if (text_.size() > 1 && (text_[0] == 'v' || text_[0] == 'V' || text_[0] == 'r' || text_[0] == 'R') &&
        is_digit(text_[1]))
      text_.remove_prefix(1);
  }

  [[nodiscard]] std::string_view epoch() const noexcept { return epoch_; }

  [[nodiscard]] Token next() noexcept {
    const bool first = std::exchange(first_, false);
    char separator = first ? '.' : '\0';
    while (!text_.empty() && !is_digit(text_[0]) && !is_letter(text_[0])) {
      const char sign = text_[0];
      text_.remove_prefix(1);
      if (sign == '~') return {Kind::before_all, {}};
      separator = sign;
    }
    if (text_.empty()) return {};
    if (const std::size_t length = digits(text_); length > 0) {
      const std::string_view number = without_zeros(text_.substr(0, length));
      text_.remove_prefix(length);
      return {separator == '.' || separator == '\0' ? Kind::number : Kind::revision, number};
    }
    std::size_t length = 0;
    while (length < text_.size() && is_letter(text_[length])) ++length;
    const std::string_view word = text_.substr(0, length);
    text_.remove_prefix(length);
    if (first) return {Kind::word, word};
    const Kind kind = kind_of(word);
    return {kind == Kind::word && separator != '\0' ? Kind::revision : kind, kind < Kind::end ? "" : word};
  }

 private:
  static bool is_digit(char letter) noexcept { return letter >= '0' && letter <= '9'; }
  static bool is_letter(char letter) noexcept {
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
           static_cast<unsigned char>(letter) >= 0x80;
  }
  static std::size_t digits(std::string_view text) noexcept {
    std::size_t length = 0;
    while (length < text.size() && is_digit(text[length])) ++length;
    return length;
  }
  static std::string_view without_zeros(std::string_view digits) noexcept {
    while (digits.size() > 1 && digits[0] == '0') digits.remove_prefix(1);
    return digits;
  }
  static Kind kind_of(std::string_view word) noexcept {
    static constexpr std::pair<std::string_view, Kind> words[]{
        {"dev", Kind::development}, {"nightly", Kind::development}, {"snapshot", Kind::development},
        {"a", Kind::alpha},         {"alpha", Kind::alpha},         {"b", Kind::beta},
        {"beta", Kind::beta},       {"c", Kind::candidate},         {"rc", Kind::candidate},
        {"RC", Kind::candidate},    {"pre", Kind::candidate},       {"preview", Kind::candidate}};
    for (const auto& [name, kind] : words)
      if (name == word) return kind;
    return Kind::word;
  }

  std::string_view text_, epoch_ = "0";
  bool first_ = true;
};

ASSAY_DETAIL_HEADER_INLINE int compare_versions(std::string_view a, std::string_view b) noexcept {
  const auto order_of = [](std::string_view x, std::string_view y, bool numbers) {
    if (numbers && x.size() != y.size()) return x.size() < y.size() ? -1 : 1;
    const int order = x.compare(y);
    return order < 0 ? -1 : order > 0 ? 1 : 0;
  };
  VersionScanner left(a), right(b);
  if (const int order = order_of(left.epoch(), right.epoch(), true); order != 0) return order;
  while (true) {
    const VersionScanner::Token x = left.next(), y = right.next();
    if (x.kind != y.kind) return x.kind < y.kind ? -1 : 1;
    if (x.kind == VersionScanner::Kind::end) return 0;
    const auto is_number = [](std::string_view text) { return !text.empty() && text[0] >= '0' && text[0] <= '9'; };
    if (is_number(x.text) != is_number(y.text)) return is_number(x.text) ? -1 : 1;
    if (const int order = order_of(x.text, y.text, is_number(x.text)); order != 0) return order;
  }
}

}  // namespace assay::inline v0::detail
