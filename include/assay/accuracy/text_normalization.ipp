#pragma once

#include "assay/accuracy/text_normalization.hpp"

#include <utility>

#include "assay/accuracy/bleu_tokenizer.hpp"
#include "assay/accuracy/detail/unicode.hpp"
#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

ASSAY_DETAIL_HEADER_INLINE void expand_contractions(std::string& text) {
  constexpr std::pair<std::string_view, std::string_view> rules[] = {
      {"won't", "will not"}, {"can't", "can not"}, {"let's", "let us"}, {"n't", " not"},
      {"'re", " are"},       {"'s", " is"},        {"'d", " would"},    {"'ll", " will"},
      {"'t", " not"},        {"'ve", " have"},     {"'m", " am"}};
  for (const auto& [from, to] : rules) replace_all(text, from, to);
}

/// From '<' or '[' to the next '>' or ']'.
ASSAY_DETAIL_HEADER_INLINE void remove_marked_words(std::string& text) {
  for (std::size_t at = text.find_first_of("<["); at != std::string::npos; at = text.find_first_of("<[", at)) {
    const std::size_t end = text.find_first_of(">]", at + 1);
    if (end == std::string::npos) return;
    text.erase(at, end + 1 - at);
  }
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE std::string name_of(const TextNormalization& normalization) {
  std::string name;
  const auto add = [&](bool done, const char* what) {
    if (done) name += (name.empty() ? "" : ", ") + std::string(what);
  };
  add(normalization.lowercase, "lowercase");
  add(normalization.expand_contractions, "contractions expanded");
  add(normalization.remove_marked_words, "<> and [] removed");
  add(normalization.remove_punctuation, "punctuation removed");
  add(normalization.remove_articles, "articles removed");
  return name.empty() ? "none" : name;
}

ASSAY_DETAIL_HEADER_INLINE std::string normalized_text(std::string_view given, const TextNormalization& normalization) {
  std::string text = normalization.lowercase ? detail::lowercase(given) : std::string(given);
  if (normalization.expand_contractions) detail::expand_contractions(text);
  if (normalization.remove_marked_words) detail::remove_marked_words(text);
  if (normalization.remove_punctuation) {
    std::string kept;
    for (const char32_t point : detail::code_points(text))
      if (!detail::is_punctuation(point)) detail::append_utf8(kept, point);
    text = std::move(kept);
  }
  std::string joined;
  for (const std::string_view word : detail::split_at_spaces(text)) {
    if (normalization.remove_articles && (word == "a" || word == "an" || word == "the")) continue;
    if (!joined.empty()) joined += ' ';
    joined += word;
  }
  return joined;
}

}  // namespace assay::inline v0
