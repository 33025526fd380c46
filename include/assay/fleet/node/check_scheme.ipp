#pragma once

#include "assay/fleet/node/check_scheme.hpp"

#include <vector>

#include "assay/core/config.hpp"
#include "assay/core/nearest_name.hpp"
#include "assay/report/text.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE std::string_view name_of(CheckScheme scheme) noexcept {
  constexpr std::string_view names[] = {"npd", "nagios", "slurm", "nvidia"};
  return names[static_cast<std::size_t>(scheme)];
}

ASSAY_DETAIL_HEADER_INLINE Result<CheckScheme> check_scheme_named(std::string_view name) {
  std::vector<std::string> names;
  for (const CheckScheme scheme : all_check_schemes) {
    if (name_of(scheme) == name) return scheme;
    names.emplace_back(name_of(scheme));
  }
  return failure(ErrorKind::not_found, unknown_name("scheme", name, names));
}

ASSAY_DETAIL_HEADER_INLINE int exit_code(CheckScheme scheme, HealthLevel level) noexcept {
  //                                     OK WARNING CRITICAL UNKNOWN
  static constexpr int codes[4][4] = {{0, 0, 1, 2}, {0, 1, 2, 3}, {0, 0, 1, 1}, {0, 0, 1, 1}};
  return codes[static_cast<std::size_t>(scheme)][static_cast<std::size_t>(level)];
}

ASSAY_DETAIL_HEADER_INLINE int no_verdict_code(CheckScheme scheme) noexcept {
  return scheme == CheckScheme::nvidia ? 2 : exit_code(scheme, HealthLevel::unknown);
}

ASSAY_DETAIL_HEADER_INLINE double time_limit_seconds(CheckScheme scheme) noexcept {
  return scheme == CheckScheme::npd ? 4.5 : 60;
}

ASSAY_DETAIL_HEADER_INLINE std::string cut_to_verdict(std::string_view text) {
  const std::string whole = visible(text);
  constexpr std::size_t most = verdict_bytes - 1;
  if (whole.size() <= most) return whole;
  std::size_t end = most - 3;  // "…" has three bytes
  while (end > 0 && (static_cast<unsigned char>(whole[end]) & 0xC0) == 0x80) --end;
  return whole.substr(0, end) + "…";
}

ASSAY_DETAIL_HEADER_INLINE std::string verdict_line(const NodeReport& report) {
  std::string text(name_of(report.level));
  if (report.findings.empty()) {
    if (report.devices_expected)
      text +=
          " " + std::to_string(report.devices_present) + "/" + std::to_string(*report.devices_expected) + " devices,";
    return cut_to_verdict(text + " " + std::to_string(report.checks) + " checks");
  }
  const std::string more =
      report.findings.size() > 1 ? " (+" + std::to_string(report.findings.size() - 1) + ")" : std::string();
  return cut_to_verdict(text + more + " " + report.findings.front().what);
}

}  // namespace assay::inline v0
