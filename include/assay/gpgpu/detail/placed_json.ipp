#pragma once

#include "assay/gpgpu/detail/placed_json.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "assay/core/config.hpp"
#include "assay/report/text.hpp"

namespace assay::inline v0::detail {

/// Reads a text and notes how far the parser is, which it does not tell.
class CountedCharacters {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountedCharacters(const char* at, const char** reached) : at_(at), reached_(reached) {}
  reference operator*() const { return *at_; }
  CountedCharacters& operator++() {
    *reached_ = ++at_;
    return *this;
  }
  CountedCharacters operator++(int) {
    CountedCharacters before = *this;
    ++*this;
    return before;
  }
  friend bool operator==(const CountedCharacters& a, const CountedCharacters& b) { return a.at_ == b.at_; }
  friend bool operator!=(const CountedCharacters& a, const CountedCharacters& b) { return a.at_ != b.at_; }

 private:
  const char* at_;
  const char** reached_;
};

class PlacedJsonBuilder : public nlohmann::json_sax<nlohmann::json> {
 public:
  using Kind = PlacedJson::Kind;

  PlacedJsonBuilder(std::string_view text, std::string file)
      : reached(text.data()), text_(text), file_(std::move(file)) {}

  const char* reached;
  PlacedJson root;
  std::string error;

  bool null() override { return add(made(Kind::null, token(4))); }
  bool boolean(bool value) override {
    PlacedJson json = made(Kind::truth, token(value ? 4 : 5));
    json.truth = value;
    return add(std::move(json));
  }
  bool number_integer(number_integer_t value) override { return number(static_cast<double>(value)); }
  bool number_unsigned(number_unsigned_t value) override { return number(static_cast<double>(value)); }
  bool number_float(number_float_t value, const string_t&) override { return number(value); }
  bool string(string_t& value) override {
    PlacedJson json = made(Kind::text, quoted());
    json.text = std::move(value);
    return add(std::move(json));
  }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(Kind::object); }
  bool start_array(std::size_t) override { return open(Kind::list); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t& name) override {
    PlacedJson json = made(Kind::text, quoted());
    json.text = name;
    if (open_.back().find(name) != nullptr) {
      error = json.place.text() + ": \"" + clipped(visible(name), 60) + "\" stands here a second time";
      return false;
    }
    keys_.back() = std::move(json);
    return true;
  }
  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception& refusal) override {
    if (!error.empty()) return false;
    std::string what = refusal.what();  // "[json.exception.parse_error.101] parse error at line 1, column 2: syntax …"
    if (const std::size_t colon = what.find(": "); colon != std::string::npos) what.erase(0, colon + 2);
    error = place(std::min(position > 0 ? position - 1 : 0, text_.size())).text() +
            ": no JSON: " + clipped(visible(what), 300);
    return false;
  }

 private:
  static constexpr std::size_t deepest = 32;

  [[nodiscard]] std::size_t end() const { return static_cast<std::size_t>(reached - text_.data()); }
  [[nodiscard]] FilePlace place(std::size_t position) const {
    FilePlace at{file_, 1, 1};
    for (const char letter : text_.substr(0, position)) {
      at.line += letter == '\n' ? 1 : 0;
      at.column = letter == '\n' ? 1 : at.column + 1;
    }
    return at;
  }
  [[nodiscard]] std::size_t token(std::size_t length) const { return end() >= length ? end() - length : 0; }
  /// Of the text that has just been read: its opening quote.
  [[nodiscard]] std::size_t quoted() const {
    std::size_t at = token(2) + 1;
    const auto escaped = [&](std::size_t quote) {
      std::size_t slashes = 0;
      while (slashes < quote && text_[quote - 1 - slashes] == '\\') ++slashes;
      return slashes % 2 == 1;
    };
    while (at > 0 && (text_[at - 1] != '"' || escaped(at - 1))) --at;
    return at > 0 ? at - 1 : 0;
  }
  bool number(double value) {
    static constexpr std::string_view letters = "+-0123456789.eE";
    std::size_t last = end();  // of which one more than the number may have been read
    while (last > 0 && letters.find(text_[last - 1]) == std::string_view::npos) --last;
    while (last > 0 && letters.find(text_[last - 1]) != std::string_view::npos) --last;
    PlacedJson json = made(Kind::number, last);
    json.number = value;
    return add(std::move(json));
  }
  [[nodiscard]] PlacedJson made(Kind kind, std::size_t position) const {
    PlacedJson json;
    json.kind = kind;
    json.place = place(position);
    return json;
  }
  bool add(PlacedJson json) {
    if (open_.empty()) {
      root = std::move(json);
    } else if (open_.back().kind == Kind::object) {
      open_.back().names.push_back(std::move(keys_.back()));
      open_.back().values.push_back(std::move(json));
    } else {
      open_.back().elements.push_back(std::move(json));
    }
    return true;
  }
  bool open(Kind kind) {
    open_.push_back(made(kind, token(1)));
    keys_.emplace_back();
    if (open_.size() <= deepest) return true;
    error = open_.back().place.text() + ": nested deeper than " + std::to_string(deepest);
    return false;
  }
  bool close() {
    PlacedJson json = std::move(open_.back());
    open_.pop_back();
    keys_.pop_back();
    return add(std::move(json));
  }

  std::string_view text_;
  std::string file_;
  std::vector<PlacedJson> open_, keys_;
};

ASSAY_DETAIL_HEADER_INLINE Result<PlacedJson> parse_placed_json(std::string_view text, const std::string& file) {
  PlacedJsonBuilder builder(text, file);
  const CountedCharacters first(text.data(), &builder.reached), last(text.data() + text.size(), &builder.reached);
  const bool read = nlohmann::json::sax_parse(first, last, &builder, nlohmann::json::input_format_t::json, true, true);
  if (read && builder.error.empty()) return std::move(builder.root);
  return failure(ErrorKind::malformed, builder.error.empty() ? file + ": no JSON" : builder.error);
}

}  // namespace assay::inline v0::detail
