#pragma once

#include "assay/release/version.hpp"

#include <algorithm>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE bool all_digits(std::string_view text) noexcept {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char letter) { return letter >= '0' && letter <= '9'; });
}

/// The order of two numbers given as digits without leading zeros.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::weak_ordering compare_digits(std::string_view left,
                                                                           std::string_view right) noexcept {
  if (left.size() != right.size()) return left.size() <=> right.size();
  return left.compare(right) <=> 0;
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::weak_ordering compare_identifiers(std::string_view left,
                                                                                std::string_view right) noexcept {
  const bool left_number = all_digits(left), right_number = all_digits(right);
  if (left_number && right_number) return compare_digits(left, right);
  if (left_number != right_number) return left_number ? std::weak_ordering::less : std::weak_ordering::greater;
  return left.compare(right) <=> 0;
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string without_leading_zeros(std::string_view digits) {
  const std::size_t first = digits.find_first_not_of('0');
  return first == std::string_view::npos ? "0" : std::string(digits.substr(first));
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::vector<std::string_view> split_at(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t from = 0;;) {
    const std::size_t at = text.find(separator, from);
    parts.push_back(text.substr(from, at == std::string_view::npos ? at : at - from));
    if (at == std::string_view::npos) return parts;
    from = at + 1;
  }
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE bool is_version_identifier(std::string_view text) noexcept {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char letter) {
    return (letter >= '0' && letter <= '9') || (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
           letter == '-';
  });
}

ASSAY_DETAIL_HEADER_INLINE Result<Version> read_version(std::string_view text, bool semantic) {
  const auto refused = [&](const std::string& why) {
    return failure(ErrorKind::malformed, "'" + std::string(text.substr(0, 60)) + "' is no " +
                                             (semantic ? "version of SemVer 2.0.0" : "version") + ": " + why +
                                             (semantic ? "; give something like 1.4.0-rc.1+build5"
                                                       : "; give numbers with dots, such as 550.54.15 or 2.4.0-rc1"));
  };
  if (text.size() > longest_version)
    return refused("it has " + std::to_string(text.size()) + " characters, more than " +
                   std::to_string(longest_version));
  Version version;
  std::string_view rest = text;
  if (const std::size_t plus = rest.find('+'); plus != std::string_view::npos) {
    version.build = std::string(rest.substr(plus + 1));
    rest = rest.substr(0, plus);
    for (const std::string_view part : split_at(version.build, '.'))
      if (!is_version_identifier(part))
        return refused("behind '+' stand identifiers of letters, digits and '-', with dots between them");
  }
  if (const std::size_t dash = rest.find('-'); dash != std::string_view::npos) {
    for (const std::string_view part : split_at(rest.substr(dash + 1), '.')) {
      if (!is_version_identifier(part))
        return refused("behind '-' stand identifiers of letters, digits and '-', with dots between them");
      if (semantic && all_digits(part) && part.size() > 1 && part[0] == '0')
        return refused("the identifier '" + std::string(part) + "' is a number with a leading zero");
      version.prerelease.push_back(all_digits(part) ? without_leading_zeros(part) : std::string(part));
    }
    rest = rest.substr(0, dash);
  }
  for (const std::string_view part : split_at(rest, '.')) {
    if (!all_digits(part))
      return refused(part.empty() ? "a number is missing" : "'" + std::string(part.substr(0, 20)) + "' is no number");
    if (semantic && part.size() > 1 && part[0] == '0') return refused("'" + std::string(part) + "' has a leading zero");
    version.numbers.push_back(without_leading_zeros(part));
  }
  if (semantic && version.numbers.size() != 3)
    return refused("it has " + std::to_string(version.numbers.size()) + " numbers and needs three");
  return version;
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE std::weak_ordering operator<=>(const Version& left, const Version& right) noexcept {
  const std::size_t numbers = std::max(left.numbers.size(), right.numbers.size());
  const auto number = [](const Version& version, std::size_t i) {
    return i < version.numbers.size() ? std::string_view(version.numbers[i]) : "0";
  };
  for (std::size_t i = 0; i < numbers; ++i)
    if (const auto order = detail::compare_digits(number(left, i), number(right, i)); order != 0) return order;
  if (left.prerelease.empty() != right.prerelease.empty())
    return left.prerelease.empty() ? std::weak_ordering::greater : std::weak_ordering::less;
  for (std::size_t i = 0; i < std::min(left.prerelease.size(), right.prerelease.size()); ++i)
    if (const auto order = detail::compare_identifiers(left.prerelease[i], right.prerelease[i]); order != 0)
      return order;
  return left.prerelease.size() <=> right.prerelease.size();
}

}  // namespace assay::inline v0
