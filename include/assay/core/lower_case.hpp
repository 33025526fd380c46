#pragma once

#include <string>
#include <string_view>

namespace assay::inline v0::detail {

/// The same with small letters for capital ones, of ASCII alone, whatever the locale.
[[nodiscard]] inline std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& letter : lower)
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  return lower;
}

}  // namespace assay::inline v0::detail
