#pragma once

#include "assay/suite/detail/label_filter.hpp"

#include <set>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE std::vector<std::string> names_of_formats(const std::string& formats) {
  std::vector<std::string> names{formats};
  const std::string inputs = formats.substr(0, formats.find('.'));
  std::string name;
  for (const char character : inputs) {
    if (character == 'x' && name.size() >= 2) {
      names.push_back(name);
      name.clear();
    } else {
      name += character;
    }
  }
  if (!name.empty() && name != formats) names.push_back(name);
  return names;
}

ASSAY_DETAIL_HEADER_INLINE Result<void> LabelFilter::check(const Suite& suite) const {
  if (entries->empty()) return {};
  std::set<std::string> known;
  for (const Case& entry : suite)
    for (std::string& name : names(entry)) known.insert(std::move(name));
  return check_entries(word, word + " names", *entries, {known.begin(), known.end()});
}

}  // namespace assay::inline v0::detail
