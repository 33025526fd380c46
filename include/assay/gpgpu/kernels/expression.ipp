#pragma once

#include "assay/gpgpu/kernels/expression.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "assay/core/config.hpp"
#include "assay/core/nearest_name.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE ExpressionValue ExpressionValue::of(std::int64_t value) {
  return {Kind::integer, value, static_cast<double>(value), {}};
}
ASSAY_DETAIL_HEADER_INLINE ExpressionValue ExpressionValue::of(double value) {
  return {Kind::real, 0, value, {}};
}
ASSAY_DETAIL_HEADER_INLINE ExpressionValue ExpressionValue::of(std::string value) {
  return {Kind::text, 0, 0, std::move(value)};
}

/// An operation of others, a name ("name") or a constant ("value").
struct Expression::Node {
  std::string what;
  std::size_t position = 0;
  ExpressionValue value = {};
  std::vector<std::shared_ptr<const Node>> of = {};
};

namespace detail {

using ExpressionNode = std::shared_ptr<const Expression::Node>;

/// By descent; the first refusal stays, and what is read after it is of no account.
class ExpressionParser {
 public:
  explicit ExpressionParser(std::string_view text) : text_(text) {}

  ExpressionProblem problem;
  bool refused = false;

  [[nodiscard]] ExpressionNode whole() {
    auto node = choice();
    skip();
    if (!refused && at_ < text_.size()) refuse(at_, "expected an operator or the end, found '" + rest() + "'");
    return node;
  }

 private:
  static constexpr int deepest = 64;

  void refuse(std::size_t position, std::string message) {
    if (!refused) problem = {position, std::move(message)};
    refused = true;
    at_ = text_.size();
  }
  [[nodiscard]] std::string rest() const { return std::string(text_.substr(at_, 12)); }
  void skip() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n')) ++at_;
  }
  [[nodiscard]] bool take(std::string_view token) {
    skip();
    if (text_.substr(at_, token.size()) != token) return false;
    at_ += token.size();
    return true;
  }
  [[nodiscard]] static ExpressionNode make(std::string what, std::size_t position, std::vector<ExpressionNode> of) {
    return std::make_shared<const Expression::Node>(Expression::Node{std::move(what), position, {}, std::move(of)});
  }

  using Level = ExpressionNode (ExpressionParser::*)();
  [[nodiscard]] ExpressionNode left_to_right(Level next, std::initializer_list<const char*> operators) {
    auto node = (this->*next)();
    for (bool found = true; found && !refused;) {
      found = false;
      for (const char* const name : operators) {
        skip();
        const std::size_t position = at_;
        if (!take(name)) continue;
        auto right = (this->*next)();
        node = make(name, position, {std::move(node), std::move(right)});
        found = true;
        break;
      }
    }
    return node;
  }

  ExpressionNode choice() {
    if (++depth_ > deepest) return refuse(at_, "nested deeper than " + std::to_string(deepest)), nullptr;
    auto node = either();
    skip();
    const std::size_t position = at_;
    if (!refused && take("?")) {
      auto yes = choice();
      if (!refused && !take(":")) refuse(at_, "expected ':' after what stands behind '?'");
      auto no = refused ? nullptr : choice();
      node = make("?", position, {std::move(node), std::move(yes), std::move(no)});
    }
    --depth_;
    return node;
  }
  ExpressionNode either() { return left_to_right(&ExpressionParser::both, {"||"}); }
  ExpressionNode both() { return left_to_right(&ExpressionParser::comparison, {"&&"}); }
  ExpressionNode comparison() { return left_to_right(&ExpressionParser::sum, {"==", "!=", "<=", ">=", "<", ">"}); }
  ExpressionNode sum() { return left_to_right(&ExpressionParser::product, {"+", "-"}); }
  ExpressionNode product() { return left_to_right(&ExpressionParser::unary, {"*", "/", "%"}); }
  ExpressionNode unary() {
    skip();
    const std::size_t position = at_;
    if (++depth_ > deepest) return refuse(at_, "nested deeper than " + std::to_string(deepest)), nullptr;
    ExpressionNode node;
    if (take("-"))
      node = make("negative", position, {unary()});
    else if (text_.substr(at_, 2) != "!=" && take("!"))
      node = make("!", position, {unary()});
    else
      node = primary();
    --depth_;
    return node;
  }
  [[nodiscard]] static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
  [[nodiscard]] static bool is_digit(char c) { return c >= '0' && c <= '9'; }

