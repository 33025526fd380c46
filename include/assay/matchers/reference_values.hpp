#pragma once

#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "assay/matchers/shaped_elements.hpp"

namespace assay::inline v0 {

/// What an output is held against: the reference r of each element and, if there are any, the bounds E on a correct
/// kernel's error before its output is rounded. Refers to the elements, or shares what was given as a temporary.
template <Format Value, std::size_t ValueRank, Format Bound = double, std::size_t BoundRank = 1>
struct ReferenceValues {
  StridedView<const Value, ValueRank> values;        ///< r of every element
  StridedView<const Bound, BoundRank> error_bounds;  ///< not read unless `has_error_bounds`
  std::vector<Index> extents, error_bound_extents;   ///< of the views, or of the shapes that they were given with
  bool has_error_bounds = false;                     ///< false: E is 0
  /// What keeps temporaries alive; null where somebody else does.
  std::shared_ptr<const void> values_owner, error_bounds_owner;
};

namespace detail {

/// A view, its extents, and what keeps its elements alive: nothing for what somebody else owns, the object itself for a
/// temporary.
template <class T>
[[nodiscard]] auto keep(T&& elements, std::vector<Index>& extents, std::shared_ptr<const void>& owner) {
  extents = element_extents(elements);
  if constexpr (std::is_lvalue_reference_v<T> || refers_only<std::remove_cvref_t<T>>) {
    return element_view(elements);
  } else {
    const auto kept = std::make_shared<const std::remove_cvref_t<T>>(std::forward<T>(elements));
    owner = kept;
    return element_view(*kept);
  }
}

/// A reference that has `value` and `error`, as those of assay/kernels/ do.
template <class T>
concept ValueAndError = requires(const T& reference) {
  requires Elements<decltype(reference.value)>;
  requires Elements<decltype(reference.error)>;
};

}  // namespace detail

/// Reference values with the bound E of each, which the derived tolerance asks for: as many bounds as values. Lvalues
/// are referred to and must outlive the result; temporaries are kept.
template <class Values, class Bounds>
requires Elements<std::remove_cvref_t<Values>> && Elements<std::remove_cvref_t<Bounds>>
[[nodiscard]] auto with_error_bounds(Values&& values, Bounds&& bounds) {
  std::shared_ptr<const void> values_owner, bounds_owner;
  std::vector<Index> extents, bound_extents;
  const auto value_view = detail::keep(std::forward<Values>(values), extents, values_owner);
  const auto bound_view = detail::keep(std::forward<Bounds>(bounds), bound_extents, bounds_owner);
  using ValueView = decltype(value_view);
  using BoundView = decltype(bound_view);
  return ReferenceValues<std::remove_cvref_t<decltype(*value_view.data)>, ValueView::rank(),
                         std::remove_cvref_t<decltype(*bound_view.data)>, BoundView::rank()>{value_view,
                                                                                             bound_view,
                                                                                             std::move(extents),
                                                                                             std::move(bound_extents),
                                                                                             true,
                                                                                             std::move(values_owner),
                                                                                             std::move(bounds_owner)};
}

/// The reference that an output is held against, of whatever people have it in: elements (see `element_view`; then E =
/// 0), a pair of values and bounds, a reference of assay/kernels/, or what `with_error_bounds` gave. Keeps as that
/// does.
template <class T>
requires Elements<std::remove_cvref_t<T>>
[[nodiscard]] auto reference_values(T&& elements) {
  std::shared_ptr<const void> owner;
  std::vector<Index> extents;
  const auto view = detail::keep(std::forward<T>(elements), extents, owner);
  return ReferenceValues<std::remove_cvref_t<decltype(*view.data)>, decltype(view)::rank()>{
      view, {}, std::move(extents), {}, false, std::move(owner), {}};
}
template <class Values, class Bounds>
[[nodiscard]] auto reference_values(const std::pair<Values, Bounds>& pair) {
  return with_error_bounds(pair.first, pair.second);
}
template <class Values, class Bounds>
[[nodiscard]] auto reference_values(std::pair<Values, Bounds>&& pair) {
  return with_error_bounds(std::forward<Values>(pair.first), std::forward<Bounds>(pair.second));
}
template <detail::ValueAndError T>
[[nodiscard]] auto reference_values(const T& reference) {
  return with_error_bounds(reference.value, reference.error);
}
template <detail::ValueAndError T>
requires(!std::is_reference_v<T>) [[nodiscard]] auto reference_values(T&& reference) {
  return with_error_bounds(std::move(reference.value), std::move(reference.error));
}
template <Format Value, std::size_t ValueRank, Format Bound, std::size_t BoundRank>
[[nodiscard]] auto reference_values(const ReferenceValues<Value, ValueRank, Bound, BoundRank>& reference) {
  return reference;
}

}  // namespace assay::inline v0
