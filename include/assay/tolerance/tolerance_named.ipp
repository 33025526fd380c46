#pragma once

#include "assay/tolerance/tolerance_named.hpp"

#include <cmath>
#include <optional>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Result<ChosenTolerance> tolerance_named(std::string_view text) {
  ChosenTolerance chosen;
  if (text == "derived") return chosen;
  if (text == "exact") {
    chosen.kind = ChosenTolerance::Kind::exact;
    return chosen;
  }
  if (text == "strict" || text == "normal" || text == "relaxed") {
    chosen.kind = ChosenTolerance::Kind::preset;
    chosen.preset = text == "strict" ? Preset::strict : text == "relaxed" ? Preset::relaxed : Preset::normal;
    return chosen;
  }
  const auto refused = [&](const std::string& why) {
    return failure(
        ErrorKind::invalid,
        why + "; allowed: derived, exact, strict, normal, relaxed, ulps=N, atol=X,rtol=Y with numbers of 0 or more");
  };
  if (text.find('=') == std::string_view::npos)
    return refused(unknown_name("tolerance", text, {"derived", "exact", "strict", "normal", "relaxed"}));
  std::vector<std::string> seen;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t comma = text.find(',', start);
    const std::string part(text.substr(start, comma == std::string_view::npos ? comma : comma - start));
    start = comma == std::string_view::npos ? text.size() + 1 : comma + 1;
    const std::size_t equals = part.find('=');
    const std::string key = part.substr(0, equals), value = equals == std::string::npos ? "" : part.substr(equals + 1);
    if (key != "ulps" && key != "atol" && key != "rtol")
      return refused("tolerance '" + std::string(text) + "': unknown part '" + part + "'");
    for (const std::string& said : seen)
      if (said == key) return refused("tolerance '" + std::string(text) + "': " + key + " is said twice");
    seen.push_back(key);
    if (seen.size() > 1 && (key == "ulps" || seen.front() == "ulps"))
      return refused("tolerance '" + std::string(text) + "': ulps stands alone");
    const bool decimal =
        value.find_first_not_of("0123456789.eE+-") == std::string::npos && value.find_first_of("0123456789.") == 0;
    const std::optional<double> number = decimal ? detail::read_number(value) : std::nullopt;
    if (!number) return refused("tolerance '" + std::string(text) + "': '" + part + "' has no number of 0 or more");
    if (key == "ulps") {
      if (*number > 65536 || *number != std::floor(*number))
        return refused("tolerance '" + std::string(text) + "': ulps is a whole number up to 65536");
      chosen.kind = ChosenTolerance::Kind::ulps;
      chosen.ulps = static_cast<unsigned>(*number);
    } else {
      chosen.kind = ChosenTolerance::Kind::absolute_relative;
      (key == "atol" ? chosen.absolute : chosen.relative) = *number;
    }
  }
  return chosen;
}

}  // namespace assay::inline v0
