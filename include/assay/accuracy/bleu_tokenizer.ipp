#pragma once

#include "assay/accuracy/bleu_tokenizer.hpp"

#include <algorithm>

#include "assay/accuracy/detail/unicode.hpp"
#include "assay/accuracy/detail/unicode_tables.hpp"
#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

ASSAY_DETAIL_HEADER_INLINE void replace_all(std::string& text, std::string_view what, std::string_view by) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
}

/// Puts ASCII punctuation apart: all but '.' ',' '-' and apostrophes; periods and commas unless digits stand on both
/// sides; dashes after digits. Each rule takes the characters it looked at, so that those of a run are not looked at
/// twice.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string western_tokenized(std::string_view line) {
  std::string a, b;
  for (const char c : line) {
    const bool apart = (c >= '{' && c <= '~') || (c >= '[' && c <= '`') || (c >= ' ' && c <= '&') ||
                       (c >= '(' && c <= '+') || (c >= ':' && c <= '@') || c == '/';
    if (apart) a += ' ';
    a += c;
    if (apart) a += ' ';
  }
  const auto stop = [](char c) { return c == '.' || c == ','; };
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  for (std::size_t i = 0; i < a.size(); ++i) {
    b += a[i];
    if (i + 1 == a.size() || digit(a[i]) || !stop(a[i + 1])) continue;
    (b += ' ') += a[++i];
    b += ' ';
  }
  a.clear();
  for (std::size_t i = 0; i < b.size(); ++i) {
    if (i + 1 == b.size() || !stop(b[i]) || digit(b[i + 1])) {
      a += b[i];
      continue;
    }
    ((a += ' ') += b[i]) += ' ';
    a += b[++i];
  }
  b.clear();
  for (std::size_t i = 0; i < a.size(); ++i) {
    b += a[i];
    if (i + 1 == a.size() || !digit(a[i]) || a[i + 1] != '-') continue;
    (b += ' ') += a[++i];
    b += ' ';
  }
  return b;
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string tokenized_13a(std::string_view text) {
  const auto is_plain = [](char c) {
    return c == ' ' || c == '\'' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  };
  std::string line(text);
  if (std::all_of(line.begin(), line.end(), is_plain)) return line;  // no rule touches it
  replace_all(line, "<skipped>", "");
  replace_all(line, "-\n", "");
  replace_all(line, "\n", " ");
  if (line.find('&') != std::string::npos) {
    replace_all(line, "&quot;", "\"");
    replace_all(line, "&amp;", "&");
    replace_all(line, "&lt;", "<");
    replace_all(line, "&gt;", ">");
  }
  return western_tokenized(" " + line + " ");
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string tokenized_internationally(std::string_view text) {
  std::u32string a = code_points(text), b;
  for (std::size_t i = 0; i < a.size(); ++i) {
    b += a[i];
    if (i + 1 == a.size() || is_number(a[i]) || !is_punctuation(a[i + 1])) continue;
    (b += U' ') += a[++i];
    b += U' ';
  }
  a.clear();
  for (std::size_t i = 0; i < b.size(); ++i) {
    if (i + 1 == b.size() || !is_punctuation(b[i]) || is_number(b[i + 1])) {
      a += b[i];
      continue;
    }
    ((a += U' ') += b[i]) += U' ';
    a += b[++i];
  }
  b.clear();
  for (const char32_t point : a) {
    if (is_symbol(point)) b += U' ';
    b += point;
    if (is_symbol(point)) b += U' ';
  }
  return utf8(b);
}

/// What sacrebleu 2.6 takes for Chinese. The supplementary planes are not among it: its bounds of five digits are read
/// as four digits and a character, which makes two ranges of the basic plane of them, kept here since scores depend on
/// it.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE bool is_chinese(char32_t point) noexcept {
  constexpr CodePointRange ranges[] = {
      {0x3400, 0x4DB5}, {0x4E00, 0x9FA5}, {0x9FA6, 0x9FBB}, {0xF900, 0xFA2D}, {0xFA30, 0xFA6A}, {0xFA70, 0xFAD9},
      {0x2001, 0x2A6D}, {0x2F81, 0x2FA1}, {0xFF00, 0xFFEF}, {0x2E80, 0x2EFF}, {0x3000, 0x303F}, {0x31C0, 0x31EF},
      {0x2F00, 0x2FDF}, {0x2FF0, 0x2FFF}, {0x3100, 0x312F}, {0x31A0, 0x31BF}, {0xFE10, 0xFE1F}, {0xFE30, 0xFE4F},
      {0x2600, 0x26FF}, {0x2700, 0x27BF}, {0x3200, 0x32FF}, {0x3300, 0x33FF}};
  for (const CodePointRange& range : ranges)
    if (point >= range.first && point <= range.last) return true;
  return false;
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string with_spaces_around(std::string_view text,
                                                                        bool (*apart)(char32_t) noexcept) {
  std::string spaced;
  for (const char32_t point : code_points(text)) {
    const bool own = apart(point);
    if (own) spaced += ' ';
    append_utf8(spaced, point);
    if (own) spaced += ' ';
  }
  return spaced;
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE std::string_view name_of(BleuTokenizer tokenizer) noexcept {
  constexpr std::string_view names[] = {"13a", "intl", "zh", "char", "none"};
  return names[static_cast<std::size_t>(tokenizer)];
}

ASSAY_DETAIL_HEADER_INLINE std::optional<BleuTokenizer> bleu_tokenizer_named(std::string_view name) noexcept {
  for (const BleuTokenizer tokenizer : all_bleu_tokenizers)
    if (name_of(tokenizer) == name) return tokenizer;
  return std::nullopt;
}

ASSAY_DETAIL_HEADER_INLINE std::string bleu_tokenized(std::string_view text, BleuTokenizer tokenizer) {
  const std::string_view line = detail::stripped_at_end(text);
  switch (tokenizer) {
    case BleuTokenizer::v13a: return detail::tokenized_13a(line);
    case BleuTokenizer::international: return detail::tokenized_internationally(line);
    case BleuTokenizer::chinese:
      return detail::western_tokenized(detail::with_spaces_around(detail::stripped(line), detail::is_chinese));
    case BleuTokenizer::character: return detail::with_spaces_around(line, [](char32_t) noexcept { return true; });
    case BleuTokenizer::none: break;
  }
  return std::string(line);
}

}  // namespace assay::inline v0
