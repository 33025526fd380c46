#pragma once

#include <charconv>
#include <cstddef>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <utility>
#include <vector>

#include "assay/core/enum_name.hpp"
#include "assay/core/result.hpp"
#include "assay/formats/element_format_named.hpp"
#include "assay/suite/case_record.hpp"

namespace assay::inline v0 {

namespace detail {

/// Walks over the members that `fields(problem, visit)` names, nested ones and elements of arrays included:
/// `visit(name, scalar)`.
template <class Visit>
class FieldWalk {
 public:
  FieldWalk(std::string prefix, Visit& visit) : prefix_(std::move(prefix)), visit_(visit) {}

  template <class Member, class... More>
  void operator()(const char* name, Member& member, More&&... more) {
    walk(prefix_ + name, member);
    if constexpr (sizeof...(More) > 0) (*this)(more...);
  }

 private:
  template <class Member>
  void walk(const std::string& name, Member& member) {
    if constexpr (std::is_bounded_array_v<Member>) {
      for (std::size_t i = 0; i < std::extent_v<Member>; ++i) walk(name + "[" + std::to_string(i) + "]", member[i]);
    } else if constexpr (requires { member.resize(member.size()); }) {
      Index size = static_cast<Index>(member.size());
      visit_(name + ".size", size);
      constexpr Index most = 1 << 24;
      member.resize(static_cast<std::size_t>(size < 0 ? 0 : size < most ? size : most));
      for (std::size_t i = 0; i < member.size(); ++i) walk(name + "[" + std::to_string(i) + "]", member[i]);
    } else if constexpr (requires { fields(member, *this); }) {
      FieldWalk inner(name + ".", visit_);
      fields(member, inner);
    } else {
      visit_(name, member);
    }
  }

  std::string prefix_;
  Visit& visit_;
};

template <class Problem, class Visit>
void walk_fields(Problem& problem, Visit visit) {
  FieldWalk<Visit> walk("", visit);
  fields(problem, walk);
}

[[nodiscard]] inline std::string text_of_field(bool value) {
  return value ? "true" : "false";
}
[[nodiscard]] inline std::string text_of_field(const ElementFormat& format) {
  return format.name;
}
template <class Number>
requires std::is_arithmetic_v<Number>
[[nodiscard]] std::string text_of_field(Number value) {
  char text[40];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}
template <class E>
requires std::is_enum_v<E>
[[nodiscard]] std::string text_of_field(E value) {
  return std::string(enum_name(value));
}

[[nodiscard]] inline bool read_field(std::string_view text, bool& value) {
  return (value = text == "true") || text == "false";
}
[[nodiscard]] inline bool read_field(std::string_view text, ElementFormat& format) {
  const auto named = element_format_named(text);
  if (named) format = *named;
  return named.has_value();
}
template <class Number>
requires std::is_arithmetic_v<Number>
[[nodiscard]] bool read_field(std::string_view text, Number& value) {
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  return code == std::errc() && end == text.data() + text.size();
}
template <class E>
requires std::is_enum_v<E>
[[nodiscard]] bool read_field(std::string_view text, E& value) {
  const auto named = enum_named<E>(text);
  if (named) value = *named;
  return named.has_value();
}

}  // namespace detail

/// A problem that names its members by a function `fields(problem, visit)`, see kernels/softmax/problem.hpp.
template <class Problem>
concept NamesItsFields = requires(Problem& problem, void (&visit)(...)) {
  fields(problem, visit);
};

/// All members as text; `with_formats` false: but for number formats.
template <NamesItsFields Problem>
[[nodiscard]] std::vector<RecordedField> recorded_fields(Problem problem, bool with_formats = true) {
  std::vector<RecordedField> texts;
  detail::walk_fields(problem, [&]<class Member>(const std::string& name, Member& member) {
    if (with_formats || !std::is_same_v<Member, ElementFormat>) texts.push_back({name, detail::text_of_field(member)});
  });
  return texts;
}

/// Sets members from their texts; those that no text names stay as they are. `ErrorKind::malformed` names the field
/// whose text cannot be read, or that the problem has not.
template <NamesItsFields Problem>
[[nodiscard]] Result<Problem> with_fields(Problem problem, const std::vector<RecordedField>& texts) {
  std::string wrong;
  std::size_t used = 0;
  detail::walk_fields(problem, [&]<class Member>(const std::string& name, Member& member) {
    for (const RecordedField& field : texts) {
      if (field.name != name) continue;
      ++used;
      if (!detail::read_field(field.value, member) && wrong.empty())
        wrong = name + " cannot be '" + field.value + "'; it is, for instance, " + detail::text_of_field(member);
    }
  });
  if (wrong.empty() && used < texts.size())
    wrong = std::to_string(texts.size() - used) + " of " + std::to_string(texts.size()) +
            " fields are not the problem's; it has those of " + name_of(problem);
  if (!wrong.empty()) return failure(ErrorKind::malformed, wrong);
  return Result<Problem>(std::move(problem));
}

}  // namespace assay::inline v0
