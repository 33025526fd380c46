#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <tuple>

#include "assay/collectives/in_process/in_process_hooks.hpp"

namespace assay::inline v0::detail {

/// The bytes of a message; whoever received it keeps them for the next that it sends.
struct MessageBytes {
  std::unique_ptr<std::byte[]> memory;
  std::size_t capacity = 0;
  std::size_t size = 0;

  void resize(std::size_t bytes) {
    if (bytes > capacity) {
      memory = std::make_unique_for_overwrite<std::byte[]>(bytes);
      capacity = bytes;
    }
    size = bytes;
  }
  [[nodiscard]] std::span<std::byte> span() { return {memory.get(), size}; }
};

/// Tells the messages to one rank apart.
struct MessageTag {
  bool point_to_point = false;
  std::uint64_t call = 0;
  AlgorithmPhase phase = AlgorithmPhase::exchange;
  int level = 0;
  int step = 0;
  int chunk = 0;
  int from = 0;
  int stage = 0;  ///< where the phase stands in the algorithm; no part of the identity

  [[nodiscard]] auto identity() const { return std::tuple(point_to_point, call, level, phase, step, chunk, from); }
  friend bool operator<(const MessageTag& a, const MessageTag& b) { return a.identity() < b.identity(); }
  friend bool operator==(const MessageTag& a, const MessageTag& b) { return a.identity() == b.identity(); }
  /// Ascends as the algorithm goes on.
  [[nodiscard]] auto progress() const { return std::tuple(point_to_point, call, stage, step, chunk); }
};

struct RankMessage {
  MessageBytes bytes;
  ElementType type = ElementType::float32;
  MessageFate fate = MessageFate::deliver;
  std::chrono::steady_clock::time_point ready_at{};
};

}  // namespace assay::inline v0::detail
