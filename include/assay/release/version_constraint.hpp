#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "assay/core/nearest_name.hpp"
#include "assay/core/result.hpp"
#include "assay/release/version.hpp"
#include "assay/suite/glob.hpp"

namespace assay::inline v0 {

/// How a value is compared with that of a clause.
enum class VersionOperator { equal, not_equal, less, at_most, greater, at_least };

/// "at least 12.6", "not rocm-*".
struct VersionClause {
  VersionOperator comparison = VersionOperator::equal;  ///< how a version is held against it
  std::string text;                                     ///< the value; for equality it may be a glob
  std::optional<Version> version;                       ///< where the value is one
};

/// Whether the operator asks for an order of versions, not for a match.
[[nodiscard]] constexpr bool is_ordering(VersionOperator comparison) noexcept {
  return comparison != VersionOperator::equal && comparison != VersionOperator::not_equal;
}

/// What values are allowed: any of the alternatives, in each of which all clauses hold.
struct VersionConstraint {
  std::string text;  ///< as it was written
  std::vector<std::vector<VersionClause>> alternatives;

  /// Whether some clause asks for an order, which only versions have.
  [[nodiscard]] bool needs_versions() const {
    for (const auto& clauses : alternatives)
      for (const VersionClause& clause : clauses)
        if (is_ordering(clause.comparison)) return true;
    return false;
  }

  /// Whether the value is allowed. Values that are versions are compared as such ("12" == "12.0"); others as text. What is no
  /// version satisfies no clause that asks for an order.
  [[nodiscard]] bool allows(std::string_view value) const {
    const Result<Version> version = parse_version(value);
    return std::any_of(alternatives.begin(), alternatives.end(), [&](const std::vector<VersionClause>& clauses) {
      return std::all_of(clauses.begin(), clauses.end(), [&](const VersionClause& clause) { return holds(clause, value, version); });
    });
  }

 private:
  [[nodiscard]] static bool holds(const VersionClause& clause, std::string_view value, const Result<Version>& version) {
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
};

namespace detail {

[[nodiscard]] inline const std::vector<std::pair<std::string, VersionOperator>>& version_operators() {
  static const std::vector<std::pair<std::string, VersionOperator>> all{
      {">=", VersionOperator::at_least},  {"<=", VersionOperator::at_most}, {"==", VersionOperator::equal},
      {"!=", VersionOperator::not_equal}, {">", VersionOperator::greater},  {"<", VersionOperator::less},
      {"=", VersionOperator::equal}};
  return all;
}

/// Cuts a constraint into operators, values and the signs "|" and "..".
[[nodiscard]] inline std::vector<std::string> constraint_tokens(std::string_view text) {
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

/// Reads a constraint: clauses that all hold, separated by commas or blanks, and alternatives, separated by "|":
/// ">= 12.6, < 13", "== 2.4.*", "12.4 .. 12.8" (both ends belong to it), "H100 | H200", "!= 550.40". A value alone means "==".
/// Errors: `malformed`, with the place.
[[nodiscard]] inline Result<VersionConstraint> parse_version_constraint(std::string_view text) {
  const auto refused = [&](const std::string& why) {
    return failure(ErrorKind::malformed, "the constraint '" + std::string(text.substr(0, 80)) + "' cannot be read: " + why +
                                             "; give something like '>= 12.6, < 13'");
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
  if (pending || constraint.alternatives.back().empty()) return refused(text.empty() ? "it is empty" : "a value is missing at its end");
  for (const auto& clauses : constraint.alternatives)
    for (const VersionClause& clause : clauses)
      if (is_ordering(clause.comparison) && !clause.version)
        return refused("'" + clause.text + "' is no version, so that nothing is more or less than it");
  return constraint;
}

}  // namespace assay::inline v0
