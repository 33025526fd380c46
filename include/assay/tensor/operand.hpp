#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <type_traits>

#include "assay/formats/element_format.hpp"
#include "assay/tensor/strided_view.hpp"

namespace assay::inline v0 {

/// A view of a tensor whose format and rank are chosen at run time: what kernels of most operations are given. Plain
/// data, so that it travels to devices by value. An optional operand that is absent has rank −1 and no data.
struct Operand {
  static constexpr int most_dimensions = 6;  ///< the largest rank
  void* data = nullptr;
  ElementFormat format{};
  int rank = -1;
  Index extents[most_dimensions] = {};  ///< per dimension, outermost first
  Index strides[most_dimensions] = {};  ///< in elements
  /// Bytes of its allocation ahead of the first element and as many behind the last, which nobody may write: whoever
  /// takes it elsewhere takes them along. 0 where nothing is known of what lies there.
  Index guard_bytes = 0;

  /// Whether the problem has this operand.
  [[nodiscard]] ASSAY_FUNCTION constexpr bool present() const { return rank >= 0; }
  /// Number of elements; 1 for rank 0, 0 for an absent operand.
  [[nodiscard]] ASSAY_FUNCTION constexpr Index size() const {
    Index product = present() ? 1 : 0;
    for (int d = 0; d < rank; ++d) product *= extents[d];
    return product;
  }
  /// Whether the elements lie one behind the other in row-major order, as those of an operand that is absent or has
  /// none do. O(rank).
  [[nodiscard]] ASSAY_FUNCTION constexpr bool is_dense() const {
    Index stride = 1;
    for (int d = rank - 1; d >= 0; stride *= extents[d--])
      if (extents[d] > 1 && strides[d] != stride) return false;
    return true;
  }
  /// The place of the element with that position in row-major order. O(rank).
  [[nodiscard]] ASSAY_FUNCTION constexpr Index offset_of(Index element) const {
    Index offset = 0;
    for (int d = rank - 1; d > 0; --d) {
      offset += element % extents[d] * strides[d];
      element /= extents[d];
    }
    return rank > 0 ? offset + element * strides[0] : 0;
  }
  /// The place of the element at an index per dimension. Precondition, unchecked: as many indices as dimensions.
  template <class... Indices>
  [[nodiscard]] ASSAY_FUNCTION constexpr Index offset(Indices... indices) const {
    const Index list[] = {static_cast<Index>(indices)..., 0};
    Index sum = 0;
    for (std::size_t d = 0; d < sizeof...(Indices); ++d) sum += list[d] * strides[d];
    return sum;
  }
  /// The value at those indices, one a dimension. Not checked.
  template <class... Indices>
  [[nodiscard]] ASSAY_FUNCTION double at(Indices... indices) const {
    return format.load(data, offset(indices...));
  }
  /// The value of the element with that row-major number, on whatever strides.
  [[nodiscard]] ASSAY_FUNCTION double load(Index element) const { return format.load(data, offset_of(element)); }
  /// Writes the value, rounded, as the element with that row-major number.
  ASSAY_FUNCTION void store(Index element, double value) const { format.store(data, offset_of(element), value); }

  /// The same elements in the format and rank that the caller knows. Misuse: others than those.
  template <class T, std::size_t Rank>
  [[nodiscard]] StridedView<T, Rank> view() const {
    constexpr ElementFormat asked = element_format<std::remove_const_t<T>>();
    expect(format == asked && rank == static_cast<int>(Rank), [&] {
      return std::string("an operand of format ") + format.name + " and rank " + std::to_string(rank) +
             " was asked for a view of format " + asked.name + " and rank " + std::to_string(Rank);
    });
    StridedView<T, Rank> view;
    view.data = static_cast<T*>(data);
    for (std::size_t d = 0; d < Rank; ++d) {
      view.extents[d] = extents[d];
      view.strides[d] = strides[d];
    }
    return view;
  }
};

/// A row-major view of contiguous elements of type T. Misuse: more dimensions than an operand has.
template <class T>
[[nodiscard]] Operand contiguous_operand(T* data, std::initializer_list<Index> extents) {
  expect(extents.size() <= static_cast<std::size_t>(Operand::most_dimensions), [&] {
    return "an operand of " + std::to_string(extents.size()) + " dimensions was asked for; there are at most 6";
  });
  Operand operand;
  operand.data = const_cast<std::remove_const_t<T>*>(data);
  operand.format = element_format<std::remove_const_t<T>>();
  operand.rank = static_cast<int>(extents.size());
  int d = 0;
  for (const Index extent : extents) operand.extents[d++] = extent;
  Index stride = 1;
  for (d = operand.rank - 1; d >= 0; --d) {
    operand.strides[d] = stride;
    stride *= operand.extents[d] > 0 ? operand.extents[d] : 1;
  }
  return operand;
}

/// The operands of one launch, by their positions in the operation's list.
struct OperandArray {
  static constexpr int most = 12;  ///< the most operands that an operation may have
  Operand items[most];             ///< those behind `count` are absent
  int count = 0;                   ///< how many there are

  /// The operand at that position of the operation's list; not checked.
  [[nodiscard]] ASSAY_FUNCTION constexpr const Operand& operator[](int position) const { return items[position]; }
  /// The operand at that position of the operation's list; not checked.
  [[nodiscard]] ASSAY_FUNCTION constexpr Operand& operator[](int position) { return items[position]; }
};

}  // namespace assay::inline v0
