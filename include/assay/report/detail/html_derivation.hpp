#pragma once

#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "assay/report/markup.hpp"
#include "assay/report/text.hpp"

namespace assay::inline v0::detail {

/// One statement of a derivation: "L = 64 roundings" names L and says "= 64 roundings"; "data: normal" names data.
struct DerivationStep {
  std::string name;  ///< empty if the statement names nothing
  std::string text;
};

/// A line cut at the semicolons that stand in no bracket, each part split after a short name that ends in " = " or ":
/// ".
[[nodiscard]] std::vector<DerivationStep> derivation_steps(const std::convertible_to<std::string_view> auto& given) {
  const std::string_view line = given;
  constexpr std::size_t longest_symbol = 12, longest_name = 28;
  std::vector<DerivationStep> steps;
  std::size_t begin = 0;
  int depth = 0;
  for (std::size_t i = 0; i <= line.size(); ++i) {
    const char letter = i < line.size() ? line[i] : ';';
    if (letter == '(' || letter == '[') ++depth;
    if ((letter == ')' || letter == ']') && depth > 0) --depth;
    if (i < line.size() && (letter != ';' || depth > 0 || (i + 1 < line.size() && line[i + 1] != ' '))) continue;
    std::string_view part = line.substr(begin, i - begin);
    while (!part.empty() && part.front() == ' ') part.remove_prefix(1);
    begin = i + 1;
    if (part.empty()) continue;
    const std::size_t equals = part.find(" = "), colon = part.find(": ");
    if (equals < colon && display_width(part.substr(0, equals)) <= longest_symbol)
      steps.push_back({std::string(part.substr(0, equals)), std::string(part.substr(equals + 1))});
    else if (colon < equals && display_width(part.substr(0, colon)) <= longest_name)
      steps.push_back({std::string(part.substr(0, colon)), std::string(part.substr(colon + 2))});
    else
      steps.push_back({"", std::string(part)});
  }
  return steps;
}

/// A derivation as numbered steps of names and what they are, the names in a column.
[[nodiscard]] std::string derivation_markup(const std::vector<std::string>& derivation);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/report/detail/html_derivation.ipp"
#endif
