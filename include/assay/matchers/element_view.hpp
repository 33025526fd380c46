#pragma once

#include <array>
#include <cstddef>
#include <iterator>
#include <type_traits>

#include "assay/backends/host.hpp"
#include "assay/formats/format_traits.hpp"
#include "assay/tensor/strided_view.hpp"
#include "assay/tensor/tensor.hpp"

namespace assay::inline v0 {

namespace detail {

/// What nested C arrays and std::arrays hold in the end, and their extents.
template <class T>
struct NestedArray {
  using Element = T;
  static constexpr std::size_t rank = 0;
  static void extents(Index*) {}
};
template <class T, std::size_t Count>
struct NestedArray<T[Count]> {
  using Element = typename NestedArray<T>::Element;
  static constexpr std::size_t rank = 1 + NestedArray<T>::rank;
  static void extents(Index* extent) {
    *extent = static_cast<Index>(Count);
    NestedArray<T>::extents(extent + 1);
  }
};
template <class T, std::size_t Count>
struct NestedArray<std::array<T, Count>> : NestedArray<T[Count]> {};

/// What a container with contiguous elements holds: T of `const T* std::data(container)`.
template <class Container>
using ContainedIn = std::remove_cvref_t<decltype(*std::data(std::declval<const Container&>()))>;

template <class B>
concept HostMemory = requires(const B& backend) {
  []<class Resource>(const BasicHost<Resource>&) {}(backend);
};

}  // namespace detail

/// The elements of what people keep outputs in, as a view of rank 1 or more, read-only and without a copy: a
/// `StridedView`; whatever has contiguous elements under `data()` and `size()` (std::vector, std::span, std::array, a
/// buffer), C arrays; nested arrays, whose rank is their depth; a `Tensor` in host memory. Elements are of any
/// `Format`. O(rank).
template <class T, std::size_t Rank>
[[nodiscard]] StridedView<const T, Rank> element_view(const StridedView<T, Rank>& view) {
  StridedView<const T, Rank> read_only;
  read_only.data = view.data;
  for (std::size_t d = 0; d < Rank; ++d) {
    read_only.extents[d] = view.extents[d];
    read_only.strides[d] = view.strides[d];
  }
  return read_only;
}

template <Format T, class B>
[[nodiscard]] StridedView<const T, 1> element_view(const Tensor<T, B>& tensor) {
  static_assert(detail::HostMemory<B>,
                "the tensor lies on a device: copy its elements to the host, and match them there");
  return contiguous_view<const T, 1>(tensor.data(), {tensor.size()});
}

/// Of nested standard arrays: as many dimensions as they are nested.
template <class Container>
requires Format<typename detail::NestedArray<detail::ContainedIn<Container>>::Element> &&
    requires(const Container& container) {
  std::size(container);
}
[[nodiscard]] auto element_view(const Container& container) {
  using Nested = detail::NestedArray<detail::ContainedIn<Container>>;
  using T = typename Nested::Element;
  std::array<Index, 1 + Nested::rank> extents{static_cast<Index>(std::size(container))};
  Nested::extents(extents.data() + 1);
  return contiguous_view(reinterpret_cast<const T*>(std::data(container)), extents);
}

/// What `element_view` takes.
template <class T>
concept Elements = requires(const T& elements) {
  element_view(elements);
};

}  // namespace assay::inline v0
