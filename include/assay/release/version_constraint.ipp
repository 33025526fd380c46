#pragma once

#include "assay/release/version_constraint.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

/// Whether the numbers of a version begin with those of a series, "12.4" of "12.4.*".
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE bool is_of_series(const Version& version, const Version& series) noexcept {
  if (version.epoch != series.epoch) return false;
  for (std::size_t i = 0; i < series.numbers.size(); ++i)
    if ((i < version.numbers.size() ? version.numbers[i] : "0") != series.numbers[i]) return false;
  return true;
}

/// The numbers of "12.4.*", "12.4.x" or "12.x.x"; nothing for other texts.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::optional<Version> version_series(std::string_view text) {
  bool any = false;
  while (text.size() > 2 && text[text.size() - 2] == '.' &&
         (text.back() == '*' || text.back() == 'x' || text.back() == 'X')) {
    text.remove_suffix(2);
    any = true;
  }
  if (!any) return std::nullopt;
  auto version = parse_version(text);
  if (!version || !version.value().prerelease.empty() || !version.value().revision.empty() ||
      !version.value().build.empty())
    return std::nullopt;
  return std::move(version).value();
}

/// The first version behind all whose numbers begin with the first `count` of `version`: 13 for 12 of 12.4.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE Version behind_series(const Version& version, std::size_t count) {
  Version next;
  next.epoch = version.epoch;
  next.numbers.assign(version.numbers.begin(), version.numbers.begin() + static_cast<std::ptrdiff_t>(count));
  std::string& last = next.numbers.back();
  std::size_t at = last.size();
  while (at > 0 && last[at - 1] == '9') last[--at] = '0';
  if (at == 0)
    last.insert(0, "1");
  else
    ++last[at - 1];
  next.prerelease = {std::string(before_all)};
  return next;
}

/// How many of its numbers a version must share with one that a caret allows: up to the first that is not 0.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::size_t caret_numbers(const Version& version) noexcept {
  std::size_t count = 1;
  while (count < version.numbers.size() && version.numbers[count - 1] == "0") ++count;
  return count;
}

