#pragma once

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "assay/collectives/any_collective.hpp"
#include "assay/collectives/coordinator.hpp"
#include "assay/collectives/stragglers/link_matrix.hpp"
#include "assay/core/printed_number.hpp"

namespace assay::inline v0 {

/// How links are measured.
struct LinkOptions {
  Index latency_bytes = 8;          ///< of the messages that show latency
  Index bandwidth_bytes = 4 << 20;  ///< of the messages that show bandwidth
  double error = 0.01;              ///< with which probability any bound of the matrix may be wrong
  int passes = 3;                   ///< over all pairs: a disturbance that lasts for a moment spoils one
  int samples = 0;                  ///< of each link and pass; 0: as many as bounds need, and half as many again
  bool one_at_a_time = false;       ///< no other pair speaks meanwhile; takes n/2 times as long
  std::chrono::milliseconds message_deadline{5000};     ///< for one message
  std::chrono::milliseconds agreement_deadline{10000};  ///< for the ranks to agree with each other
};

namespace detail {

/// Who speaks to whom in `round` of a tournament of n: the circle method, n − 1 rounds (n if n is odd), every pair
/// once. −1: nobody.
[[nodiscard]] int tournament_partner(int rank, int round, int size);
[[nodiscard]] inline int tournament_rounds(int size) {
  return size + size % 2 - 1;
}

/// Measures the links of one rank with its partners.
class LinkSampler {
 public:
  LinkSampler(AnyCollective& collective, const LinkOptions& options)
      : collective_(collective), options_(options), memory_(collective.memory()) {}
  LinkSampler(const LinkSampler&) = delete;
  LinkSampler& operator=(const LinkSampler&) = delete;
  ~LinkSampler() {
    if (buffer_ != nullptr) memory_.deallocate(buffer_, bytes());
  }

  [[nodiscard]] Result<void> prepare();

  /// Both directions; the lower rank begins.
  [[nodiscard]] Result<void> speak_with(int partner, int samples);

  std::map<int, std::vector<double>> latency, bandwidth;  ///< seconds, by the receiver

 private:
  [[nodiscard]] std::size_t bytes() const {
    return static_cast<std::size_t>(std::max({options_.latency_bytes, options_.bandwidth_bytes, Index{1}}));
  }
  [[nodiscard]] static double seconds_since_start(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }

  [[nodiscard]] Result<void> ping(int partner, Index count) {
    if (auto sent = message(partner, -1, count); !sent) return sent;
    return message(-1, partner, options_.latency_bytes);
  }
  [[nodiscard]] Result<void> pong(int partner, Index count) {
    if (auto received = message(-1, partner, count); !received) return received;
    return message(partner, -1, options_.latency_bytes);
  }
  [[nodiscard]] Result<void> message(int to, int from, Index count);

  AnyCollective& collective_;
  const LinkOptions& options_;
  CollectiveMemory memory_;
  void* buffer_ = nullptr;
};

/// False where the text is none of `links_text`.
[[nodiscard]] bool read_links(const char*& at, int from, LinkTimes& times);

}  // namespace detail

/// Latency and bandwidth between all pairs of ranks of `collective`, by send_receive, in rounds of disjoint pairs.
/// Called by every rank; ranks agree before each round whether time is left until `until`, so that pairs that it does
/// not reach are NaN.
///
/// Errors: `unsupported` where the runtime has no send_receive; `timed_out`, `aborted`, … of a rank, which the message
/// names, on all ranks alike; those of the coordinator and of the memory. n − 1 rounds a pass.
[[nodiscard]] Result<LinkMatrix> measure_links(AnyCollective& collective, Coordinator& coordinator, Deadline until,
                                               const LinkOptions& options = {});

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/collectives/stragglers/measure_links.ipp"
#endif
