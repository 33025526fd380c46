#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace assay::inline v0::detail {

/// The text with '%', control characters and those of `special` as %XX, so that it can stand between them.
[[nodiscard]] std::string escaped(std::string_view text, std::string_view special);

using TextMap = std::map<std::string, std::string>;

/// "k=v,k2=v2" in the order of the keys: equal maps, and only those, have equal texts.
[[nodiscard]] inline std::string canonical_text(const TextMap& map) {
  std::string text;
  for (const auto& [key, value] : map)
    text += (text.empty() ? "" : ",") + escaped(key, "=,{}") + "=" + escaped(value, "=,{}");
  return text;
}

/// The inverse; nothing for a text that `canonical_text` does not make.
[[nodiscard]] std::optional<TextMap> parse_canonical_text(std::string_view text);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/performance/detail/canonical_text.ipp"
#endif
