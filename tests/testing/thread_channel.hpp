#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "assay/suite/message_channel.hpp"

namespace assay::testing {

/// Mailboxes of threads that play processes.
struct Network {
  explicit Network(int size) : boxes(static_cast<std::size_t>(size)), dead(static_cast<std::size_t>(size)) {}
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<std::deque<ReceivedMessage>> boxes;
  std::vector<bool> dead;

  void kill(int process) {
    const std::lock_guard<std::mutex> lock(mutex);
    dead[static_cast<std::size_t>(process)] = true;
  }
};

struct ThreadChannel {
  Network* network;
  int process;
  bool tells_losses = true;

  int rank() const { return process; }
  int size() const { return static_cast<int>(network->boxes.size()); }
  void send(int to, std::string bytes) {
    const std::lock_guard<std::mutex> lock(network->mutex);
    if (network->dead[static_cast<std::size_t>(process)]) return;
    network->boxes[static_cast<std::size_t>(to)].push_back({process, std::move(bytes)});
    network->changed.notify_all();
  }
  std::optional<ReceivedMessage> receive(std::chrono::milliseconds patience) {
    std::unique_lock<std::mutex> lock(network->mutex);
    auto& box = network->boxes[static_cast<std::size_t>(process)];
    network->changed.wait_for(lock, patience, [&] { return !box.empty(); });
    if (box.empty() || network->dead[static_cast<std::size_t>(process)]) return std::nullopt;
    ReceivedMessage message = std::move(box.front());
    box.pop_front();
    return message;
  }
  bool lost(int other) {
    const std::lock_guard<std::mutex> lock(network->mutex);
    return network->dead[static_cast<std::size_t>(process)] ||
           (tells_losses && network->dead[static_cast<std::size_t>(other)]);
  }
};

}  // namespace assay::testing
