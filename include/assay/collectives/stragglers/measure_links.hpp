#pragma once

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "assay/collectives/any_collective.hpp"
#include "assay/collectives/coordinator.hpp"
#include "assay/collectives/stragglers/link_matrix.hpp"
#include "assay/core/detail/printed_number.hpp"

namespace assay::inline v0 {

/// How links are measured.
struct LinkOptions {
  Index latency_bytes = 8;                              ///< of the messages that show latency
  Index bandwidth_bytes = 4 << 20;                      ///< of the messages that show bandwidth
  double error = 0.01;                                  ///< with which probability any bound of the matrix may be wrong
  int passes = 3;                                       ///< over all pairs: a disturbance that lasts for a moment spoils one
  int samples = 0;                                      ///< of each link and pass; 0: as many as bounds need, and half as many again
  bool one_at_a_time = false;                           ///< no other pair speaks meanwhile; takes n/2 times as long
  std::chrono::milliseconds message_deadline{5000};     ///< for one message
  std::chrono::milliseconds agreement_deadline{10000};  ///< for the ranks to agree with each other
};

namespace detail {

/// Who speaks to whom in `round` of a tournament of n: the circle method, n − 1 rounds (n if n is odd), every pair once. −1: nobody.
[[nodiscard]] inline int tournament_partner(int rank, int round, int size) {
  const int even = size + size % 2, last = even - 1;
  if (rank == last) {
    for (int other = 0; other < last; ++other)
      if (2 * other % last == round % last) return other < size ? other : -1;
    return -1;
  }
  const int other = ((round - rank) % last + last) % last;
  const int partner = other == rank ? last : other;
  return partner < size ? partner : -1;
}
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

  [[nodiscard]] Result<void> prepare() {
    auto got = memory_.allocate(bytes());
    if (!got) return got.propagate();
    buffer_ = got.value();
    const std::string zeroes(bytes(), '\0');
    return memory_.write(buffer_, zeroes.data(), zeroes.size());
  }

  /// Both directions; the lower rank begins.
  [[nodiscard]] Result<void> speak_with(int partner, int samples) {
    const bool first = collective_.rank() < partner;
    for (int i = -1; i < samples; ++i) {  // the first waits for the partner to come, and is not counted
      const auto start = std::chrono::steady_clock::now();
      if (auto done = first ? ping(partner, options_.latency_bytes) : pong(partner, options_.latency_bytes); !done) return done;
      if (first && i >= 0) latency[partner].push_back(seconds_since_start(start) / 2);
    }
    for (const bool sends : {first, !first})
      for (int i = -1; i < samples; ++i) {
        const auto start = std::chrono::steady_clock::now();
        if (auto done = sends ? ping(partner, options_.bandwidth_bytes) : pong(partner, options_.bandwidth_bytes); !done) return done;
        if (sends && i >= 0) bandwidth[partner].push_back(seconds_since_start(start));
      }
    return {};
  }

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
  [[nodiscard]] Result<void> message(int to, int from, Index count) {
    CollectiveCall call;
    call.operation = CollectiveOperation::send_receive;
    call.type = ElementType::uint8;
    call.count = count;
    call.destination = to;
    call.source = from;
    call.send = call.receive = buffer_;
    return collective_.run(call, deadline_after(options_.message_deadline));
  }

  AnyCollective& collective_;
  const LinkOptions& options_;
  CollectiveMemory memory_;
  void* buffer_ = nullptr;
};

[[nodiscard]] inline std::string links_text(const std::map<int, std::vector<double>>& samples, double error) {
  std::string text;
  for (const auto& [to, times] : samples) {
    const MedianBounds bounds = median_bounds(times, error);
    text += std::to_string(to) + " ";
    for (const double seconds : {bounds.median, bounds.lower, bounds.upper}) text += printed_number(seconds) + " ";
  }
  return text + "\n";
}

/// False where the text is none of `links_text`.
[[nodiscard]] inline bool read_links(const char*& at, int from, LinkTimes& times) {
  while (*at != '\n' && *at != '\0') {
    char* end = nullptr;
    const long to = std::strtol(at, &end, 10);
    if (end == at || to < 0 || to >= times.size) return false;
    at = end;
    LinkTime link;
    for (double* number : {&link.seconds, &link.lower, &link.upper}) {
      while (*at == ' ') ++at;
      const std::size_t length = std::strcspn(at, " \n");
      const auto value = read_number({at, length});
      if (!value) return false;
      *number = *value;
      at += length;
    }
    times.at(from, static_cast<int>(to)) = link;
    while (*at == ' ') ++at;
  }
  if (*at == '\n') ++at;
  return true;
}

}  // namespace detail

