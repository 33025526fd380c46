#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace assay::inline v0::detail {

/// Sorts as std::stable_sort does, which clang 19 does not compile without warnings on the libstdc++ of g++ 12: it uses
/// std::get_temporary_buffer. O(n log n), n elements moved.
template <class T, class Less>
void stable_sort(std::vector<T>& values, const Less& less) {
  std::vector<std::size_t> order(values.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (less(values[a], values[b])) return true;
    return !less(values[b], values[a]) && a < b;
  });
  std::vector<T> sorted;
  sorted.reserve(values.size());
  for (const std::size_t position : order) sorted.push_back(std::move(values[position]));
  values = std::move(sorted);
}

}  // namespace assay::inline v0::detail
