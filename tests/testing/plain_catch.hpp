#pragma once

#include <cstdio>
#include <cstring>
#include <exception>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

// A check takes its comparison apart by an operator that binds less tightly than arithmetic; compilers would have it in
// parentheses.
#pragma GCC diagnostic ignored "-Wparentheses"

/// What the tests use of Catch2, for machines that have none and for compilers of devices, which take long over it: a
/// stand-in of one header. Sections run as Catch2's do, one leaf after another; a failed check tells both sides of its
/// comparison and what INFO said.
namespace assay::testing::plain {

/// Ends a test case.
struct RequirementFailed {};
/// Ends a test case that cannot run here.
struct Skipped {
  std::string reason;
};

struct TestCase {
  const char* name;
  const char* tags;
  void (*body)();
};

/// The one run of this program.
struct Session {
  std::vector<TestCase> cases;
  unsigned checks = 0, failures = 0;  ///< of the running test case
  std::vector<std::string> notes;
  // Sections
  std::set<std::string> finished;
  std::vector<std::string> path;
  std::vector<bool> entered = {false};
  bool more = false;  ///< a section waits for the next run

  [[nodiscard]] std::string key() const {
    std::string text;
    for (const std::string& part : path) text += part + '\n';
    return text;
  }
};

[[nodiscard]] inline Session& session() {
  static Session one;
  return one;
}

struct Registration {
  Registration(void (*body)(), const char* name, const char* tags = "") {
    session().cases.push_back({name, tags, body});
  }
};

class Section {
 public:
  explicit Section(const std::string& name) {
    Session& own = session();
    const std::string key = own.key() + name + '\n';
    if (own.finished.count(key) > 0) return;
    if (own.entered.back()) {
      own.more = true;
      return;
    }
    own.entered.back() = true;
    own.path.push_back(name);
    own.entered.push_back(false);
    taken_ = true;
  }
  Section(const Section&) = delete;
  Section& operator=(const Section&) = delete;
  ~Section() {
    if (!taken_) return;
    Session& own = session();
    if (!own.more || std::uncaught_exceptions() > 0) own.finished.insert(own.key());
    own.entered.pop_back();
    own.path.pop_back();
  }
  explicit operator bool() const { return taken_; }

 private:
  bool taken_ = false;
};

template <class T>
[[nodiscard]] std::string to_text(const T& value) {
  if constexpr (std::is_same_v<T, bool>)
    return value ? "true" : "false";
  else if constexpr (std::is_floating_point_v<T>) {
    char text[40];
    std::snprintf(text, sizeof text, "%.17g", static_cast<double>(value));
    return text;
  } else if constexpr (std::is_integral_v<T>)
    return std::to_string(value);
  else if constexpr (std::is_enum_v<T>)
    return std::to_string(static_cast<long long>(value));
  else if constexpr (std::is_null_pointer_v<T>)
    return "null";
  else if constexpr (std::is_convertible_v<const T&, std::string_view>)
    return '"' + std::string(std::string_view(value)) + '"';
  else if constexpr (std::is_pointer_v<T>)
    return value == nullptr ? "null" : "a pointer";
  else
    return "{?}";
}

/// Text made of parts, for INFO.
struct Note {
  std::string text;
  template <class T>
  Note& operator<<(const T& part) {
    if constexpr (std::is_convertible_v<const T&, std::string_view>)
      text += std::string_view(part);
    else
      text += to_text(part);
    return *this;
  }
};

/// As long as its scope lasts.
class ScopedNote {
 public:
  explicit ScopedNote(const Note& note) { session().notes.push_back(note.text); }
  ScopedNote(const ScopedNote&) = delete;
  ScopedNote& operator=(const ScopedNote&) = delete;
  ~ScopedNote() { session().notes.pop_back(); }
};

/// Whether a check holds, and both sides as text.
struct Judgment {
  bool holds;
  std::string text;
};

template <class A, class B, class Compare>
[[nodiscard]] Judgment judged(const A& a, const char* sign, const B& b, const Compare& compare) {
  const bool holds = compare(a, b);
  return {holds, holds ? std::string() : to_text(a) + " " + sign + " " + to_text(b)};
}

template <class T>
inline constexpr bool is_number = std::is_integral_v<T> && !std::is_same_v<T, bool> && !std::is_same_v<T, char>;

/// Integers by value, whatever their signs.
template <class A, class B>
[[nodiscard]] bool equal(const A& a, const B& b) {
  if constexpr (is_number<A> && is_number<B>)
    return std::cmp_equal(a, b);
  else
    return a == b;
}
template <class A, class B>
[[nodiscard]] bool less(const A& a, const B& b) {
  if constexpr (is_number<A> && is_number<B>)
    return std::cmp_less(a, b);
  else
    return a < b;
}
template <class A, class B>
[[nodiscard]] bool at_most(const A& a, const B& b) {
  if constexpr (is_number<A> && is_number<B>)
    return std::cmp_less_equal(a, b);
  else
    return a <= b;
}

/// The left side of what may be a comparison.
template <class A>
struct LeftSide {
  const A& value;
  template <class B>
  Judgment operator==(const B& b) const {
    return judged(value, "==", b, [](const A& x, const B& y) { return equal(x, y); });
  }
  template <class B>
  Judgment operator!=(const B& b) const {
    return judged(value, "!=", b, [](const A& x, const B& y) { return !equal(x, y); });
  }
  template <class B>
  Judgment operator<(const B& b) const {
    return judged(value, "<", b, [](const A& x, const B& y) { return less(x, y); });
  }
  template <class B>
  Judgment operator>(const B& b) const {
    return judged(value, ">", b, [](const A& x, const B& y) { return less(y, x); });
  }
  template <class B>
  Judgment operator<=(const B& b) const {
    return judged(value, "<=", b, [](const A& x, const B& y) { return at_most(x, y); });
  }
  template <class B>
  Judgment operator>=(const B& b) const {
    return judged(value, ">=", b, [](const A& x, const B& y) { return at_most(y, x); });
  }
  operator Judgment() const {
    const bool holds = static_cast<bool>(value);
    return {holds, holds ? "true" : "false"};
  }
};

/// Takes the left side of a comparison: `Split() <= a == b`.
struct Split {
  template <class A>
  LeftSide<A> operator<=(const A& value) const {
    return {value};
  }
};

/// Counts a check, and tells of it if it fails.
inline void check(bool holds, bool required, const char* expression, const std::string& text, const char* file,
                  int line) {
  Session& own = session();
  ++own.checks;
  if (holds) return;
  ++own.failures;
  std::printf("%s:%d: failed: %s\n", file, line, expression);
  if (!text.empty()) std::printf("  with: %s\n", text.c_str());
  for (const std::string& note : own.notes) std::printf("  where: %s\n", note.c_str());
  std::fflush(stdout);
  if (required) throw RequirementFailed{};
}

/// A matcher: the text contains a part.
struct Contains {
  std::string part;
  [[nodiscard]] bool match(const std::string& text) const { return text.find(part) != std::string::npos; }
};

/// Ends the running test case, which cannot run here: printed, and no failure.
[[noreturn]] inline void skip(std::string reason) {
  throw Skipped{std::move(reason)};
}

}  // namespace assay::testing::plain

