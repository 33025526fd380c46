#pragma once

#include <array>
#include <string>
#include <string_view>

#include "assay/core/result.hpp"
#include "assay/fleet/node/node_health.hpp"

namespace assay::inline v0 {

/// Who asks, and so what exit codes mean. They contradict each other, which is why one must be named.
enum class CheckScheme {
  npd,     ///< node-problem-detector: 0 OK or WARNING, 1 CRITICAL, 2 UNKNOWN; it cuts standard output at 80 bytes
  nagios,  ///< 0 OK, 1 WARNING, 2 CRITICAL, 3 UNKNOWN
  slurm,   ///< prolog, epilog: 0 OK or WARNING, 1 CRITICAL or UNKNOWN, which drains the node
  nvidia   ///< Health Validation: 0 OK or WARNING, 1 CRITICAL or UNKNOWN, 2 no verdict
};
/// All of them, in their order.
inline constexpr std::array<CheckScheme, 4> all_check_schemes{CheckScheme::npd, CheckScheme::nagios, CheckScheme::slurm,
                                                              CheckScheme::nvidia};

/// As users type it.
[[nodiscard]] std::string_view name_of(CheckScheme scheme) noexcept;
/// Error `not_found`, with the nearest name.
[[nodiscard]] Result<CheckScheme> check_scheme_named(std::string_view name);

/// The exit code for a level.
[[nodiscard]] int exit_code(CheckScheme scheme, HealthLevel level) noexcept;
/// The exit code where no verdict came about: bad usage, a manifest that cannot be read.
[[nodiscard]] int no_verdict_code(CheckScheme scheme) noexcept;
/// How long a check may take: 4.5 s of node-problem-detector's 5, else a minute.
[[nodiscard]] double time_limit_seconds(CheckScheme scheme) noexcept;

inline constexpr std::size_t verdict_bytes = 80;  ///< of the first line, its end included

/// The first line: level, worst finding and how many more, in `verdict_bytes` at most with its end; printable.
[[nodiscard]] std::string verdict_line(const NodeReport& report);

/// Any text so cut: whole characters, "…" where something is missing.
[[nodiscard]] std::string cut_to_verdict(std::string_view text);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/fleet/node/check_scheme.ipp"
#endif
