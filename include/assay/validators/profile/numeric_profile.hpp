#pragma once

#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "assay/core/detail/printed_number.hpp"
#include "assay/core/enum_name.hpp"
#include "assay/core/table.hpp"
#include "assay/formats/format_list.hpp"
#include "assay/validators/profile/matrix_unit_model.hpp"

namespace assay::inline v0 {

/// What was found out: a value, or none and why; with a value, `note` says what else is to be known.
template <class T>
struct Determined {
  std::optional<T> value;
  std::string note = "it was not looked for";

  Determined() = default;
  /// A finding, with what else is to be known.
  Determined(T found, std::string more = "") : value(std::move(found)), note(std::move(more)) {}
  /// No finding, and why.
  [[nodiscard]] static Determined not_determined(std::string why) {
    Determined none;
    none.note = std::move(why);
    return none;
  }
  /// Whether there is a finding.
  explicit operator bool() const { return value.has_value(); }
  /// The finding. Precondition: there is one.
  [[nodiscard]] const T& operator*() const { return *value; }

  friend bool operator==(const Determined&, const Determined&) = default;
};

/// How one way to launch the same products compares to the first.
struct LaunchComparison {
  std::string launch;
  std::optional<double> differing;  ///< share of the elements that both compute whose bits differ; none: it was refused, see note
  std::string note;                 ///< what else is to be known

  friend bool operator==(const LaunchComparison&, const LaunchComparison&) = default;
};

/// The order of the sums of one number of terms.
struct OrderSeen {
  Index terms = 0;
  std::string order;

  friend bool operator==(const OrderSeen&, const OrderSeen&) = default;
};

/// What arithmetic a unit does, as its answers show it. The findings mean what the members of `MatrixUnitModel` of the same name mean.
struct NumericProfile {
  std::string unit;
  std::string version;                          ///< of the form of the profile
  std::string a, b, c;                          ///< names of the stored formats
  Determined<int> input_precision;              ///< bits of significand of a factor
  Determined<UnitRounding> input_rounding;      ///< see `MatrixUnitModel`
  Determined<UnitProducts> products;            ///< see `MatrixUnitModel`
  Determined<UnitRounding> product_rounding;    ///< see `MatrixUnitModel`
  Determined<FloatLayout> accumulator;          ///< see `MatrixUnitModel`
  Determined<UnitRounding> sum_rounding;        ///< see `MatrixUnitModel`
  Determined<UnitRounding> combining_rounding;  ///< see `MatrixUnitModel`
  Determined<int> aligned_bits;                 ///< bits kept below the largest exponent of a step
  Determined<UnitRounding> alignment;           ///< see `MatrixUnitModel`
  Determined<bool> aligned_by_factors;          ///< see `MatrixUnitModel`
  Determined<SummationShape> order;             ///< see `MatrixUnitModel`
  Determined<UnitRounding> output_rounding;     ///< see `MatrixUnitModel`
  /// See `MatrixUnitModel`.
  Determined<UnitSubnormals> input_subnormals, sum_subnormals, output_subnormals;
  /// See `MatrixUnitModel`.
  Determined<UnitOverflow> sum_overflow, output_overflow;
  Determined<bool> starts_from_zero;       ///< see `MatrixUnitModel`
  Determined<std::string> nan;             ///< what becomes of a NaN among the inputs, and of its payload
  Determined<std::string> infinity;        ///< inf·1, inf − inf, inf·0
  Determined<bool> repeatable;             ///< the same launch gives the same bits
  SummationTree tree;                      ///< of sums of tree.terms terms
  std::vector<OrderSeen> orders_seen;      ///< where no one order explains all
  std::vector<LaunchComparison> launches;  ///< the same products launched in other ways