  ExpressionNode primary() {
    skip();
    const std::size_t position = at_;
    if (at_ >= text_.size()) return refuse(at_, "expected a number, a name or '(', found the end"), nullptr;
    if (take("(")) {
      auto node = choice();
      if (!refused && !take(")")) refuse(at_, "expected ')' for the '(' at column " + std::to_string(position + 1));
      return node;
    }
    if (text_[at_] == '\'') return quoted();
    if (is_digit(text_[at_])) return number();
    if (is_letter(text_[at_])) return name();
    return refuse(at_, "expected a number, a name or '(', found '" + rest() + "'"), nullptr;
  }
  [[nodiscard]] ExpressionNode constant(std::size_t position, ExpressionValue value) const {
    return std::make_shared<const Expression::Node>(Expression::Node{"value", position, std::move(value), {}});
  }
  ExpressionNode quoted() {
    const std::size_t first = at_++, end = text_.find('\'', at_);
    if (end == std::string_view::npos) return refuse(first, "the text that begins here has no end"), nullptr;
    auto node = constant(first, ExpressionValue::of(std::string(text_.substr(at_, end - at_))));
    at_ = end + 1;
    return node;
  }
  ExpressionNode number() {
    const std::size_t first = at_;
    while (at_ < text_.size() && (is_digit(text_[at_]) || text_[at_] == '.' || text_[at_] == 'e' ||
                                  ((text_[at_] == '-' || text_[at_] == '+') && text_[at_ - 1] == 'e')))
      ++at_;
    const char *const begin = text_.data() + first, *const end = text_.data() + at_;
    std::int64_t integer = 0;
    if (const auto read = std::from_chars(begin, end, integer); read.ptr == end && read.ec == std::errc())
      return constant(first, ExpressionValue::of(integer));
    double real = 0;
    if (const auto read = std::from_chars(begin, end, real);
        read.ptr == end && read.ec == std::errc() &&
        text_.substr(first, at_ - first).find_first_of(".e") != std::string_view::npos)
      return constant(first, ExpressionValue::of(real));
    return refuse(first, "'" + std::string(begin, end) + "' is no number of 64 bits"), nullptr;
  }
  ExpressionNode name() {
    const std::size_t first = at_;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (!is_letter(c) && !is_digit(c) && c != '.' && c != '[' && c != ']') break;
      ++at_;
    }
    std::string word(text_.substr(first, at_ - first));
    if (!take("("))
      return std::make_shared<const Expression::Node>(
          Expression::Node{"name", first, ExpressionValue::of(std::move(word)), {}});
    static const std::vector<std::string> functions{"ceil_div", "max", "min", "sqrt"};
    if (std::find(functions.begin(), functions.end(), word) == functions.end())
      return refuse(first, unknown_name("function", word, functions)), nullptr;
    std::vector<ExpressionNode> arguments;
    do arguments.push_back(choice());
    while (!refused && take(","));
    if (!refused && !take(")")) refuse(at_, "expected ',' or ')' in the arguments of " + word);
    const std::size_t wanted = word == "sqrt" ? 1 : 2;
    if (!refused && arguments.size() != wanted)
      refuse(first, word + " takes " + std::to_string(wanted) + " arguments, not " + std::to_string(arguments.size()));
    return make(std::move(word), first, std::move(arguments));
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

class ExpressionEvaluator {
 public:
  using Value = ExpressionValue;
  using Kind = ExpressionValue::Kind;

  explicit ExpressionEvaluator(const ExpressionNames& names) : names_(names) {}

  ExpressionProblem problem;
  bool refused = false;

  [[nodiscard]] Value value_of(const Expression::Node& node) {
    if (refused) return {};
    if (node.what == "value") return node.value;
    if (node.what == "name") return named(node);
    const Value a = value_of(*node.of[0]);
    if (refused) return {};
    if (node.what == "?") return value_of(truth(node, a) ? *node.of[1] : *node.of[2]);
    if (node.what == "&&" || node.what == "||") {
      if (truth(node, a) == (node.what == "||")) return Value::of(std::int64_t{node.what == "||"});
      return Value::of(std::int64_t{truth(node, value_of(*node.of[1]))});
    }
    if (node.what == "!") return Value::of(std::int64_t{!truth(node, a)});
    if (node.what == "negative" || node.what == "sqrt") return of_one(node, a);
    return of_two(node, a, value_of(*node.of[1]));
  }

