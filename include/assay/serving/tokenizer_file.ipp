#pragma once

#include "assay/serving/tokenizer_file.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "assay/core/misuse.hpp"
#include "assay/report/read_file.hpp"
#include "assay/report/text.hpp"
#include "assay/serving/detail/unicode_classes.hpp"

namespace assay::inline v0 {
namespace detail {

/// A character with its place in the text.
struct TextCharacter {
  char32_t code = 0;
  std::size_t at = 0;
};

inline std::vector<TextCharacter> characters_of(std::string_view text) {
  std::vector<TextCharacter> characters;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = utf8_sequence_length(text.substr(at));
    const auto byte = [&](std::size_t i) { return static_cast<char32_t>(static_cast<unsigned char>(text[at + i])); };
    char32_t code = 0xFFFD;
    if (length == 1) code = byte(0);
    if (length == 2) code = (byte(0) & 0x1F) << 6 | (byte(1) & 0x3F);
    if (length == 3) code = (byte(0) & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F);
    if (length == 4) code = (byte(0) & 7) << 18 | (byte(1) & 0x3F) << 12 | (byte(2) & 0x3F) << 6 | (byte(3) & 0x3F);
    characters.push_back({code, at});
    at += std::max<std::size_t>(1, length);
  }
  return characters;
}

/// The patterns of tokenizers, matched by hand: regular expressions of the standard library know no Unicode.
class TextCutter {
 public:
  TextCutter(std::string_view text, PreTokenizer cut) : text_(text), cut_(cut), all_(characters_of(text)) {}

  [[nodiscard]] std::vector<std::string_view> pieces() const {
    std::vector<std::string_view> pieces;
    for (std::size_t i = 0; i < all_.size();) {
      const std::size_t end = std::max(
          i + 1, cut_ == PreTokenizer::gpt2 || cut_ == PreTokenizer::gpt2_digits ? gpt2_end(i) : cl100k_end(i));
      const std::size_t from = all_[i].at, to = end < all_.size() ? all_[end].at : text_.size();
      pieces.push_back(text_.substr(from, to - from));
      i = end;
    }
    return pieces;
  }

 private:
  [[nodiscard]] bool letter(std::size_t i) const { return i < all_.size() && is_unicode_letter(all_[i].code); }
  [[nodiscard]] bool number(std::size_t i) const { return i < all_.size() && is_unicode_number(all_[i].code); }
  [[nodiscard]] bool space(std::size_t i) const { return i < all_.size() && is_unicode_space(all_[i].code); }
  [[nodiscard]] bool other(std::size_t i) const { return i < all_.size() && !letter(i) && !number(i) && !space(i); }
  [[nodiscard]] bool line_end(std::size_t i) const {
    return i < all_.size() && (all_[i].code == U'\r' || all_[i].code == U'\n');
  }
  template <class Is>
  [[nodiscard]] std::size_t while_is(std::size_t i, const Is& is) const {
    while (is(i)) ++i;
    return i;
  }
  /// 's, 't, 're, 've, 'm, 'll, 'd; `lower` takes capitals for small letters.
  [[nodiscard]] std::size_t contraction_end(std::size_t i, bool lower) const {
    if (all_[i].code != U'\'') return i;
    const auto at = [&](std::size_t j) {
      const char32_t code = j < all_.size() ? all_[j].code : 0;
      if (lower && code == 0x17F) return U's';  // the long s, whose capital is S
      return lower && code >= U'A' && code <= U'Z' ? static_cast<char32_t>(code + 32) : code;
    };
    const char32_t a = at(i + 1), b = at(i + 2);
    if (a == U's' || a == U't' || a == U'm' || a == U'd') return i + 2;
    return (a == U'r' && b == U'e') || (a == U'v' && b == U'e') || (a == U'l' && b == U'l') ? i + 3 : i;
  }
  /// All blanks but the last where something follows: that one belongs to what follows.
  [[nodiscard]] std::size_t blanks_end(std::size_t i) const {
    const std::size_t end = while_is(i, [&](std::size_t j) { return space(j); });
    return end < all_.size() && end - i > 1 ? end - 1 : end;
  }
  [[nodiscard]] std::size_t gpt2_end(std::size_t i) const {
    const auto is_digit = [&](std::size_t j) { return cut_ == PreTokenizer::gpt2_digits && number(j); };
    if (is_digit(i)) return i + 1;
    if (const std::size_t end = contraction_end(i, false); end > i) return end;
    const std::size_t word = i + (all_[i].code == U' ' && !is_digit(i + 1) ? 1 : 0);
    if (letter(word)) return while_is(word, [&](std::size_t j) { return letter(j); });
    if (number(word)) return while_is(word, [&](std::size_t j) { return number(j); });
    if (other(word)) return while_is(word, [&](std::size_t j) { return other(j); });
    const std::size_t end = while_is(i, [&](std::size_t j) { return space(j); });
    // Before a digit, which is cut off first, blanks are at the end of their piece.
    return end < all_.size() && end - i > 1 && !is_digit(end) ? end - 1 : end;
  }
  [[nodiscard]] std::size_t cl100k_end(std::size_t i) const {
    if (const std::size_t end = contraction_end(i, true); end > i) return end;
    const bool before = !line_end(i) && !letter(i) && !number(i);
    if (letter(i + (before ? 1 : 0))) return while_is(i + (before ? 1 : 0), [&](std::size_t j) { return letter(j); });
    if (number(i)) {
      const std::size_t most = i + (cut_ == PreTokenizer::cl100k_one_digit ? 1 : 3);
      return while_is(i, [&](std::size_t j) { return j < most && number(j); });
    }
    if (const std::size_t sign = i + (all_[i].code == U' ' ? 1 : 0); other(sign)) {
      const std::size_t end = while_is(sign, [&](std::size_t j) { return other(j); });
      return while_is(end, [&](std::size_t j) { return line_end(j); });
    }
    const std::size_t blanks = while_is(i, [&](std::size_t j) { return space(j); });
    for (std::size_t end = blanks; end > i; --end)
      if (line_end(end - 1)) return end;  // up to the last end of a line
    return blanks_end(i);
  }

