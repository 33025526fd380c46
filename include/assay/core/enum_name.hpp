#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

namespace assay::inline v0 {

namespace detail {

inline constexpr int most_enumerators = 64;
using EnumeratorNames = std::array<std::string_view, most_enumerators>;

/// The names in a list of enumerators as compilers print it: "Values = {n::E::first, (n::E)1}]" (g++), "Values =
/// <first, (E)1>]" (clang), "n::E Values = n::E::first; n::E Values = (n::E)1]" (nvcc); empty where a value has none,
/// which is printed as a cast or a number. One walk over one text: a template for each value costs compilers four or
/// five times as much.
[[nodiscard]] constexpr EnumeratorNames parse_enumerators(std::string_view text) noexcept {
  constexpr std::string_view mark = "Values = ";
  EnumeratorNames names{};
  std::size_t start = text.find(mark) + mark.size(), known = 0;
  const bool is_list = text[start] == '{' || text[start] == '<';
  if (is_list) ++start;
  int depth = 0;
  for (std::size_t i = start; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '(' || c == '<' || c == '{' || c == '[') {
      ++depth;
    } else if (depth > 0) {
      if (c == ')' || c == '>' || c == '}' || c == ']') --depth;
      if (depth == 0) start = i + 1;
    } else if (c == ':') {
      start = i + 1;
    } else if (c == ',' || c == '>' || c == '}' || c == ';' || c == ']') {
      const bool number = start == i || text[start] == '-' || (text[start] >= '0' && text[start] <= '9');
      if (!number) names[known] = text.substr(start, i - start);
      if (++known == names.size()) break;
      start = is_list ? i + 2 : text.find(mark, i) + mark.size();
      i = start - 1;
    }
  }
  return names;
}

template <auto... Values>
[[nodiscard]] constexpr EnumeratorNames printed_enumerators() noexcept {
  return parse_enumerators(__PRETTY_FUNCTION__);
}

/// The names of the values 0 to 63 of E.
template <class E>
inline constexpr EnumeratorNames enumerator_names = []<int... Values>(std::integer_sequence<int, Values...>) {
  return printed_enumerators<static_cast<E>(Values)...>();
}
(std::make_integer_sequence<int, most_enumerators>{});

}  // namespace detail

/// The enumerator of that value as it is spelled in the source; empty if there is none from 0 to 63. E has a fixed
/// underlying type. g++ and clang.
template <class E>
requires std::is_enum_v<E>
[[nodiscard]] constexpr std::string_view enum_name(E value) {
  const auto position = static_cast<long long>(value);
  return position >= 0 && position < detail::most_enumerators
             ? detail::enumerator_names<E>[static_cast<std::size_t>(position)]
             : std::string_view();
}

/// The enumerator that is spelled so, see `enum_name`.
template <class E>
requires std::is_enum_v<E>
[[nodiscard]] constexpr std::optional<E> enum_named(std::string_view name) {
  for (int value = 0; value < detail::most_enumerators && !name.empty(); ++value)
    if (detail::enumerator_names<E>[static_cast<std::size_t>(value)] == name) return static_cast<E>(value);
  return std::nullopt;
}

}  // namespace assay::inline v0
