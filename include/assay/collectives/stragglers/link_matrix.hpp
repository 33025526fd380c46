#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "assay/collectives/stragglers/detail/median_bounds.hpp"
#include "assay/core/heat_map.hpp"
#include "assay/core/index.hpp"

namespace assay::inline v0 {

/// What a link does from one rank to another: seconds a message, as the median of its samples with bounds that hold for
/// all links of the matrix together. NaN where not measured.
struct LinkTime {
  double seconds = std::numeric_limits<double>::quiet_NaN();
  double lower = -std::numeric_limits<double>::infinity();  ///< seconds
  double upper = std::numeric_limits<double>::infinity();   ///< seconds
};

/// Times of messages of one size between all pairs of ranks.
struct LinkTimes {
  int size = 0;                 ///< ranks
  Index bytes = 0;              ///< of a message
  std::vector<LinkTime> links;  ///< from × to, row-major; the diagonal is not measured

  LinkTimes() = default;
  /// Nothing measured yet between that many ranks.
  LinkTimes(int ranks, Index message_bytes)
      : size(ranks), bytes(message_bytes), links(static_cast<std::size_t>(ranks) * static_cast<std::size_t>(ranks)) {}

  /// The link between two ranks; not checked.
  [[nodiscard]] LinkTime& at(int from, int to) {
    return links[static_cast<std::size_t>(from) * static_cast<std::size_t>(size) + static_cast<std::size_t>(to)];
  }
  /// The link between two ranks; not checked.
  [[nodiscard]] const LinkTime& at(int from, int to) const {
    return links[static_cast<std::size_t>(from) * static_cast<std::size_t>(size) + static_cast<std::size_t>(to)];
  }
};

/// Latency and bandwidth between all pairs of ranks.
struct LinkMatrix {
  LinkTimes latency;    ///< half of a round trip of small messages: the same in both directions
  LinkTimes bandwidth;  ///< large messages one way, acknowledged by a small one
  std::vector<std::string>
      /// by rank; links within a host are compared with each other, as are those between hosts. Empty: all alike
      hosts;

  /// Number of ranks.
  [[nodiscard]] int size() const { return latency.size; }
  /// Whether two ranks run on one machine; false where hosts are not known.
  [[nodiscard]] bool same_host(int a, int b) const {
    return !hosts.empty() && hosts[static_cast<std::size_t>(a)] == hosts[static_cast<std::size_t>(b)];
  }

  /// Microseconds, sender × receiver.
  [[nodiscard]] HeatMap latency_map() const {
    return map("latency, µs: sender × receiver, messages of " + std::to_string(latency.bytes) + " B", latency,
               [](const LinkTime& link) { return link.seconds * 1e6; });
  }
  /// 10⁹ bytes a second, sender × receiver.
  [[nodiscard]] HeatMap bandwidth_map() const {
    const auto bytes = static_cast<double>(bandwidth.bytes);
    return map("bandwidth, GB/s: sender × receiver, messages of " + std::to_string(bandwidth.bytes) + " B", bandwidth,
               [bytes](const LinkTime& link) { return bytes / link.seconds / 1e9; });
  }

 private:
  template <class Value>
  [[nodiscard]] static HeatMap map(std::string title, const LinkTimes& times, Value value) {
    HeatMap map;
    map.title = std::move(title);
    map.rows = map.columns = static_cast<std::size_t>(times.size);
    map.values.reserve(times.links.size());
    for (const LinkTime& link : times.links) map.values.push_back(value(link));
    return map;
  }
};

}  // namespace assay::inline v0