  std::string_view text_;
  PreTokenizer cut_;
  std::vector<TextCharacter> all_;
};

/// The bytes for which the letters of a byte-level vocabulary stand; nothing where one stands for none.
inline std::optional<std::string> bytes_of_letters(std::string_view letters) {
  static const auto table = [] {
    std::unordered_map<char32_t, char> made;
    char32_t next = 256;
    for (int byte = 0; byte < 256; ++byte) {
      const bool plain = (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
      made[plain ? static_cast<char32_t>(byte) : next++] = static_cast<char>(byte);
    }
    return made;
  }();
  std::string bytes;
  for (const TextCharacter& character : characters_of(letters)) {
    const auto found = table.find(character.code);
    if (found == table.end()) return std::nullopt;
    bytes += found->second;
  }
  return bytes;
}

inline std::string pair_key(std::string_view first, std::string_view second) {
  return std::to_string(first.size()) + ":" + std::string(first) + std::string(second);
}

/// A member of an object of JSON that is text, or a flag; the other value where it is not there, or of another kind.
inline std::string tokenizer_text(const nlohmann::json& json, const char* name, const char* otherwise = "") {
  return json.is_object() && json.contains(name) && json[name].is_string() ? json[name].get<std::string>() : otherwise;
}
inline bool tokenizer_flag(const nlohmann::json& json, const char* name, bool otherwise) {
  return json.is_object() && json.contains(name) && json[name].is_boolean() ? json[name].get<bool>() : otherwise;
}

inline Result<PreTokenizer> pre_tokenizer_of(const nlohmann::json& json) {
  const auto unknown = [&](const std::string& what) {
    return failure(ErrorKind::unsupported,
                   "the tokenizer cuts text in a way that is not known here: " + clipped(what, 200));
  };
  nlohmann::json steps = nlohmann::json::array({json});
  if (tokenizer_text(json, "type") == "Sequence" && json.contains("pretokenizers")) steps = json["pretokenizers"];
  if (!steps.is_array()) return unknown(json.dump());
  std::optional<PreTokenizer> cut;
  bool digits = false, bytes = false;
  for (const auto& step : steps) {
    const std::string type = tokenizer_text(step, "type");
    if (type == "Digits" && tokenizer_flag(step, "individual_digits", false) && !cut && !bytes) {
      digits = true;
    } else if (type == "Split" && !cut && !digits && tokenizer_text(step, "behavior") == "Isolated" &&
               !tokenizer_flag(step, "invert", false) && step.contains("pattern")) {
      const std::string pattern = tokenizer_text(step["pattern"], "Regex");
      const std::string head = R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N})",
                        tail = R"(| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
      if (pattern == head + "{1,3}" + tail)
        cut = PreTokenizer::cl100k;
      else if (pattern == head + tail)
        cut = PreTokenizer::cl100k_one_digit;
      else
        return unknown(pattern);
    } else if (type == "ByteLevel" && !tokenizer_flag(step, "add_prefix_space", true)) {
      bytes = true;
      if (tokenizer_flag(step, "use_regex", true)) {
        if (cut) return unknown(json.dump());
        cut = digits ? PreTokenizer::gpt2_digits : PreTokenizer::gpt2;
      }
    } else {
      return unknown(step.dump());
    }
  }
  if (!bytes || (digits && cut != PreTokenizer::gpt2_digits)) return unknown(json.dump());
  return cut.value_or(PreTokenizer::none);
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE std::vector<std::string_view> pre_tokenize(std::string_view text, PreTokenizer cut) {
  if (cut == PreTokenizer::none) return text.empty() ? std::vector<std::string_view>() : std::vector{text};
  return detail::TextCutter(text, cut).pieces();
}

ASSAY_DETAIL_HEADER_INLINE Result<BytePairTokenizer> BytePairTokenizer::from_json(std::string_view text) {
  using Json = nlohmann::json;
  const Json json = Json::parse(text, nullptr, false);
  const auto malformed = [](const std::string& what) {
    return failure(ErrorKind::malformed, "what is given is no tokenizer.json: " + what);
  };
  if (!json.is_object() || !json.contains("model") || !json["model"].is_object()) return malformed("it has no `model`");
  const Json& model = json["model"];
  if (detail::tokenizer_text(model, "type", "BPE") != "BPE" || !model.contains("vocab") || !model["vocab"].is_object())
    return failure(ErrorKind::unsupported,
                   "the tokenizer's model is no BPE with a vocabulary; others are not known here");
  if (!model.contains("merges") || !model["merges"].is_array()) return malformed("its model has no list `merges`");
  if (json.contains("normalizer") && !json["normalizer"].is_null())
    return failure(ErrorKind::unsupported,
                   "the tokenizer normalizes text, which is not done here: " + clipped(json["normalizer"].dump(), 100));
  const auto cut = detail::pre_tokenizer_of(json.value("pre_tokenizer", Json()));
  if (!cut) return cut.propagate();
  BytePairTokenizer made;
  made.cut_ = cut.value();
  made.whole_first_ = model.contains("ignore_merges") && model["ignore_merges"] == true;
  std::unordered_map<std::string, bool> added;
  for (const Json& token : json.value("added_tokens", Json::array())) {
    if (!token.is_object() || !token.contains("content") || !token["content"].is_string() || !token.contains("id") ||
        !token["id"].is_number_unsigned())
      return malformed("an entry of `added_tokens` has no text `content` and number `id`");
    const auto number = token["id"].get<std::uint32_t>();
    const auto content = token["content"].get<std::string>();
    if (content.empty()) return malformed("an entry of `added_tokens` is empty");
    made.added_.emplace_back(content, number);
    made.bytes_[number] = content;
    added[content] = true;
  }
  std::sort(made.added_.begin(), made.added_.end(), [](const auto& a, const auto& b) {
    return a.first.size() != b.first.size() ? a.first.size() > b.first.size() : a.first < b.first;
  });
  for (const auto& [letters, number] : model["vocab"].items()) {
    if (!number.is_number_unsigned()) return malformed("its vocabulary has a number that is none");
    if (added.count(letters) > 0) continue;
    const auto bytes = detail::bytes_of_letters(letters);
    if (!bytes) return failure(ErrorKind::unsupported, "the vocabulary is not of bytes: '" + visible(letters) + "'");
    made.vocabulary_[*bytes] = number.get<std::uint32_t>();
    made.bytes_[number.get<std::uint32_t>()] = *bytes;
  }
  std::uint32_t rank = 0;
  for (const Json& merge : model["merges"]) {
    std::string first, second;
    if (merge.is_array() && merge.size() == 2 && merge[0].is_string() && merge[1].is_string()) {
      first = merge[0].get<std::string>(), second = merge[1].get<std::string>();
    } else if (merge.is_string() && merge.get<std::string>().find(' ') != std::string::npos) {
      const auto whole = merge.get<std::string>();
      first = whole.substr(0, whole.find(' ')), second = whole.substr(whole.find(' ') + 1);
    } else {
      return malformed("merge " + std::to_string(rank) + " is no pair");
    }
    const auto a = detail::bytes_of_letters(first), b = detail::bytes_of_letters(second);
    if (!a || !b || made.vocabulary_.count(*a + *b) == 0)
      return malformed("merge " + std::to_string(rank) + " makes what is not in the vocabulary");
    made.ranks_.emplace(detail::pair_key(*a, *b), rank++);
  }
  for (int byte = 0; byte < 256; ++byte)
    if (made.vocabulary_.count(std::string(1, static_cast<char>(byte))) == 0)
      return failure(ErrorKind::unsupported,
                     "the vocabulary lacks the byte " + std::to_string(byte) + ": text with it has no tokens");
  return made;
}

ASSAY_DETAIL_HEADER_INLINE Result<BytePairTokenizer> BytePairTokenizer::read(const std::filesystem::path& path) {
  const auto text = read_file(path, "a tokenizer");
  if (!text) return text.propagate();
  return from_json(text.value());
}

ASSAY_DETAIL_HEADER_INLINE void BytePairTokenizer::encode_piece(std::string_view piece,
                                                                std::vector<std::uint32_t>& tokens) const {
  if (whole_first_)
    if (const auto found = vocabulary_.find(std::string(piece)); found != vocabulary_.end())
      return tokens.push_back(found->second);
  std::vector<std::string> parts;
  for (const char byte : piece) parts.emplace_back(1, byte);
  for (;;) {
    std::uint32_t best = ~std::uint32_t{0};
    std::size_t at = 0;
    for (std::size_t i = 0; i + 1 < parts.size(); ++i)
      if (const auto found = ranks_.find(detail::pair_key(parts[i], parts[i + 1]));
          found != ranks_.end() && found->second < best)
        best = found->second, at = i;
    if (best == ~std::uint32_t{0}) break;
    parts[at] += parts[at + 1];
    parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(at) + 1);
  }
  for (const std::string& part : parts) tokens.push_back(vocabulary_.at(part));
}

