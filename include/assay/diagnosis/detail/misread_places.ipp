#pragma once

#include "assay/diagnosis/detail/misread_places.hpp"

#include <algorithm>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE std::vector<MisreadPlaces> misread_places(const Operand& operand) {
  std::vector<MisreadPlaces> all;
  const Index size = operand.size(), columns = operand.rank > 0 ? operand.extents[operand.rank - 1] : 1;
  if (size < 2 || columns < 1) return all;
  const Index rows = size / columns;
  const auto add = [&](const char* kind, const std::string& effect, std::function<Index(Index)> source) {
    all.push_back({kind, effect, std::move(source)});
  };
  if (rows > 1) {
    add("_of_first", "reads the first row for every row", [=](Index e) { return e % columns; });
    add("_of_last", "reads the last row for every row", [=](Index e) { return (rows - 1) * columns + e % columns; });
    for (const Index shift : {1, 2})
      add("_of_next", "reads every row so many too far, round about: " + std::to_string(shift),
          [=](Index e) { return (e + shift * columns) % size; });
  }
  if (columns > 1)
    for (const Index shift : {1, 2, 3, 4, 8})
      if (shift < columns) {
        add("_shifted", "reads every row from column " + std::to_string(shift) + " on, round about",
            [=](Index e) { return e - e % columns + (e % columns + shift) % columns; });
        add("_shifted", "reads every row " + std::to_string(shift) + " columns before, round about",
            [=](Index e) { return e - e % columns + (e % columns + columns - shift) % columns; });
      }
  Index power = 1;
  while (2 * power < size) power *= 2;
  std::vector<Index> reaches{power, power / 2};
  for (const Index parts : {2, 3, 4}) reaches.push_back((size + parts - 1) / parts);
  for (const Index reach : reaches)
    if (reach > 0 && reach < size)
      add("_counter_wraps", "begins anew after " + std::to_string(reach) + " elements",
          [=](Index e) { return e % reach; });
  for (const Index mask : {1, 3, 7})
    add("_lanes_exchanged", "exchanges elements within groups of " + std::to_string(mask + 1),
        [=](Index e) { return (e ^ mask) < size ? e ^ mask : e; });
  for (Index tile = 2; tile <= 16 && tile <= rows && tile <= columns; tile *= 2)
    add("_tiles_transposed", "reads tiles of " + std::to_string(tile) + " x " + std::to_string(tile) + " transposed",
        [=](Index e) {
          const Index row = e / columns, column = e % columns, top = row / tile * tile, left = column / tile * tile;
          return top + tile > rows || left + tile > columns ? e : (top + column - left) * columns + left + row - top;
        });
  if (rows > 1)
    for (const Index pitch : {columns - 1, columns + 1})
      add("_wrong_pitch", "takes rows to lie " + std::to_string(pitch) + " elements apart",
          [=](Index e) { return std::min(e / columns * pitch + e % columns, size - 1); });
  return all;
}

}  // namespace assay::inline v0::detail
