#pragma once

#include "assay/diagnosis/detail/misread_slices.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE std::vector<MisreadSlices> misread_slices(const std::string& operand, Index extent) {
  std::vector<MisreadSlices> result{
      {"_of_first", "reads the first slice of " + operand + " for all", [](Index, Index) { return Index{0}; }},
      {"_of_next", "reads the next slice of " + operand, [](Index i, Index n) { return (i + 1) % n; }},
      {"_of_next", "reads the next slice of " + operand + ", but for the last",
       [](Index i, Index n) { return i + 1 < n ? i + 1 : i; }},
      {"_of_previous", "reads the slice before of " + operand, [](Index i, Index n) { return (i + n - 1) % n; }},
      {"_of_previous", "reads the slice before of " + operand + ", but for the first",
       [](Index i, Index) { return i > 0 ? i - 1 : i; }},
      {"_reversed", "reads " + operand + " from its end", [](Index i, Index n) { return n - 1 - i; }},
      {"_halves_exchanged", "exchanges the halves of " + operand,
       [](Index i, Index n) { return n % 2 != 0 ? i : (i + n / 2) % n; }},
      {"_pairs_exchanged", "exchanges neighbors of " + operand,
       [](Index i, Index n) { return (i ^ 1) < n ? i ^ 1 : i; }},
      {"_stretched", "reads each of " + operand + " twice as long", [](Index i, Index) { return i / 2; }},
      {"_compressed", "reads every other of " + operand, [](Index i, Index n) { return 2 * i % n; }}};
  for (const Index period : {2, 4, 8})
    if (extent > period)
      result.push_back({"_repeated", "reads the first " + std::to_string(period) + " of " + operand + " over and over",
                        [period](Index i, Index) { return i % period; }});
  for (const Index lane : {8, 16, 32, 64})
    if (extent > lane)
      result.push_back({"_of_previous",
                        "reads the slice before of " + operand + " from " + std::to_string(lane) + " on",
                        [lane](Index i, Index) { return i >= lane ? i - 1 : i; }});
  return result;
}

ASSAY_DETAIL_HEADER_INLINE std::vector<std::pair<Index, Index>> parts_of_extent(Index extent) {
  std::vector<std::pair<Index, Index>> ranges{{extent - 1, extent}, {0, 1}};
  for (const Index part : {4, 8, 16, 32, 64, 128})
    if (extent > part && extent % part != 0) ranges.emplace_back(extent / part * part, extent);
  for (const Index part : {8, 16, 32, 64, 128})
    if (extent > part) ranges.emplace_back((extent - 1) / part * part, extent);
  ranges.emplace_back(extent / 2, extent);
  ranges.emplace_back(0, extent / 2);
  ranges.emplace_back(1, extent);
  return ranges;
}

}  // namespace assay::inline v0::detail