  friend bool operator==(const NumericProfile&, const NumericProfile&) = default;
};

/// Calls `visit(name, finding)` for every finding, in the order in which people read them.
template <class Profile, class Visit>
void for_each_finding(Profile& profile, Visit visit) {
  visit("input precision", profile.input_precision);
  visit("input rounding", profile.input_rounding);
  visit("products", profile.products);
  visit("product rounding", profile.product_rounding);
  visit("accumulator", profile.accumulator);
  visit("sum rounding", profile.sum_rounding);
  visit("combining rounding", profile.combining_rounding);
  visit("aligned bits", profile.aligned_bits);
  visit("alignment", profile.alignment);
  visit("aligned by factors", profile.aligned_by_factors);
  visit("order", profile.order);
  visit("output rounding", profile.output_rounding);
  visit("input subnormals", profile.input_subnormals);
  visit("sum subnormals", profile.sum_subnormals);
  visit("output subnormals", profile.output_subnormals);
  visit("sum overflow", profile.sum_overflow);
  visit("output overflow", profile.output_overflow);
  visit("starts from zero", profile.starts_from_zero);
  visit("nan", profile.nan);
  visit("infinity", profile.infinity);
  visit("repeatable", profile.repeatable);
}

namespace detail {

[[nodiscard]] inline std::string finding_text(int value) {
  return value < 0 ? "all" : std::to_string(value);
}
[[nodiscard]] inline std::string finding_text(bool value) {
  return value ? "yes" : "no";
}
[[nodiscard]] inline std::string finding_text(const std::string& value) {
  return value;
}
template <class E>
requires std::is_enum_v<E>
[[nodiscard]] std::string finding_text(E value) {
  return std::string(enum_name(value));
}
[[nodiscard]] inline std::string finding_text(const SummationShape& value) {
  return text_of(value);
}
/// "f32", or "e8m13" for a layout without a name of its own.
[[nodiscard]] inline std::string finding_text(const FloatLayout& value) {
  for (const auto& [name, layout] : {std::pair{"f16", FormatTraits<float16>::layout}, std::pair{"bf16", FormatTraits<bfloat16>::layout},
                                     std::pair{"tf32", FormatTraits<tfloat32>::layout}, std::pair{"f32", FormatTraits<float32>::layout},
                                     std::pair{"f64", FormatTraits<float64>::layout}})
    if (value == layout) return name;
  return "e" + std::to_string(value.exponent_bits) + "m" + std::to_string(value.fraction_bits);
}

template <class T>
[[nodiscard]] std::string shown(const Determined<T>& finding) {
  if (!finding) return "undetermined, because " + finding.note;
  return finding_text(*finding) + (finding.note.empty() ? "" : "; " + finding.note);
}

[[nodiscard]] inline std::string shown(const LaunchComparison& launch) {
  if (!launch.differing) return "not compared: " + launch.note;
  if (*launch.differing == 0) return "same bits";
  return "other bits in " + printed_number(100 * *launch.differing, 3) + " % of the elements";
}

}  // namespace detail

/// The profile for people: a row a finding, then the order for each number of terms, then a row a launch.
[[nodiscard]] inline Table profile_table(const NumericProfile& profile) {
  Table table{"numeric profile of " + profile.unit + (profile.version.empty() ? "" : " (" + profile.version + ")") + ", " + profile.a +
                  " × " + profile.b + " → " + profile.c,
              {"what", "found"},
              {}};
  for_each_finding(profile, [&](const char* name, const auto& finding) { table.rows.push_back({name, detail::shown(finding)}); });
  for (const OrderSeen& seen : profile.orders_seen) table.rows.push_back({"order of " + std::to_string(seen.terms) + " terms", seen.order});
  if (profile.tree.terms > 0)
    table.rows.push_back({"tree of " + std::to_string(profile.tree.terms) + " terms", text_of(profile.tree, 120)});
  for (const LaunchComparison& launch : profile.launches) table.rows.push_back({launch.launch, detail::shown(launch)});
  return table;
}

/// What changed from one profile to another: a row each, none if nothing did. What was undetermined in both is not told, whatever the reasons.
[[nodiscard]] inline Table compare_profiles(const NumericProfile& before, const NumericProfile& after) {
  Table table{"what changed numerically from " + before.unit + " " + before.version + " to " + after.unit + " " + after.version,
              {"what", "before", "after"},
              {}};
  const auto row = [&](const std::string& what, const std::string& old_text, const std::string& new_text) {
    if (old_text != new_text) table.rows.push_back({what, old_text, new_text});
  };
  row("formats", before.a + " × " + before.b + " → " + before.c, after.a + " × " + after.b + " → " + after.c);
  std::vector<std::pair<bool, std::string>> old_findings;
  for_each_finding(before,
                   [&](const char*, const auto& finding) { old_findings.emplace_back(finding.value.has_value(), detail::shown(finding)); });
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
