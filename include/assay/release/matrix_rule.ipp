#pragma once

#include "assay/release/matrix_rule.hpp"

#include <algorithm>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

ASSAY_DETAIL_HEADER_INLINE std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t from = text.find_first_not_of(" \t\r\n", at);
    if (from == std::string_view::npos) break;
    at = std::min(text.find_first_of(" \t\r\n", from), text.size());
    words.emplace_back(text.substr(from, at - from));
  }
  return words;
}

/// "driver >= 550, < 560": an axis and a constraint.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE Result<MatrixCondition> parse_matrix_condition(std::string_view text) {
  const std::size_t end = std::min(text.find_first_of(" \t<>=!^~"), text.size());
  if (end == 0 || text.find_first_not_of(" \t", end) == std::string_view::npos)
    return failure(ErrorKind::malformed, "'" + std::string(text.substr(0, 80)) +
                                             "' is no condition; give an axis and its values, such as 'driver >= 550'");
  auto constraint = parse_version_constraint(text.substr(text.find_first_not_of(" \t", end)));
  if (!constraint) return constraint.propagate();
  return MatrixCondition{std::string(text.substr(0, end)), std::move(constraint).value()};
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE Result<MatrixRule> parse_matrix_rule(std::string_view text) {
  const auto refused = [&](const std::string& why) {
    return failure(ErrorKind::malformed, "the rule '" + std::string(text.substr(0, 120)) + "' cannot be read: " + why);
  };
  MatrixRule rule;
  rule.name = std::string(text);
  std::vector<std::string> sides[2]{{""}, {""}};
  std::size_t side = 0;
  for (const std::string& word : detail::words_of(text)) {
    if (word == "requires" || word == "excludes") {
      if (side == 1) return refused("'requires' or 'excludes' stands in it twice; make two rules of it");
      rule.kind = word == "requires" ? MatrixRule::Kind::needs : MatrixRule::Kind::excludes;
      side = 1;
    } else if (word == "and") {
      sides[side].emplace_back();
    } else {
      sides[side].back() += (sides[side].back().empty() ? "" : " ") + word;
    }
  }
  if (side == 0)
    return refused(
        "neither 'requires' nor 'excludes' stands in it; give something like 'cuda >= 12.6 requires driver >= 550'");
  for (std::size_t i = 0; i < 2; ++i)
    for (const std::string& condition : sides[i]) {
      auto read = detail::parse_matrix_condition(condition);
      if (!read) return refused(read.error().message);
      (i == 0 ? rule.when : rule.then).push_back(std::move(read).value());
    }
  return rule;
}

}  // namespace assay::inline v0
