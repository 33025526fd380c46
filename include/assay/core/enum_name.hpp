#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

namespace assay::inline v0 {

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

/// The names of the values 0 to 63 of E.
template <class E>
inline constexpr auto enumerator_names = []<int... Values>(std::integer_sequence<int, Values...>) {
  return std::array<std::string_view, most_enumerators>{printed_enumerator<static_cast<E>(Values)>()...};
}
(std::make_integer_sequence<int, most_enumerators>{});

}  // namespace detail

/// The enumerator of that value as it is spelled in the source; empty if there is none from 0 to 63. E has a fixed underlying type. g++ and clang.
template <class E>
requires std::is_enum_v<E>
[[nodiscard]] constexpr std::string_view enum_name(E value) {
  const auto position = static_cast<long long>(value);
  return position >= 0 && position < detail::most_enumerators ? detail::enumerator_names<E>[static_cast<std::size_t>(position)]
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
