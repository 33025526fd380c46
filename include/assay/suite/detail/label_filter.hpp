#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "assay/core/result.hpp"
#include "assay/suite/case.hpp"
#include "assay/suite/detail/vocabulary.hpp"

namespace assay::inline v0::detail {

/// The names under which a formats label can be selected: the whole ("f16xbf16.f32.f32") and its input formats ("f16",
/// "bf16"). Inputs that differ are joined by an 'x' after at least two characters, so that "mxfp4" stays one name.
[[nodiscard]] inline std::vector<std::string> names_of_formats(const std::string& formats) {
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

/// A list of a selection that reads one label of the cases.
struct LabelFilter {
  std::string label;
  std::string word;  ///< one of them, in messages
  const std::vector<std::string>* entries;

  [[nodiscard]] std::vector<std::string> names(const Case& entry) const {
    const auto found = entry.labels.find(label);
    if (found == entry.labels.end()) return {};
    return label == "formats" ? names_of_formats(found->second) : std::vector<std::string>{found->second};
  }

  [[nodiscard]] bool matches(const Case& entry) const {
    for (const std::string& name : names(entry))
      if (any_matches(*entries, name)) return true;
    return false;
  }

  [[nodiscard]] Result<void> check(const Suite& suite) const {
    if (entries->empty()) return {};
    std::set<std::string> known;
    for (const Case& entry : suite)
      for (std::string& name : names(entry)) known.insert(std::move(name));
    return check_entries(word, word + " names", *entries, {known.begin(), known.end()});
  }

  /// "backend onednn or eigen", for messages.
  [[nodiscard]] std::string description() const { return word + " " + joined(*entries, " or "); }
};

}  // namespace assay::inline v0::detail
