#pragma once

#include "assay/performance/detail/version_order.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE int compare_versions(std::string_view a, std::string_view b) noexcept {
  const auto is_digit = [](char character) { return character >= '0' && character <= '9'; };
  const auto drop_v = [&](std::string_view& text) {
    if (text.size() > 1 && (text[0] == 'v' || text[0] == 'V') && is_digit(text[1])) text.remove_prefix(1);
  };
  drop_v(a), drop_v(b);
  while (!a.empty() && !b.empty()) {
    if (!is_digit(a[0]) || !is_digit(b[0])) {
      if (a[0] != b[0]) {
        if (a[0] == '-' || b[0] == '-') return a[0] == '-' ? -1 : 1;
        return static_cast<unsigned char>(a[0]) < static_cast<unsigned char>(b[0]) ? -1 : 1;
      }
      a.remove_prefix(1), b.remove_prefix(1);
      continue;
    }
    const auto take = [&](std::string_view& text) {
      while (text.size() > 1 && text[0] == '0' && is_digit(text[1])) text.remove_prefix(1);
      std::size_t length = 0;
      while (length < text.size() && is_digit(text[length])) ++length;
      const std::string_view digits = text.substr(0, length);
      text.remove_prefix(length);
      return digits;
    };
    const std::string_view x = take(a), y = take(b);
    if (x.size() != y.size()) return x.size() < y.size() ? -1 : 1;
    if (const int order = x.compare(y); order != 0) return order < 0 ? -1 : 1;
  }
  if (a.empty() && b.empty()) return 0;
  const std::string_view rest = a.empty() ? b : a;
  const int longer = rest[0] == '-' ? -1 : 1;  // of the one that has more
  return a.empty() ? -longer : longer;
}

}  // namespace assay::inline v0::detail
