#pragma once

#include "assay/core/parsed_version.hpp"

#include <algorithm>
#include <optional>
#include <utility>

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

/// The one word for all that mean the same kind of prerelease; empty for other words. Lower case.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string_view prerelease_word(std::string_view word) noexcept {
  static constexpr std::pair<std::string_view, std::string_view> words[]{{"dev", development},
                                                                         {"nightly", development},
                                                                         {"snapshot", development},
                                                                         {"canary", development},
                                                                         {"a", "a"},
                                                                         {"alpha", "a"},
                                                                         {"b", "b"},
                                                                         {"beta", "b"},
                                                                         {"c", "rc"},
                                                                         {"rc", "rc"},
                                                                         {"pre", "rc"},
                                                                         {"preview", "rc"},
                                                                         {"ea", "rc"}};
  for (const auto& [name, meaning] : words)
    if (name == word) return meaning;
  return {};
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE bool is_digit(char letter) noexcept {
  return letter >= '0' && letter <= '9';
}

/// The identifiers of what stands behind the numbers of a version, cut where letters and digits meet; nothing if it is
/// no such text. `separators` stand between parts, of which none is empty.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::optional<std::vector<std::string>> suffix_identifiers(
    std::string_view text) {
  std::vector<std::string> identifiers;
  bool separated = true;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '-' || text[at] == '.' || text[at] == '~') {
      if (separated && at > 0) return std::nullopt;
      if (text[at] == '~') identifiers.emplace_back(before_all);
      separated = true;
      ++at;
      continue;
    }
    std::string word;
    const bool digits = is_digit(text[at]);
    for (; at < text.size() && is_digit(text[at]) == digits && text[at] != '-' && text[at] != '.' && text[at] != '~';
         ++at) {
      const char letter = text[at] >= 'A' && text[at] <= 'Z' ? static_cast<char>(text[at] - 'A' + 'a') : text[at];
      if (!digits && (letter < 'a' || letter > 'z')) return std::nullopt;
      word += letter;
    }
    const std::string_view known = prerelease_word(word);
    identifiers.push_back(digits ? without_leading_zeros(word) : known.empty() ? word : std::string(known));
    separated = false;
  }
  return separated ? std::nullopt : std::optional(identifiers);
}

/// What may stand behind the numbers: a prerelease if its first word is one, else a revision.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE bool read_suffix(std::string_view text, Version& version) {
  auto identifiers = suffix_identifiers(text);
  if (!identifiers) return false;
  const bool glued = text[0] != '-' && text[0] != '.' && text[0] != '~';
  const std::string& first = identifiers->front();
  const bool known = first == before_all || first == development || first == "a" || first == "b" || first == "rc";
  if (glued && !known && first.size() != 1 && first != "post" && first != "p") return false;  // "12abc" is nobody's
  if (first == "x" || first == "*") return false;                                             // "12.x" is many versions
  (known ? version.prerelease : version.revision) = std::move(*identifiers);
  return true;
}

/// Identifiers behind '-' as SemVer has them. Returns what is wrong.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string read_semantic_prerelease(std::string_view text, Version& version) {
  for (const std::string_view part : split_at(text, '.')) {
    if (!is_version_identifier(part))
      return "behind '-' stand identifiers of letters, digits and '-', with dots between them";
    if (all_digits(part) && part.size() > 1 && part[0] == '0')
      return "the identifier '" + std::string(part) + "' is a number with a leading zero";
    version.prerelease.push_back(std::string(part));
  }
  return {};
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
  if (semantic) {
    if (const std::size_t dash = rest.find('-'); dash != std::string_view::npos) {
      if (const std::string wrong = read_semantic_prerelease(rest.substr(dash + 1), version); !wrong.empty())
        return refused(wrong);
      rest = rest.substr(0, dash);
    }
  } else {
    if (const std::size_t colon = rest.find(':');
        colon != std::string_view::npos && all_digits(rest.substr(0, colon))) {
      version.epoch = without_leading_zeros(rest.substr(0, colon));
      rest = rest.substr(colon + 1);
    }
    if (rest.size() > 1 && (rest[0] == 'v' || rest[0] == 'V' || rest[0] == 'R' || rest[0] == 'r') && is_digit(rest[1]))
      rest.remove_prefix(1);
    std::size_t end = 0;
    while (end < rest.size() &&
           (is_digit(rest[end]) || (rest[end] == '.' && end + 1 < rest.size() && end > 0 && is_digit(rest[end + 1]))))
      ++end;
    const std::string_view suffix = rest.substr(end);
    if (end > 0 && !suffix.empty()) {
      if (!read_suffix(suffix, version))
        return refused("'" + std::string(suffix.substr(0, 20)) +
                       "' behind the numbers is neither a prerelease nor a revision");
      rest = rest.substr(0, end);
    }
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

/// The order of identifiers: what is longer is later, unless it goes on with "dev" or '~'.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::weak_ordering compare_identifier_lists(
    const std::vector<std::string>& left, const std::vector<std::string>& right) noexcept {
  const auto rank = [](const std::string& identifier) {
    return identifier == before_all ? 0 : identifier == development ? 1 : 2;
  };
  for (std::size_t i = 0; i < std::min(left.size(), right.size()); ++i) {
    if (rank(left[i]) != rank(right[i])) return rank(left[i]) <=> rank(right[i]);
    if (const auto order = compare_identifiers(left[i], right[i]); order != 0) return order;
  }
  if (left.size() == right.size()) return std::weak_ordering::equivalent;
  const auto& longer = left.size() > right.size() ? left : right;
  const bool earlier = rank(longer[std::min(left.size(), right.size())]) < 2;
  return earlier == (left.size() > right.size()) ? std::weak_ordering::less : std::weak_ordering::greater;
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE std::weak_ordering operator<=>(const Version& left, const Version& right) noexcept {
  if (const auto order = detail::compare_digits(left.epoch, right.epoch); order != 0) return order;
  const std::size_t numbers = std::max(left.numbers.size(), right.numbers.size());
  const auto number = [](const Version& version, std::size_t i) {
    return i < version.numbers.size() ? std::string_view(version.numbers[i]) : "0";
  };
  for (std::size_t i = 0; i < numbers; ++i)
    if (const auto order = detail::compare_digits(number(left, i), number(right, i)); order != 0) return order;
  if (left.prerelease.empty() != right.prerelease.empty())
    return left.prerelease.empty() ? std::weak_ordering::greater : std::weak_ordering::less;
  if (const auto order = detail::compare_identifier_lists(left.prerelease, right.prerelease); order != 0) return order;
  return detail::compare_identifier_lists(left.revision, right.revision);
}

}  // namespace assay::inline v0
