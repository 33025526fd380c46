#pragma once

#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "assay/matchers/element_view.hpp"

namespace assay::inline v0 {

template <Format T>
struct ShapedElements;

namespace detail {

template <class T>
inline constexpr bool refers_only_itself = false;
template <class T, std::size_t Rank>
inline constexpr bool refers_only_itself<StridedView<T, Rank>> = true;
template <class T>
inline constexpr bool refers_only_itself<ShapedElements<T>> = true;

/// Something that only refers to its elements: a copy of it is enough to keep.
template <class T>
inline constexpr bool refers_only = std::ranges::enable_borrowed_range<T> || refers_only_itself<T>;

}  // namespace detail

/// Contiguous elements, row by row, in a shape of any rank known at run time only. Refers to the elements.
template <Format T>
struct ShapedElements {
  StridedView<const T, 1> elements;
  std::vector<Index> shape;
};

/// `elements` (see `element_view`) in `shape`; a scalar, of the empty shape, is one element.
/// Misuse: a shape of more or fewer elements than there are.
template <Elements Container>
[[nodiscard]] auto shaped(const Container& container, std::vector<Index> shape) {
  const auto view = element_view(container);
  static_assert(decltype(view)::rank() == 1, "these elements have a shape already");
  if (shape.empty()) shape = {1};
  Index size = 1;
  for (const Index extent : shape) size = checked_product(size, extent);
  expect(size == view.size(), [&] {
    std::string text;
    for (const Index extent : shape) text += (text.empty() ? "" : " x ") + std::to_string(extent);
    return "shaped: " + std::to_string(view.size()) + " elements were given for a shape of " + text +
           "; give as many as the shape has";
  });
  return ShapedElements<std::remove_cvref_t<decltype(*view.data)>>{view, std::move(shape)};
}

template <Elements Container>
requires(!detail::refers_only<Container>) void shaped(const Container&& temporary,
                                                      std::vector<Index> shape) = delete;  // nobody would keep it

/// The elements, in the order in which they lie.
template <Format T>
[[nodiscard]] StridedView<const T, 1> element_view(const ShapedElements<T>& shaped) {
  return shaped.elements;
}

/// The extents of elements, in each dimension.
template <class T, std::size_t Rank>
[[nodiscard]] std::vector<Index> element_extents(const StridedView<T, Rank>& view) {
  return std::vector<Index>(view.extents, view.extents + Rank);
}
template <Format T>
[[nodiscard]] std::vector<Index> element_extents(const ShapedElements<T>& shaped) {
  return shaped.shape;
}
template <Elements T>
[[nodiscard]] std::vector<Index> element_extents(const T& elements) {
  return element_extents(element_view(elements));
}

}  // namespace assay::inline v0
