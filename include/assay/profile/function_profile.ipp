#pragma once

#include "assay/profile/function_profile.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Table function_table(const std::vector<FunctionProfile>& profiles, int digits) {
  const auto figure = [](double value) { return detail::printed_number(value, 9); };
  const auto share = [digits](std::uint64_t part, std::uint64_t whole) {
    return detail::printed_number(whole == 0 ? 0 : 100 * static_cast<double>(part) / static_cast<double>(whole),
                                  digits) +
           " %";
  };
  Table table{"worst error of functions",
              {"function", "formats", "inputs", "worst ulp", "at x", "result", "exact", "correctly rounded",
               "subnormal results flushed", "wrong specials"},
              {}};
  for (const FunctionProfile& profile : profiles)
    table.rows.push_back({profile.function, profile.input + " → " + profile.output,
                          std::to_string(profile.tried) + (profile.exhaustive ? ", all" : ""),
                          figure(profile.worst_ulps), figure(profile.worst_at), figure(profile.worst_result),
                          figure(profile.worst_exact), share(profile.correctly_rounded, profile.judged),
                          profile.subnormal == 0 ? "-" : share(profile.flushed, profile.subnormal),
                          profile.wrong_specials == 0
                              ? "0"
                              : std::to_string(profile.wrong_specials) + ", the first at " +
                                    figure(profile.wrong_special_at) + ": " + figure(profile.wrong_special_result)});
  return table;
}

ASSAY_DETAIL_HEADER_INLINE Table compare_function_profiles(const std::vector<FunctionProfile>& before,
                                                           const std::vector<FunctionProfile>& after) {
  Table table{"what changed numerically", {"function", "what", "before", "after"}, {}};
  constexpr int every_input = 12;  // with fewer digits a change of few of 2^32 inputs does not show
  const Table old_texts = function_table(before, every_input), new_texts = function_table(after, every_input);
  const auto same_question = [](const auto& a, const auto& b) { return a[0] == b[0] && a[1] == b[1] && a[2] == b[2]; };
  const auto told_of = [](const auto& row) { return row[0] + ", " + row[1] + ", " + row[2] + " inputs"; };
  for (const auto& row : old_texts.rows) {
    const auto now = std::find_if(new_texts.rows.begin(), new_texts.rows.end(),
                                  [&](const auto& other) { return same_question(row, other); });
    if (now == new_texts.rows.end())
      table.rows.push_back({told_of(row), "profile", "there", "missing"});
    else
      for (std::size_t column = 3; column < row.size(); ++column)
        if (row[column] != (*now)[column])
          table.rows.push_back({told_of(row), old_texts.columns[column], row[column], (*now)[column]});
  }
  for (const auto& row : new_texts.rows)
    if (std::none_of(old_texts.rows.begin(), old_texts.rows.end(),
                     [&](const auto& other) { return same_question(row, other); }))
      table.rows.push_back({told_of(row), "profile", "missing", "there"});
  return table;
}

}  // namespace assay::inline v0
