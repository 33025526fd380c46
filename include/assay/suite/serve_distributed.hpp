#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "assay/core/misuse.hpp"
#include "assay/core/result.hpp"
#include "assay/suite/case.hpp"
#include "assay/suite/detail/distribution_message.hpp"
#include "assay/suite/detail/perform.hpp"
#include "assay/suite/message_channel.hpp"

namespace assay::inline v0 {

/// Runs the case at `position` of the suite and gives its outcome, retries and all.
using CasePerformer = std::function<Outcome(const Suite& suite, std::size_t position)>;

namespace detail {

/// A thread that performs cases while another one talks.
class PerformingThread {
 public:
  PerformingThread(const Suite& suite, CasePerformer perform)
      : suite_(suite), perform_(std::move(perform)), thread_([this] { work(); }) {}
  PerformingThread(const PerformingThread&) = delete;
  PerformingThread& operator=(const PerformingThread&) = delete;
  /// Waits for the running case.
  ~PerformingThread();

  void add(std::size_t position, std::string id);

  /// Cases that have not begun shall not.
  void withdraw() {
    const std::lock_guard<std::mutex> lock(mutex_);
    waiting_.clear();
    news_.push_back({DistributionMessage::Kind::withdrawn, 0, {}});
  }

  /// What is to be told, as far as it has come.
  [[nodiscard]] std::vector<DistributionMessage> take_news() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return std::exchange(news_, {});
  }

 private:
  void work();

  const Suite& suite_;
  const CasePerformer perform_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::pair<std::size_t, std::string>> waiting_;
  std::vector<DistributionMessage> news_;
  bool ended_ = false;
  std::thread thread_;
};

}  // namespace detail

/// The part of every process but 0 in a distributed run: performs the cases that process 0 deals out, each by
/// `perform`, in a thread beside the calling one. Returns when it wants no more. `host` names this machine in outcomes.
/// Errors: `io` if process 0 is lost, `malformed` if it sends what is no message. Misuse: called by process 0.
template <MessageChannel Channel>
[[nodiscard]] Result<void> serve_distributed(const Suite& suite, const CasePerformer& perform, const std::string& host,
                                             Channel& channel) {
  expect(channel.rank() != 0, [] { return "serve_distributed was called by process 0, which calls run_distributed"; });
  using Kind = detail::DistributionMessage::Kind;
  channel.send(0, encode_message(detail::DistributionMessage{Kind::ready, 0, host}));
  detail::PerformingThread performing(suite, perform);
  for (auto spoken = std::chrono::steady_clock::now();;) {
    for (const detail::DistributionMessage& news : performing.take_news()) {
      channel.send(0, encode_message(news));
      spoken = std::chrono::steady_clock::now();
    }
    if (std::chrono::steady_clock::now() - spoken > std::chrono::seconds(1)) {
      channel.send(0, encode_message(detail::DistributionMessage{Kind::alive, 0, {}}));
      spoken = std::chrono::steady_clock::now();
    }
    if (channel.lost(0)) return failure(ErrorKind::io, "process 0, which deals the cases out, is lost");
    const auto received = channel.receive(std::chrono::milliseconds(1));
    if (!received || received->from != 0) continue;
    const auto message = detail::decode_distribution_message(received->bytes);
    if (!message) return message.propagate();
    if (message.value().kind == Kind::no_more) return {};
    if (message.value().kind == Kind::withdraw) performing.withdraw();
    if (message.value().kind == Kind::perform)
      performing.add(static_cast<std::size_t>(message.value().position), message.value().text);
  }
}

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/suite/serve_distributed.ipp"
#endif