/// Two clauses for an operator that is one word for both; a message where it does not fit the version.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE Result<std::vector<VersionClause>> compound_clauses(const std::string& sign,
                                                                                             const std::string& text) {
  const auto version = parse_version(text);
  if (!version) return failure(ErrorKind::malformed, "'" + sign + "' needs a version: " + version.error().message);
  const std::size_t numbers = version.value().numbers.size();
  if (sign == "~=" && numbers < 2)
    return failure(ErrorKind::malformed,
                   "'~= " + text + "' has one number, and '~=' needs two at least; give '>= " + text + "'");
  const std::size_t shared = sign == "^"   ? caret_numbers(version.value())
                             : sign == "~" ? std::min<std::size_t>(numbers, 2)
                                           : std::max<std::size_t>(numbers - 1, 1);
  return std::vector<VersionClause>{
      {VersionOperator::at_least, text, version.value(), std::nullopt},
      {VersionOperator::less, text, behind_series(version.value(), shared), std::nullopt}};
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE bool VersionConstraint::holds(const VersionClause& clause, std::string_view value,
                                                         const Result<Version>& version) {
  const bool versions = version && clause.version;
  if (is_ordering(clause.comparison)) {
    if (!versions) return false;
    const auto order = version.value() <=> *clause.version;
    switch (clause.comparison) {
      case VersionOperator::less: return order < 0;
      case VersionOperator::at_most: return order <= 0;
      case VersionOperator::greater: return order > 0;
      default: return order >= 0;
    }
  }
  if (clause.comparison == VersionOperator::identical) return clause.text == value;
  const bool same_build =
      !clause.version || clause.version->build.empty() || !version || version.value().build == clause.version->build;
  const bool equal = clause.series && version ? detail::is_of_series(version.value(), *clause.series)
                     : is_glob(clause.text)   ? glob_matches(clause.text, value)
                     : versions               ? version.value() == *clause.version && same_build
                                              : clause.text == value;
  return equal == (clause.comparison == VersionOperator::equal);
}

namespace detail {

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE const std::vector<std::pair<std::string, VersionOperator>>&
version_operators() {
  static const std::vector<std::pair<std::string, VersionOperator>> all{
      {">=", VersionOperator::at_least},  {"<=", VersionOperator::at_most},   {"==", VersionOperator::equal},
      {"!=", VersionOperator::not_equal}, {">", VersionOperator::greater},    {"<", VersionOperator::less},
      {"=", VersionOperator::equal},      {"===", VersionOperator::identical}};
  return all;
}

/// Operators that stand for two clauses.
inline constexpr std::string_view compound_operators[]{"~=", "~>", "~", "^"};
inline constexpr std::string_view operator_signs = "<>=!^~";

/// Cuts a constraint into operators, values and the signs "|" and "..".
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::vector<std::string> constraint_tokens(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n,";
  std::vector<std::string> tokens;
  for (std::size_t at = 0; at < text.size();) {
    if (blanks.find(text[at]) != std::string_view::npos) {
      ++at;
      continue;
    }
    const std::size_t from = at;
    if (text[at] == '|')
      while (at < text.size() && text[at] == '|') ++at;
    else if (operator_signs.find(text[at]) != std::string_view::npos)
      while (at < text.size() && operator_signs.find(text[at]) != std::string_view::npos) ++at;
    else  // '~' within a version is part of it: "1.2~rc1"
      while (at < text.size() && text[at] != '|' &&
             (operator_signs.find(text[at]) == std::string_view::npos || text[at] == '~') &&
             blanks.find(text[at]) == std::string_view::npos)
        ++at;
    tokens.emplace_back(text.substr(from, at - from));
  }
  return tokens;
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE Result<VersionConstraint> parse_version_constraint(std::string_view text) {
  const auto refused = [&](const std::string& why) {
    return failure(ErrorKind::malformed, "the constraint '" + std::string(text.substr(0, 80)) +
                                             "' cannot be read: " + why + "; give something like '>= 12.6, < 13'");
  };
  if (text.size() > 4096) return refused("it has more than 4096 characters");
  VersionConstraint constraint{std::string(text), {{}}};
  VersionOperator comparison = VersionOperator::equal;
  bool pending = false, range = false;  // an operator, or "..", waits for its value
  std::string compound;                 // the operator that waits, if it stands for two clauses
  for (const std::string& token : detail::constraint_tokens(text)) {
    std::vector<VersionClause>& clauses = constraint.alternatives.back();
    if (token[0] == '|') {
      if (pending || range || clauses.empty()) return refused("a value is missing before '" + token + "'");
      constraint.alternatives.emplace_back();
    } else if (token == "..") {
      if (pending || range || clauses.empty() || clauses.back().comparison != VersionOperator::equal)
        return refused("'..' stands between two versions");
      clauses.back().comparison = VersionOperator::at_least;
      comparison = VersionOperator::at_most;
      pending = range = true;
    } else if (detail::operator_signs.find(token[0]) != std::string_view::npos) {
      if (pending) return refused("a value is missing before '" + token + "'");
      std::vector<std::string> known;
      for (const auto& [name, meaning] : detail::version_operators()) {
        known.push_back(name);
        if (name != token) continue;
        comparison = meaning;
        pending = true;
      }
      for (const std::string_view name : detail::compound_operators) {
        known.emplace_back(name);
        if (name != token) continue;
        compound = token;
        pending = true;
      }
      if (!pending) return refused(unknown_name("operator", token, known));
    } else if (!compound.empty()) {
      const auto both = detail::compound_clauses(compound, token);
      if (!both) return refused(both.error().message);
      clauses.insert(clauses.end(), both.value().begin(), both.value().end());
      compound.clear();
      pending = false;
    } else {
      VersionClause clause{pending ? comparison : VersionOperator::equal, token, std::nullopt, std::nullopt};
      if (const Result<Version> version = parse_version(token)) clause.version = version.value();
      if (!is_ordering(clause.comparison)) clause.series = detail::version_series(token);
      clauses.push_back(std::move(clause));
      pending = range = false;
    }
  }
  if (pending || constraint.alternatives.back().empty())
    return refused(text.empty() ? "it is empty" : "a value is missing at its end");
  for (const auto& clauses : constraint.alternatives)
    for (const VersionClause& clause : clauses)
      if (is_ordering(clause.comparison) && !clause.version && detail::version_series(clause.text))
        return refused("'" + clause.text + "' is many versions, and nothing is more or less than all of them; give '" +
                       clause.text.substr(0, clause.text.find_last_not_of(".*xX") + 1) + "'");
      else if (is_ordering(clause.comparison) && !clause.version)
        return refused("'" + clause.text + "' is no version, so that nothing is more or less than it");
  return constraint;
}

}  // namespace assay::inline v0
