#pragma once

#include "assay/suite/serve_distributed.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE PerformingThread::~PerformingThread() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    ended_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

ASSAY_DETAIL_HEADER_INLINE void PerformingThread::add(std::size_t position, std::string id) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    waiting_.emplace_back(position, std::move(id));
  }
  changed_.notify_all();
}

ASSAY_DETAIL_HEADER_INLINE void PerformingThread::work() {
  for (std::unique_lock<std::mutex> lock(mutex_);;) {
    changed_.wait(lock, [&] { return ended_ || !waiting_.empty(); });
    if (ended_) return;
    const auto [position, id] = std::move(waiting_.front());
    waiting_.pop_front();
    news_.push_back({DistributionMessage::Kind::started, position, {}});
    lock.unlock();
    Outcome outcome;
    if (position < suite_.size() && suite_[position].id == id) {
      outcome = perform_(suite_, position);
    } else {
      outcome = error_outcome(
          "the suite of this process has no such case at its place; start the same program with the same options in "
          "all processes");
      outcome.id = id;
    }
    std::string bytes = encode_outcome(outcome);
    lock.lock();
    news_.push_back({DistributionMessage::Kind::finished, position, std::move(bytes)});
  }
}

}  // namespace assay::inline v0::detail
