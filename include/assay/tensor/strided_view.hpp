#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

#include "assay/core/index.hpp"
#include "assay/core/misuse.hpp"

namespace assay::inline v0 {

/// A view of elements somebody else owns, on any device: a base pointer, and an extent and a stride per dimension. The
/// base is the address of element (0, …, 0). Strides may be zero (broadcast) or negative (reversal). Plain aggregate of
/// pointer and C arrays, so that it travels to devices by value.
template <class T, std::size_t Rank>
struct StridedView {
  static_assert(Rank > 0);
  T* data = nullptr;
  Index extents[Rank] = {};
  Index strides[Rank] = {};

  /// Number of dimensions.
  [[nodiscard]] ASSAY_FUNCTION static constexpr std::size_t rank() { return Rank; }
  /// Number of elements: the product of the extents, 1 for rank 0.
  [[nodiscard]] ASSAY_FUNCTION constexpr Index size() const {
    Index product = 1;
    for (std::size_t d = 0; d < Rank; ++d) product *= extents[d];
    return product;
  }
  /// The element at an index per dimension. Precondition, unchecked: 0 ≤ index < extent.
  template <class... Indices>
  [[nodiscard]] ASSAY_FUNCTION constexpr T& operator()(Indices... indices) const {
    static_assert(sizeof...(Indices) == Rank);
    const Index list[Rank] = {static_cast<Index>(indices)...};
    Index offset = 0;
    for (std::size_t d = 0; d < Rank; ++d) offset += list[d] * strides[d];
    return data[offset];
  }
  /// The same elements, read-only.
  template <class ConstT>
  requires(!std::is_const_v<T> && std::is_same_v<ConstT, const T>) ASSAY_FUNCTION constexpr
  operator StridedView<ConstT, Rank>() const {
    StridedView<const T, Rank> view;
    view.data = data;
    for (std::size_t d = 0; d < Rank; ++d) {
      view.extents[d] = extents[d];
      view.strides[d] = strides[d];
    }
    return view;
  }
};

/// a·b of two non-negative counts, or −1 if that does not fit 64 bits.
[[nodiscard]] constexpr Index checked_product(Index a, Index b) {
  if (a < 0 || b < 0) return -1;
  if (a != 0 && b > INT64_MAX / a) return -1;
  return a * b;
}

/// Misuse, naming `what`, unless a view that somebody else made can be walked: extents of 0 or more whose product fits
/// 64 bits, and a pointer where there are elements. Strides are not looked at. O(rank).
template <class T, std::size_t Rank>
void expect_walkable(const StridedView<T, Rank>& view, const char* what) {
  Index size = 1;
  for (std::size_t d = 0; d < Rank; ++d) {
    expect(view.extents[d] >= 0, [&] {
      return std::string(what) + ": extent " + std::to_string(view.extents[d]) + " of dimension " + std::to_string(d) +
             " is negative; extents are 0 or more";
    });
    size = checked_product(size, view.extents[d]);
    expect(size >= 0, [&] {
      return std::string(what) + ": the product of the extents exceeds 2^63 − 1 elements at dimension " +
             std::to_string(d);
    });
  }
  expect(view.data != nullptr || size == 0, [&] {
    return std::string(what) + ": a null pointer was given for a view of " + std::to_string(size) + " elements";
  });
}

/// A view of contiguous, row-major elements: the last dimension is the fastest.
/// Misuse: a negative extent, extents whose product overflows, or a null pointer with a size above zero.
template <class T, std::size_t Rank>
[[nodiscard]] StridedView<T, Rank> contiguous_view(T* data, const std::array<Index, Rank>& extents) {
  StridedView<T, Rank> view;
  view.data = data;
  Index stride = 1;
  for (std::size_t d = Rank; d-- > 0;) {
    expect(extents[d] >= 0, [&] {
      return "extent " + std::to_string(extents[d]) + " of dimension " + std::to_string(d) +
             " is negative; extents are 0 or more";
    });
    view.extents[d] = extents[d];
    view.strides[d] = stride;
    stride = checked_product(stride, extents[d] > 0 ? extents[d] : 1);
    expect(stride >= 0,
           [&] { return "the product of the extents exceeds 2^63 − 1 elements at dimension " + std::to_string(d); });
  }
  expect(data != nullptr || view.size() == 0,
         [&] { return "a null pointer was given for a view of " + std::to_string(view.size()) + " elements"; });
  return view;
}

}  // namespace assay::inline v0
