#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "assay/tensor/strided_view.hpp"

namespace assay::inline v0 {

namespace detail {
struct ByteRange {
  std::uintptr_t first;
  std::uintptr_t last;  ///< one past the end
};

template <class T, std::size_t Rank>
[[nodiscard]] ByteRange byte_range(const StridedView<T, Rank>& view) {
  Index lowest = 0, highest = 0;
  for (std::size_t d = 0; d < Rank; ++d) {
    const Index reach = (view.extents[d] - 1) * view.strides[d];
    (reach < 0 ? lowest : highest) += reach;
  }
  const std::uintptr_t base = reinterpret_cast<std::uintptr_t>(view.data);
  return {base + static_cast<std::uintptr_t>(lowest * static_cast<Index>(sizeof(T))),
          base + static_cast<std::uintptr_t>((highest + 1) * static_cast<Index>(sizeof(T)))};
}
}  // namespace detail

/// Whether the address ranges of two views meet: conservative, since interleaved views need not share an element.
template <class T, class U, std::size_t RankT, std::size_t RankU>
[[nodiscard]] bool ranges_overlap(const StridedView<T, RankT>& left, const StridedView<U, RankU>& right) {
  if (left.size() == 0 || right.size() == 0) return false;
  const detail::ByteRange a = detail::byte_range(left), b = detail::byte_range(right);
  return a.first < b.last && b.first < a.last;
}

/// Whether two index tuples of a view may name the same element, which forbids it as an output. Exact for views whose
/// dimensions nest, as those of matrices and tensors do; conservative (true) for interleavings that happen not to meet.
template <class T, std::size_t Rank>
[[nodiscard]] bool overlaps_itself(const StridedView<T, Rank>& view) {
  if (view.size() == 0) return false;
  const auto stride = [&](std::size_t d) { return view.strides[d] < 0 ? -view.strides[d] : view.strides[d]; };
  std::array<std::size_t, Rank> order{};
  for (std::size_t d = 0; d < Rank; ++d) {
    order[d] = d;
    for (std::size_t place = d; place > 0 && stride(order[place]) < stride(order[place - 1]); --place)
      std::swap(order[place], order[place - 1]);
  }
  Index reach = 0;
  for (std::size_t d : order) {
    if (view.extents[d] == 1) continue;
    if (stride(d) <= reach) return true;
    reach += (view.extents[d] - 1) * stride(d);
  }
  return false;
}

}  // namespace assay::inline v0
