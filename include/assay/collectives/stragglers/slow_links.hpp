#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "assay/collectives/stragglers/detail/median_polish.hpp"
#include "assay/collectives/stragglers/link_matrix.hpp"
#include "assay/collectives/stragglers/straggler_report.hpp"
#include "assay/core/misuse.hpp"

namespace assay::inline v0 {

/// How slow links and the ranks at their ends are told from noise. Bounds of links come from their measurement
/// (`LinkOptions::error`).
struct SlowLinkOptions {
  double least_slowdown = 1.25;  ///< slower than this many times is slow
  /// Which links are alike and compared with each other: equal numbers. Empty: all alike.
  std::function<int(int from, int to)> class_of;
};

/// Which links are slow, and which ranks make all of theirs slow. A link is slow if the lower bound of its median lies
/// above `least_slowdown` times what links of its class take; noise may have any distribution. From four ranks on a
/// slow rank is told from slow links. Fewer than half of the ranks, and of a rank's links, may be slow. `inconclusive`
/// where fewer than half of the links were measured, or none has a bound. Source: Tukey, "Exploratory Data Analysis",
/// 1977 (median polish, of logarithms here: effects are factors). O(n²).
[[nodiscard]] StragglerReport find_slow_links(const LinkTimes& times, const SlowLinkOptions& options = {});

/// Links within hosts and links between hosts, apart, by the hosts of the matrix.
[[nodiscard]] inline SlowLinkOptions compared_by_host(const LinkMatrix& matrix, double least_slowdown = 1.25) {
  return {least_slowdown, [hosts = matrix.hosts](int from, int to) {
            return !hosts.empty() && hosts[static_cast<std::size_t>(from)] == hosts[static_cast<std::size_t>(to)] ? 0
                                                                                                                  : 1;
          }};
}

/// The slowdown of every link over the least that counts: above 1 is slow. Reports color it so.
[[nodiscard]] HeatMap slowdown_map(const StragglerReport& report, const LinkTimes& times, double least_slowdown);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/collectives/stragglers/slow_links.ipp"
#endif
