#pragma once

#include "assay/core/nearest_name.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substituted = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      const std::size_t shorter = row[j] < row[j - 1] ? row[j] + 1 : row[j - 1] + 1;
      row[j] = substituted < shorter ? substituted : shorter;
    }
  }
  return row.back();
}

ASSAY_DETAIL_HEADER_INLINE std::vector<std::string> nearest_names(std::string_view typed,
                                                                  const std::vector<std::string>& names,
                                                                  std::size_t count) {
  const std::size_t reach = typed.size() / 3 > 2 ? typed.size() / 3 : 2;
  std::vector<std::size_t> half_edits;
  for (const std::string& name : names) {
    const std::size_t distance = edit_distance(typed, name);
    const bool contained = !typed.empty() && name.find(typed) != std::string::npos;
    half_edits.push_back(contained && distance > 1 ? 3 : 2 * distance);
  }
  std::vector<std::string> nearest;
  for (std::size_t distance = 0; distance <= 2 * reach; ++distance)
    for (std::size_t i = 0; i < names.size() && nearest.size() < count; ++i)
      if (half_edits[i] == distance) nearest.push_back(names[i]);
  return nearest;
}

ASSAY_DETAIL_HEADER_INLINE std::string unknown_name(std::string_view what, std::string_view typed,
                                                    const std::vector<std::string>& names) {
  const auto joined = [](const std::vector<std::string>& list) {
    std::string text;
    for (const std::string& name : list) text += (text.empty() ? "" : ", ") + name;
    return text;
  };
  std::string message = "unknown " + std::string(what) + " '" + std::string(typed) + "'";
  const std::vector<std::string> nearest = nearest_names(typed, names);
  if (!nearest.empty()) message += "; nearest: " + joined(nearest);
  return message + "; known: " + joined(names);
}

}  // namespace assay::inline v0
