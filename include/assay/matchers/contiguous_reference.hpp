#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>
#include <vector>

#include "assay/compare/expected_row.hpp"
#include "assay/matchers/reference_values.hpp"
#include "assay/tolerance/expected_element.hpp"

namespace assay::inline v0 {

namespace detail {

template <class T, std::size_t Rank>
[[nodiscard]] bool is_contiguous(const StridedView<T, Rank>& view) {
  Index stride = 1;
  for (std::size_t d = Rank; d-- > 0;) {
    if (view.extents[d] != 1 && view.strides[d] != stride) return false;
    stride *= view.extents[d];
  }
  return true;
}

/// The element at a position counted row by row.
template <class T, std::size_t Rank>
[[nodiscard]] T& element_at(const StridedView<T, Rank>& view, Index position) {
  Index offset = 0;
  for (std::size_t d = Rank; d-- > 1;) {
    offset += position % view.extents[d] * view.strides[d];
    position /= view.extents[d];
  }
  return view.data[offset + position * view.strides[0]];
}

}  // namespace detail

/// A reference as `compare` reads it fastest: contiguous, row by row, with bounds in float64. Refers to the elements
/// where they are so already, sharing temporaries that the reference keeps, and holds a copy where they are not.
template <Format Value>
class ContiguousReference {
 public:
  /// Copies only what is not contiguous, or not float64 among bounds.
  template <std::size_t ValueRank, Format Bound, std::size_t BoundRank>
  explicit ContiguousReference(const ReferenceValues<Value, ValueRank, Bound, BoundRank>& reference)
      : values_owner_(reference.values_owner),
        error_bounds_owner_(reference.error_bounds_owner),
        values_(contiguous(reference.values, value_copy_)),
        error_bounds_(reference.has_error_bounds ? contiguous(reference.error_bounds, bound_copy_) : nullptr) {}
  ContiguousReference(const ContiguousReference&) = delete;
  ContiguousReference& operator=(const ContiguousReference&) = delete;

  /// What is expected of an output whose rows have `columns` elements: a `RowExpectation`.
  struct Expected {
    const Value* values;
    const double* error_bounds;  ///< null: E = 0 everywhere
    Index columns;

    [[nodiscard]] ExpectedElement operator()(Index row, Index column) const { return expected_row(row)[column]; }
    /// The expectation of one row, for the comparison.
    [[nodiscard]] ExpectedRow<Value> expected_row(Index row) const {
      return {values + row * columns, error_bounds != nullptr ? error_bounds + row * columns : nullptr, 0};
    }
  };
  /// As rows of that many columns.
  [[nodiscard]] Expected expected(Index columns) const { return {values_, error_bounds_, columns}; }
  /// Null where there are none.
  [[nodiscard]] const double* error_bounds() const { return error_bounds_; }

 private:
  template <class Wanted, class T, std::size_t Rank>
  [[nodiscard]] static const Wanted* contiguous(const StridedView<const T, Rank>& view, std::vector<Wanted>& copy) {
    if constexpr (std::is_same_v<T, Wanted>) {
      if (detail::is_contiguous(view)) return view.data;
    }
    copy.resize(static_cast<std::size_t>(view.size()));
    for (std::size_t position = 0; position < copy.size(); ++position) {
      const T element = detail::element_at(view, static_cast<Index>(position));
      if constexpr (std::is_same_v<T, Wanted>)
        copy[position] = element;
      else
        copy[position] = decode(element);
    }
    return copy.data();
  }

  std::shared_ptr<const void> values_owner_, error_bounds_owner_;
  std::vector<Value> value_copy_;
  std::vector<double> bound_copy_;
  const Value* values_;
  const double* error_bounds_;
};

}  // namespace assay::inline v0
