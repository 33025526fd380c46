#pragma once

#include "assay/release/version_constraint.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

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
  const bool equal = is_glob(clause.text) ? glob_matches(clause.text, value)
                     : versions           ? version.value() == *clause.version
                                          : clause.text == value;
  return equal == (clause.comparison == VersionOperator::equal);
}

namespace detail {

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE const std::vector<std::pair<std::string, VersionOperator>>&
version_operators() {
  static const std::vector<std::pair<std::string, VersionOperator>> all{
      {">=", VersionOperator::at_least},  {"<=", VersionOperator::at_most}, {"==", VersionOperator::equal},
      {"!=", VersionOperator::not_equal}, {">", VersionOperator::greater},  {"<", VersionOperator::less},
      {"=", VersionOperator::equal}};
  return all;
}

/// Cuts a constraint into operators, values and the signs "|" and "..".
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::vector<std::string> constraint_tokens(std::string_view text) {
  constexpr std::string_view signs = "<>=!", blanks = " \t\r\n,";
  std::vector<std::string> tokens;
  for (std::size_t at = 0; at < text.size();) {
    if (blanks.find(text[at]) != std::string_view::npos) {
      ++at;
      continue;
    }
    const std::size_t from = at;
    if (text[at] == '|')
      while (at < text.size() && text[at] == '|') ++at;
    else if (signs.find(text[at]) != std::string_view::npos)
      while (at < text.size() && signs.find(text[at]) != std::string_view::npos) ++at;
    else
      while (at < text.size() && text[at] != '|' && signs.find(text[at]) == std::string_view::npos &&
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
    } else if (std::string_view("<>=!").find(token[0]) != std::string_view::npos) {
      if (pending) return refused("a value is missing before '" + token + "'");
      std::vector<std::string> known;
      for (const auto& [name, meaning] : detail::version_operators()) {
        known.push_back(name);
        if (name != token) continue;
        comparison = meaning;
        pending = true;
      }
      if (!pending) return refused(unknown_name("operator", token, known));
    } else {
      VersionClause clause{pending ? comparison : VersionOperator::equal, token, std::nullopt};
      if (const Result<Version> version = parse_version(token)) clause.version = version.value();
      clauses.push_back(std::move(clause));
      pending = range = false;
    }
  }
  if (pending || constraint.alternatives.back().empty())
    return refused(text.empty() ? "it is empty" : "a value is missing at its end");
  for (const auto& clauses : constraint.alternatives)
    for (const VersionClause& clause : clauses)
      if (is_ordering(clause.comparison) && !clause.version)
        return refused("'" + clause.text + "' is no version, so that nothing is more or less than it");
  return constraint;
}

}  // namespace assay::inline v0
