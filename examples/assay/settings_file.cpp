#include "settings_file.hpp"

#include <optional>
#include <utility>

namespace assay_program {

namespace {

constexpr std::string_view name_characters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";

/// What is wrong at the place where the reading stopped.
struct Wrong {
  std::string what;
};

class Reader {
 public:
  Reader(std::string_view text, std::string name) : text_(text), name_(std::move(name)) {}

  [[nodiscard]] assay::Result<std::vector<Setting>> read() {
    std::vector<Setting> settings;
    std::string section;
    for (skip(true); !at_end(); skip(true)) {
      const std::size_t line = line_;
      if (const auto wrong = peek() == '[' ? read_section(section) : read_setting(section, settings))
        return assay::failure(assay::ErrorKind::malformed, name_ + ":" + std::to_string(line) + ": " + wrong->what);
    }
    return settings;
  }

 private:
  [[nodiscard]] bool at_end() const { return position_ >= text_.size(); }
  [[nodiscard]] char peek() const { return at_end() ? '\n' : text_[position_]; }
  char next() {
    const char character = peek();
    if (character == '\n') ++line_;
    ++position_;
    return character;
  }
  /// Skips blanks, and with `lines` also ends of lines and comments.
  void skip(bool lines) {
    while (!at_end()) {
      const char character = peek();
      if (character == '#' && lines)
        while (!at_end() && peek() != '\n') next();
      else if (character == ' ' || character == '\t' || character == '\r' || (lines && character == '\n'))
        next();
      else
        return;
    }
  }
  [[nodiscard]] std::string name() {
    std::string name;
    while (!at_end() && name_characters.find(peek()) != std::string_view::npos) name += next();
    return name;
  }
  /// Nothing but a comment may follow on the line.
  [[nodiscard]] std::optional<Wrong> end_of_line() {
    skip(false);
    if (at_end() || peek() == '\n' || peek() == '#') return std::nullopt;
    return Wrong{"'" + std::string(1, peek()) + "' was not expected here; a line is [section], or key = value"};
  }

  [[nodiscard]] std::optional<Wrong> read_section(std::string& section) {
    next();
    skip(false);
    section = name();
    skip(false);
    if (section.empty() || next() != ']') return Wrong{"a section is a name in brackets, such as [run]"};
    return end_of_line();
  }

  [[nodiscard]] std::optional<Wrong> read_setting(const std::string& section, std::vector<Setting>& settings) {
    Setting setting;
    setting.section = section;
    setting.line = line_;
    setting.key = name();
    skip(false);
    if (setting.key.empty() || next() != '=') return Wrong{"neither [section] nor key = value"};
    if (section.empty())
      return Wrong{"'" + setting.key +
                   "' stands outside a section; write it under the command that it is for, such as [run]"};
    for (const Setting& other : settings)
      if (other.section == section && other.key == setting.key)
        return Wrong{"'" + setting.key + "' is said twice in [" + section + "], first in line " +
                     std::to_string(other.line)};
    skip(false);
    if (peek() == '[') {
      setting.list = true;
      next();
      for (skip(true); peek() != ']'; skip(true)) {
        if (const auto wrong = read_value(setting.values)) return wrong;
        skip(true);
        if (peek() == ',')
          next();
        else if (peek() != ']' || at_end())
          return Wrong{"the list of '" + setting.key +
                       "' does not end; its entries are separated by commas, its end is ]"};
      }
      next();
    } else if (const auto wrong = read_value(setting.values)) {
      return wrong;
    }
    settings.push_back(std::move(setting));
    return end_of_line();
  }

  [[nodiscard]] std::optional<Wrong> read_value(std::vector<std::string>& values) {
    std::string value;
    if (peek() == '"' || peek() == '\'') {
      const char quote = next();
      while (!at_end() && peek() != quote && peek() != '\n') {
        char character = next();
        if (character == '\\' && quote == '"') {
          character = next();
          if (character != '"' && character != '\\')
            return Wrong{"after a backslash stands another or a quote; write plain text, or put it in single quotes"};
        }
        value += character;
      }
      if (at_end() || next() != quote) return Wrong{"a text does not end on its line"};
    } else {
      while (!at_end() && std::string_view(" \t\r\n#,]").find(peek()) == std::string_view::npos) value += next();
      if (value.empty()) return Wrong{"a value is missing"};
      const bool number = value.find_first_not_of("0123456789+-.eE_") == std::string::npos;
      if (!number && value != "true" && value != "false")
        return Wrong{"'" + value + "' is neither a number nor true or false; put texts in quotes"};
    }
    values.push_back(value);
    return std::nullopt;
  }

  std::string_view text_;
  std::string name_;
  std::size_t position_ = 0;
  std::size_t line_ = 1;
};

}  // namespace

assay::Result<std::vector<Setting>> read_settings(std::string_view text, const std::string& name) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (text.substr(0, byte_order_mark.size()) == byte_order_mark) text.remove_prefix(byte_order_mark.size());
  return Reader(text, name).read();
}

}  // namespace assay_program
