#pragma once

#include <chrono>
#include <concepts>
#include <optional>
#include <string>

namespace assay::inline v0 {

/// Bytes from another process.
struct ReceivedMessage {
  int from = 0;
  std::string bytes;  ///< as they were sent
};

/// How the processes of a distributed run talk. One thread a process uses it.
///
/// - Processes are numbered from 0 to `size()` − 1; 0 deals the cases out.
/// - `send(to, bytes)` does not wait. Messages of one pair of processes arrive whole, in their order, or not at all.
/// - `receive(patience)` gives the next message from anybody, waiting no longer than `patience`.
/// - `lost(process)`: that process will not be heard again, as far as the channel can tell; false is no promise.
template <class C>
concept MessageChannel = requires(C& channel, const C& constant, int process, std::string bytes,
                                  std::chrono::milliseconds patience) {
  { constant.rank() } -> std::same_as<int>;
  { constant.size() } -> std::same_as<int>;
  channel.send(process, std::move(bytes));
  { channel.receive(patience) } -> std::same_as<std::optional<ReceivedMessage>>;
  { channel.lost(process) } -> std::same_as<bool>;
};

}  // namespace assay::inline v0
