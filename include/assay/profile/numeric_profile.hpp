#pragma once

#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "assay/core/enum_name.hpp"
#include "assay/core/printed_number.hpp"
#include "assay/core/table.hpp"
#include "assay/formats/format_list.hpp"
#include "assay/profile/matrix_unit_model.hpp"

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
  std::optional<double>
      differing;     ///< share of the elements that both compute whose bits differ; none: it was refused, see note
  std::string note;  ///< what else is to be known

  friend bool operator==(const LaunchComparison&, const LaunchComparison&) = default;
};

/// The order of the sums of one number of terms.
struct OrderSeen {
  Index terms = 0;
  std::string order;

  friend bool operator==(const OrderSeen&, const OrderSeen&) = default;
};

/// What arithmetic a unit does, as its answers show it. The findings mean what the members of `MatrixUnitModel` of the
/// same name mean.
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
[[nodiscard]] std::string finding_text(const FloatLayout& value);

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
[[nodiscard]] Table profile_table(const NumericProfile& profile);

/// What changed from one profile to another: a row each, none if nothing did. What was undetermined in both is not
/// told, whatever the reasons.
[[nodiscard]] Table compare_profiles(const NumericProfile& before, const NumericProfile& after);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/profile/numeric_profile.ipp"
#endif
