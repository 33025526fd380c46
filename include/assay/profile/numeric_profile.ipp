#pragma once

#include "assay/profile/numeric_profile.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

ASSAY_DETAIL_HEADER_INLINE std::string finding_text(const FloatLayout& value) {
  for (const auto& [name, layout] :
       {std::pair{"f16", FormatTraits<float16>::layout}, std::pair{"bf16", FormatTraits<bfloat16>::layout},
        std::pair{"tf32", FormatTraits<tfloat32>::layout}, std::pair{"f32", FormatTraits<float32>::layout},
        std::pair{"f64", FormatTraits<float64>::layout}})
    if (value == layout) return name;
  return "e" + std::to_string(value.exponent_bits) + "m" + std::to_string(value.fraction_bits);
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE Table profile_table(const NumericProfile& profile) {
  Table table{"numeric profile of " + profile.unit + (profile.version.empty() ? "" : " (" + profile.version + ")") +
                  ", " + profile.a + " × " + profile.b + " → " + profile.c,
              {"what", "found"},
              {}};
  for_each_finding(profile, [&](const char* name, const auto& finding) {
    table.rows.push_back({name, detail::shown(finding)});
  });
  for (const OrderSeen& seen : profile.orders_seen)
    table.rows.push_back({"order of " + std::to_string(seen.terms) + " terms", seen.order});
  if (profile.tree.terms > 0)
    table.rows.push_back({"tree of " + std::to_string(profile.tree.terms) + " terms", text_of(profile.tree, 120)});
  for (const LaunchComparison& launch : profile.launches) table.rows.push_back({launch.launch, detail::shown(launch)});
  return table;
}

ASSAY_DETAIL_HEADER_INLINE Table compare_profiles(const NumericProfile& before, const NumericProfile& after) {
  Table table{
      "what changed numerically from " + before.unit + " " + before.version + " to " + after.unit + " " + after.version,
      {"what", "before", "after"},
      {}};
  const auto row = [&](const std::string& what, const std::string& old_text, const std::string& new_text) {
    if (old_text != new_text) table.rows.push_back({what, old_text, new_text});
  };
  row("formats", before.a + " × " + before.b + " → " + before.c, after.a + " × " + after.b + " → " + after.c);
  std::vector<std::pair<bool, std::string>> old_findings;
  for_each_finding(before, [&](const char*, const auto& finding) {
    old_findings.emplace_back(finding.value.has_value(), detail::shown(finding));
  });
  std::size_t next = 0;
  for_each_finding(after, [&](const char* name, const auto& finding) {
    const auto& [known, text] = old_findings[next++];
    if (known || finding) row(name, text, detail::shown(finding));
  });
  for (const OrderSeen& seen : before.orders_seen)
    for (const OrderSeen& other : after.orders_seen)
      if (seen.terms == other.terms) row("order of " + std::to_string(seen.terms) + " terms", seen.order, other.order);
  if (before.tree.terms == after.tree.terms && before.tree != after.tree)
    row("tree of " + std::to_string(before.tree.terms) + " terms", text_of(before.tree), text_of(after.tree));
  for (const LaunchComparison& launch : before.launches)
    for (const LaunchComparison& other : after.launches)
      if (launch.launch == other.launch && launch.differing.has_value() == other.differing.has_value()) {
        const bool same = launch.differing.value_or(0) == 0 && other.differing.value_or(0) == 0;
        if (!same) row(launch.launch, detail::shown(launch), detail::shown(other));
      }
  return table;
}

}  // namespace assay::inline v0
