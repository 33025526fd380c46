#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

namespace assay {

namespace detail {

/// The spelling of an enumerator as the compiler prints it; empty where the value has none, which is printed as a cast or a number.
template <auto Value>
[[nodiscard]] constexpr std::string_view printed_enumerator() noexcept {
  const std::string_view text = __PRETTY_FUNCTION__;
  const std::size_t first = text.find("Value = ") + 8;
  const std::string_view value = text.substr(first, text.find_first_of(";]", first) - first);
  const std::string_view name = value.substr(value.rfind(':') + 1);
  const bool number = name.find(')') != name.npos || name.front() == '-' || (name.front() >= '0' && name.front() <= '9');
  return number ? std::string_view() : name;
}

inline constexpr int most_enumerators = 64;

/// Calls `visit(value, name)` for the enumerators of E with the values 0 to 63, until it gives true.
template <class E, class Visit>
constexpr bool find_enumerator(Visit visit) {
  return [&]<int... Values>(std::integer_sequence<int, Values...>) {
    return ((!printed_enumerator<static_cast<E>(Values)>().empty() && visit(static_cast<E>(Values), printed_enumerator<static_cast<E>(Values)>())) || ...);
  }(std::make_integer_sequence<int, most_enumerators>{});
}

}  // namespace detail

/// The enumerator of that value as it is spelled in the source; empty if there is none from 0 to 63. E has a fixed underlying type. g++ and clang.
template <class E>
  requires std::is_enum_v<E>
[[nodiscard]] constexpr std::string_view enum_name(E value) {
  std::string_view name;
  detail::find_enumerator<E>([&](E other, std::string_view own) { return other == value && (name = own, true); });
  return name;
}

/// The enumerator that is spelled so, see `enum_name`.
template <class E>
  requires std::is_enum_v<E>
[[nodiscard]] constexpr std::optional<E> enum_named(std::string_view name) {
  std::optional<E> value;
  detail::find_enumerator<E>([&](E other, std::string_view own) { return own == name && (value = other, true); });
  return value;
}

}  // namespace assay
