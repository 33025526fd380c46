#pragma once

#include "assay/collectives/preflight/detail/roll_call.hpp"

#include <unistd.h>
#include <algorithm>
#include <cstdlib>
#include <map>
#include <thread>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

/// Processors that this process may use.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE int usable_processors() {
#if defined(__linux__)
  cpu_set_t set;
  if (::sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
#endif
  return static_cast<int>(std::thread::hardware_concurrency());
}

ASSAY_DETAIL_HEADER_INLINE Result<RollCall> roll_call(Coordinator& coordinator, int rank, int size, Deadline deadline) {
  char host[64] = {};
  static_cast<void>(::gethostname(host, sizeof host - 1));
  auto texts = coordinator.exchange(
      std::to_string(rank) + " " + std::to_string(size) + " " + std::to_string(usable_processors()) + " " + host,
      deadline);
  if (!texts) return texts.propagate();
  std::vector<int> absent;
  struct Host {
    int ranks = 0, processors = 0;
  };
  std::map<std::string, Host> hosts;
  for (std::size_t other = 0; other < texts.value().size(); ++other) {
    const auto& text = texts.value()[other];
    if (!text) {
      absent.push_back(static_cast<int>(other));
      continue;
    }
    char* at = nullptr;
    const long its_rank = std::strtol(text->c_str(), &at, 10), its_size = std::strtol(at, &at, 10),
               processors = std::strtol(at, &at, 10);
    if (its_rank != static_cast<long>(other) || its_size != size)
      return failure(ErrorKind::invalid, "rank " + std::to_string(other) + " takes itself for rank " +
                                             std::to_string(its_rank) + " of " + std::to_string(its_size) +
                                             ", and rank " + std::to_string(rank) + " for one of " +
                                             std::to_string(size));
    Host& own = hosts[*at == ' ' ? at + 1 : at];
    ++own.ranks;
    own.processors = std::max(own.processors, static_cast<int>(processors));
  }
  if (!absent.empty())
    return failure(ErrorKind::timed_out, rank_list(absent) + (absent.size() == 1 ? " does" : " do") + " not answer");
  RollCall roll;
  roll.hosts = hosts.size();
  for (const auto& [name, own] : hosts)
    if (own.processors < own.ranks && roll.oversubscribed.empty())
      roll.oversubscribed = "host " + name + " runs " + std::to_string(own.ranks) + " ranks on " +
                            std::to_string(own.processors) + " processors";
  return roll;
}

}  // namespace assay::inline v0::detail