/// Latency and bandwidth between all pairs of ranks of `collective`, by send_receive, in rounds of disjoint pairs. Called by
/// every rank; ranks agree before each round whether time is left until `until`, so that pairs that it does not reach are NaN.
///
/// Errors: `unsupported` where the runtime has no send_receive; `timed_out`, `aborted`, … of a rank, which the message names, on all ranks
/// alike; those of the coordinator and of the memory. n − 1 rounds a pass.
[[nodiscard]] inline Result<LinkMatrix> measure_links(AnyCollective& collective, Coordinator& coordinator, Deadline until,
                                                      const LinkOptions& options = {}) {
  expect(options.latency_bytes >= 0 && options.bandwidth_bytes > 0 && options.passes >= 1 && options.samples >= 0 && options.error > 0 &&
             options.error < 1,
         [] {
           return "measure_links() was given LinkOptions that make no sense: sizes and passes are positive, the error lies between 0 and 1";
         });
  const int rank = collective.rank(), size = collective.size();
  const double links = static_cast<double>(size) * std::max(size - 1, 1), error = options.error / (2 * links);
  const int needed = static_cast<int>(detail::samples_for_bounds(error));
  const int samples = options.samples > 0 ? options.samples : (needed * 3 / 2 + options.passes - 1) / options.passes;
  detail::LinkSampler sampler(collective, options);
  Result<void> state = sampler.prepare();

  /// Whether all go on: every rank says "" to go on, "." where its time is up, else its error.
  bool time_is_up = false;
  const auto agree = [&]() -> Result<void> {
    const std::string mine = !state              ? std::to_string(static_cast<int>(state.error().kind)) + " " + state.error().message
                             : has_passed(until) ? "."
                                                 : "";
    auto all = coordinator.exchange(mine, deadline_after(options.agreement_deadline));
    if (!all) return all.propagate();
    for (std::size_t other = 0; other < all.value().size(); ++other) {
      const auto& text = all.value()[other];
      if (!text) return failure(ErrorKind::timed_out, "rank " + std::to_string(other) + " did not come to agree while links were measured");
      if (*text == ".")
        time_is_up = true;
      else if (!text->empty())
        return failure(static_cast<ErrorKind>(std::clamp(std::atoi(text->c_str()), 0, static_cast<int>(ErrorKind::aborted))),
                       "rank " + std::to_string(other) + ": " + text->substr(std::min(text->find(' ') + 1, text->size())));
    }
    return {};
  };

  for (int pass = 0; pass < options.passes && !time_is_up; ++pass)
    for (int round = 0; round < detail::tournament_rounds(size) && !time_is_up; ++round) {
      const int partner = detail::tournament_partner(rank, round, size);
      const int turns = options.one_at_a_time ? size : 1;
      for (int turn = 0; turn < turns && !time_is_up; ++turn) {
        if (options.one_at_a_time) {  // the pair whose lower rank has its turn
          const int first = turn, second = detail::tournament_partner(turn, round, size);
          if (second < first) continue;
        }
        if (auto agreed = agree(); !agreed) return agreed.propagate();
        if (time_is_up || partner < 0 || (options.one_at_a_time && std::min(rank, partner) != turn)) continue;
        if (state) state = sampler.speak_with(partner, samples);
      }
    }
  time_is_up = false;
  if (auto agreed = agree(); !agreed) return agreed.propagate();

  char host[64] = {};
  static_cast<void>(::gethostname(host, sizeof host - 1));
  auto texts = coordinator.exchange(
      std::string(host) + "\n" + detail::links_text(sampler.latency, error) + detail::links_text(sampler.bandwidth, error),
      deadline_after(options.agreement_deadline));
  if (!texts) return texts.propagate();
  LinkMatrix matrix{LinkTimes(size, options.latency_bytes), LinkTimes(size, options.bandwidth_bytes), {}};
  for (int from = 0; from < size; ++from) {
    const auto& text = texts.value()[static_cast<std::size_t>(from)];
    if (!text) return failure(ErrorKind::timed_out, "rank " + std::to_string(from) + " did not give what it had measured");
    const std::size_t line = text->find('\n');
    const char* at = text->c_str() + std::min(line + 1, text->size());
    if (line == std::string::npos || !detail::read_links(at, from, matrix.latency) || !detail::read_links(at, from, matrix.bandwidth))
      return failure(ErrorKind::malformed, "rank " + std::to_string(from) + " gave '" + text->substr(0, 80) + "' as what it had measured");
    matrix.hosts.push_back(text->substr(0, line));
  }
  for (int a = 0; a < size; ++a)
    for (int b = 0; b < a; ++b) matrix.latency.at(a, b) = matrix.latency.at(b, a);
  return matrix;
}

}  // namespace assay::inline v0