 private:
  Value refuse(const Expression::Node& node, std::string message) {
    if (!refused) problem = {node.position, std::move(message)};
    refused = true;
    return {};
  }
  [[nodiscard]] Value named(const Expression::Node& node) {
    if (const Value* const found = names_.find(node.value.text)) return *found;
    return refuse(node, unknown_name("name", node.value.text, names_.known()));
  }
  [[nodiscard]] bool truth(const Expression::Node& node, const Value& value) {
    if (value.kind == Kind::text) refuse(node, "'" + value.text + "' is a text, where a truth value is expected");
    return value.real != 0;
  }
  [[nodiscard]] Value of_one(const Expression::Node& node, const Value& a) {
    if (a.kind == Kind::text) return refuse(node, "'" + a.text + "' is a text, and texts are only compared");
    if (node.what == "sqrt")
      return a.real < 0 ? refuse(node, "the root of a negative number") : Value::of(std::sqrt(a.real));
    if (a.kind == Kind::real) return Value::of(-a.real);
    std::int64_t result = 0;
    return __builtin_sub_overflow(std::int64_t{0}, a.integer, &result) ? overflow(node) : Value::of(result);
  }
  [[nodiscard]] Value overflow(const Expression::Node& node) {
    return refuse(node, "the result of '" + node.what + "' exceeds 64 bits");
  }
  template <class T>
  [[nodiscard]] static bool compared(const std::string& what, const T& a, const T& b) {
    if (what == "==") return a == b;
    if (what == "!=") return a != b;
    if (what == "<") return a < b;
    if (what == ">") return b < a;
    return what == "<=" ? a <= b : b <= a;
  }
  [[nodiscard]] Value of_two(const Expression::Node& node, const Value& a, const Value& b) {
    if (refused) return {};
    const std::string& what = node.what;
    const bool comparing = what == "==" || what == "!=" || what[0] == '<' || what[0] == '>';
    if (a.kind == Kind::text || b.kind == Kind::text) {
      if (a.kind != b.kind || (what != "==" && what != "!="))
        return refuse(node, "'" + (a.kind == Kind::text ? a.text : b.text) +
                                "' is a text, and texts are compared with texts by == and != only");
      return Value::of(std::int64_t{compared(what, a.text, b.text)});
    }
    if (a.kind == Kind::integer && b.kind == Kind::integer)
      return comparing ? Value::of(std::int64_t{compared(what, a.integer, b.integer)})
                       : of_integers(node, a.integer, b.integer);
    if (comparing) return Value::of(std::int64_t{compared(what, a.real, b.real)});
    return of_reals(node, a.real, b.real);
  }
  [[nodiscard]] Value of_reals(const Expression::Node& node, double a, double b) {
    const std::string& what = node.what;
    if (what == "+") return Value::of(a + b);
    if (what == "-") return Value::of(a - b);
    if (what == "*") return Value::of(a * b);
    if (what == "min") return Value::of(std::min(a, b));
    if (what == "max") return Value::of(std::max(a, b));
    if (what != "/") return refuse(node, "'" + what + "' is for integers");
    return b == 0 ? refuse(node, "a division by 0") : Value::of(a / b);
  }
  [[nodiscard]] Value of_integers(const Expression::Node& node, std::int64_t a, std::int64_t b) {
    const std::string& what = node.what;
    std::int64_t result = 0;
    if (what == "min") return Value::of(std::min(a, b));
    if (what == "max") return Value::of(std::max(a, b));
    if (what == "+") return __builtin_add_overflow(a, b, &result) ? overflow(node) : Value::of(result);
    if (what == "-") return __builtin_sub_overflow(a, b, &result) ? overflow(node) : Value::of(result);
    if (what == "*") return __builtin_mul_overflow(a, b, &result) ? overflow(node) : Value::of(result);
    if (b == 0) return refuse(node, "a division by 0");
    if (a == INT64_MIN && b == -1) return overflow(node);
    if (what == "/") return Value::of(a / b);
    if (what == "%") return Value::of(a % b);
    return Value::of(a / b + ((a % b != 0 && (a < 0) == (b < 0)) ? 1 : 0));  // ceil_div
  }

  const ExpressionNames& names_;
};

inline void collect_names(const Expression::Node& node, std::vector<std::string>& names) {
  if (node.what == "name") names.push_back(node.value.text);
  for (const ExpressionNode& other : node.of)
    if (other != nullptr) collect_names(*other, names);
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE Result<Expression> Expression::parse(std::string_view text, ExpressionProblem* problem) {
  detail::ExpressionParser parser(text);
  Expression expression;
  expression.text_ = text;
  expression.root_ = parser.whole();
  if (!parser.refused) return expression;
  if (problem != nullptr) *problem = parser.problem;
  return failure(ErrorKind::malformed, "'" + std::string(text) + "', column " +
                                           std::to_string(parser.problem.position + 1) + ": " + parser.problem.message);
}

ASSAY_DETAIL_HEADER_INLINE Result<ExpressionValue> Expression::evaluate(const ExpressionNames& names,
                                                                        ExpressionProblem* problem) const {
  detail::ExpressionEvaluator evaluator(names);
  ExpressionValue value = root_ == nullptr ? ExpressionValue{} : evaluator.value_of(*root_);
  if (!evaluator.refused) return value;
  if (problem != nullptr) *problem = evaluator.problem;
  return failure(ErrorKind::invalid, "'" + text_ + "', column " + std::to_string(evaluator.problem.position + 1) +
                                         ": " + evaluator.problem.message);
}

ASSAY_DETAIL_HEADER_INLINE std::vector<std::string> Expression::names() const {
  std::vector<std::string> names;
  if (root_ != nullptr) detail::collect_names(*root_, names);
  return names;
}

}  // namespace assay::inline v0