ASSAY_DETAIL_HEADER_INLINE std::vector<std::uint32_t> BytePairTokenizer::encode(std::string_view text) const {
  std::vector<std::uint32_t> tokens;
  const auto encode_plain = [&](std::string_view plain) {
    for (const std::string_view piece : pre_tokenize(plain, cut_)) encode_piece(piece, tokens);
  };
  while (!text.empty()) {
    std::size_t at = std::string_view::npos, length = 0;
    std::uint32_t number = 0;
    for (const auto& [content, one] : added_)
      if (const std::size_t found = text.find(content); found < at)  // of those that begin there the longest is first
        at = found, length = content.size(), number = one;
    encode_plain(text.substr(0, at));
    if (at == std::string_view::npos) break;
    tokens.push_back(number);
    text.remove_prefix(at + length);
  }
  return tokens;
}

ASSAY_DETAIL_HEADER_INLINE std::string BytePairTokenizer::decode(std::span<const std::uint32_t> tokens) const {
  std::string text;
  for (const std::uint32_t token : tokens) {
    const auto found = bytes_.find(token);
    expect(found != bytes_.end(), [&] { return "the tokenizer has no token " + std::to_string(token); });
    text += found->second;
  }
  return text;
}

ASSAY_DETAIL_HEADER_INLINE TokenCounter BytePairTokenizer::counter() const {
  const auto shared = std::make_shared<BytePairTokenizer>(*this);
  return [shared](std::string_view text) { return static_cast<std::uint64_t>(shared->encode(text).size()); };
}

}  // namespace assay::inline v0
