#pragma once

#include "assay/collectives/stragglers/measure_links.hpp"

#include <unistd.h>
#include <cstdlib>
#include <cstring>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

ASSAY_DETAIL_HEADER_INLINE int tournament_partner(int rank, int round, int size) {
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

ASSAY_DETAIL_HEADER_INLINE Result<void> LinkSampler::prepare() {
  auto got = memory_.allocate(bytes());
  if (!got) return got.propagate();
  buffer_ = got.value();
  const std::string zeroes(bytes(), '\0');
  return memory_.write(buffer_, zeroes.data(), zeroes.size());
}

ASSAY_DETAIL_HEADER_INLINE Result<void> LinkSampler::speak_with(int partner, int samples) {
  const bool first = collective_.rank() < partner;
  for (int i = -1; i < samples; ++i) {  // the first waits for the partner to come, and is not counted
    const auto start = std::chrono::steady_clock::now();
    if (auto done = first ? ping(partner, options_.latency_bytes) : pong(partner, options_.latency_bytes); !done)
      return done;
    if (first && i >= 0) latency[partner].push_back(seconds_since_start(start) / 2);
  }
  for (const bool sends : {first, !first})
    for (int i = -1; i < samples; ++i) {
      const auto start = std::chrono::steady_clock::now();
      if (auto done = sends ? ping(partner, options_.bandwidth_bytes) : pong(partner, options_.bandwidth_bytes); !done)
        return done;
      if (sends && i >= 0) bandwidth[partner].push_back(seconds_since_start(start));
    }
  return {};
}

ASSAY_DETAIL_HEADER_INLINE Result<void> LinkSampler::message(int to, int from, Index count) {
  CollectiveCall call;
  call.operation = CollectiveOperation::send_receive;
  call.type = ElementType::uint8;
  call.count = count;
  call.destination = to;
  call.source = from;
  call.send = call.receive = buffer_;
  return collective_.run(call, deadline_after(options_.message_deadline));
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string links_text(const std::map<int, std::vector<double>>& samples,
                                                                double error) {
  std::string text;
  for (const auto& [to, times] : samples) {
    const MedianBounds bounds = median_bounds(times, error);
    text += std::to_string(to) + " ";
    for (const double seconds : {bounds.median, bounds.lower, bounds.upper}) text += printed_number(seconds) + " ";
  }
  return text + "\n";
}

ASSAY_DETAIL_HEADER_INLINE bool read_links(const char*& at, int from, LinkTimes& times) {
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

ASSAY_DETAIL_HEADER_INLINE Result<LinkMatrix> measure_links(AnyCollective& collective, Coordinator& coordinator,
                                                            Deadline until, const LinkOptions& options) {
  expect(options.latency_bytes >= 0 && options.bandwidth_bytes > 0 && options.passes >= 1 && options.samples >= 0 &&
             options.error > 0 && options.error < 1,
         [] {
           return "measure_links() was given LinkOptions that make no sense: sizes and passes are positive, the error "
                  "lies between 0 and 1";
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
    const std::string mine = !state ? std::to_string(static_cast<int>(state.error().kind)) + " " + state.error().message
                             : has_passed(until) ? "."
                                                 : "";
    auto all = coordinator.exchange(mine, deadline_after(options.agreement_deadline));
    if (!all) return all.propagate();
    for (std::size_t other = 0; other < all.value().size(); ++other) {
      const auto& text = all.value()[other];
      if (!text)
        return failure(ErrorKind::timed_out,
                       "rank " + std::to_string(other) + " did not come to agree while links were measured");
      if (*text == ".")
        time_is_up = true;
      else if (!text->empty())
        return failure(
            static_cast<ErrorKind>(std::clamp(std::atoi(text->c_str()), 0, static_cast<int>(ErrorKind::aborted))),
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
  auto texts = coordinator.exchange(std::string(host) + "\n" + detail::links_text(sampler.latency, error) +
                                        detail::links_text(sampler.bandwidth, error),
                                    deadline_after(options.agreement_deadline));
  if (!texts) return texts.propagate();
  LinkMatrix matrix{LinkTimes(size, options.latency_bytes), LinkTimes(size, options.bandwidth_bytes), {}};
  for (int from = 0; from < size; ++from) {
    const auto& text = texts.value()[static_cast<std::size_t>(from)];
    if (!text)
      return failure(ErrorKind::timed_out, "rank " + std::to_string(from) + " did not give what it had measured");
    const std::size_t line = text->find('\n');
    const char* at = text->c_str() + std::min(line + 1, text->size());
    if (line == std::string::npos || !detail::read_links(at, from, matrix.latency) ||
        !detail::read_links(at, from, matrix.bandwidth))
      return failure(ErrorKind::malformed,
                     "rank " + std::to_string(from) + " gave '" + text->substr(0, 80) + "' as what it had measured");
    matrix.hosts.push_back(text->substr(0, line));
  }
  for (int a = 0; a < size; ++a)
    for (int b = 0; b < a; ++b) matrix.latency.at(a, b) = matrix.latency.at(b, a);
  return matrix;
}

}  // namespace assay::inline v0
