#pragma once

#include <charconv>
#include <cstddef>
#include <string>
#include <string_view>
#include <system_error>

#include "assay/core/result.hpp"

namespace assay::inline v0 {

/// One part of a run that is spread over several machines: part `index` of `count`, 1 ≤ index ≤ count.
struct Shard {
  std::size_t index = 1;
  std::size_t count = 1;

  /// Whether the case at `position` of the selected list is in this part: every count-th one, so that neighbors, which
  /// tend to cost alike, are spread. The parts are disjoint and together whole. Precondition: a valid shard.
  [[nodiscard]] constexpr bool holds(std::size_t position) const noexcept { return position % count == index - 1; }
};

/// "2/8": the second of eight parts.
[[nodiscard]] inline std::string name_of(const Shard& shard) {
  return std::to_string(shard.index) + "/" + std::to_string(shard.count);
}

/// The shard itself, or `ErrorKind::invalid` unless 1 ≤ index ≤ count.
[[nodiscard]] inline Result<Shard> checked(const Shard& shard) {
  if (shard.count >= 1 && shard.index >= 1 && shard.index <= shard.count) return shard;
  return failure(ErrorKind::invalid, "shard " + name_of(shard) +
                                         " does not exist; give i/n with 1 ≤ i ≤ n, such as 1/4 for the first of four");
}

/// Reads "i/n".
[[nodiscard]] inline Result<Shard> parse_shard(std::string_view text) {
  Shard shard;
  const auto read = [](std::string_view digits, std::size_t& number) {
    const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return code == std::errc() && end == digits.data() + digits.size();
  };
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos || !read(text.substr(0, slash), shard.index) ||
      !read(text.substr(slash + 1), shard.count))
    return failure(ErrorKind::invalid,
                   "shard '" + std::string(text) + "' cannot be read; give i/n with 1 ≤ i ≤ n, such as 1/4");
  return checked(shard);
}

}  // namespace assay::inline v0