#define ASSAY_PLAIN_JOIN_2(a, b) a##b
#define ASSAY_PLAIN_JOIN(a, b) ASSAY_PLAIN_JOIN_2(a, b)
#define ASSAY_PLAIN_CHECK(required, negated, ...)                                                                \
  do {                                                                                                           \
    const ::assay::testing::plain::Judgment assay_judgment = ::assay::testing::plain::Split() <= __VA_ARGS__;    \
    ::assay::testing::plain::check(assay_judgment.holds != negated, required, #__VA_ARGS__, assay_judgment.text, \
                                   __FILE__, __LINE__);                                                          \
  } while (false)
#define ASSAY_PLAIN_THROWS(expression, text, handler)                                         \
  do {                                                                                        \
    bool assay_threw = false;                                                                 \
    try {                                                                                     \
      static_cast<void>(expression);                                                          \
    }                                                                                         \
    handler ::assay::testing::plain::check(assay_threw, false, text, "", __FILE__, __LINE__); \
  } while (false)

#define TEST_CASE(...)                                                                                \
  static void ASSAY_PLAIN_JOIN(assay_test_, __LINE__)();                                              \
  static const ::assay::testing::plain::Registration ASSAY_PLAIN_JOIN(assay_registration_, __LINE__){ \
      &ASSAY_PLAIN_JOIN(assay_test_, __LINE__), __VA_ARGS__};                                         \
  static void ASSAY_PLAIN_JOIN(assay_test_, __LINE__)()
#define SECTION(name) if (const ::assay::testing::plain::Section ASSAY_PLAIN_JOIN(assay_section_, __LINE__){name})
#define CHECK(...) ASSAY_PLAIN_CHECK(false, false, __VA_ARGS__)
#define CHECK_FALSE(...) ASSAY_PLAIN_CHECK(false, true, __VA_ARGS__)
#define REQUIRE(...) ASSAY_PLAIN_CHECK(true, false, __VA_ARGS__)
#define REQUIRE_FALSE(...) ASSAY_PLAIN_CHECK(true, true, __VA_ARGS__)
#define CHECK_THAT(value, matcher)                                                                                 \
  do {                                                                                                             \
    const std::string assay_text(value);                                                                           \
    ::assay::testing::plain::check((matcher).match(assay_text), false, #value ", " #matcher, assay_text, __FILE__, \
                                   __LINE__);                                                                      \
  } while (false)
#define CHECK_THROWS_AS(expression, Type) \
  ASSAY_PLAIN_THROWS(                     \
      expression, #expression " throws " #Type, catch (const Type&) { assay_threw = true; })
#define CHECK_THROWS(expression) \
  ASSAY_PLAIN_THROWS(            \
      expression, #expression " throws", catch (...) { assay_threw = true; })
#define FAIL(message)                                                                                              \
  ::assay::testing::plain::check(false, true, "FAIL", (::assay::testing::plain::Note() << message).text, __FILE__, \
                                 __LINE__)
#define INFO(message)                                                                                               \
  const ::assay::testing::plain::ScopedNote ASSAY_PLAIN_JOIN(assay_note_, __LINE__)(::assay::testing::plain::Note() \
                                                                                    << message)
#define CAPTURE(value) INFO(#value " = " << (value))
