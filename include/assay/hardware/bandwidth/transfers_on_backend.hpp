#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "assay/backends/backend.hpp"
#include "assay/backends/wait_at_end.hpp"
#include "assay/core/misuse.hpp"
#include "assay/hardware/bandwidth/transfers.hpp"

namespace assay::inline v0 {

namespace detail {
/// The word at a place of what is copied: another in each repetition, so that what was left there shows.
[[nodiscard]] constexpr std::uint64_t transfer_word(std::size_t index, unsigned repetition) {
  std::uint64_t bits = (static_cast<std::uint64_t>(index) + 1) * 0x9E3779B97F4A7C15u + repetition;
  bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9u;
  return bits ^ (bits >> 31);
}

inline void fill_for_transfer(std::span<std::uint64_t> words, unsigned repetition) {
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = transfer_word(i, repetition);
}

inline void check_transfer(std::span<const std::uint64_t> words, unsigned repetition, TransferMeasurement& entry) {
  for (std::size_t i = 0; i < words.size(); ++i)
    if (words[i] != transfer_word(i, repetition) && entry.wrong_words++ == 0) entry.first_wrong = i;
}
}  // namespace detail

/// Copies from `source` to the device, from the device to `destination`, and both at once on two streams, and compares
/// every word that was copied. Both spans are the host's and of one size; pinned memory is measured where they are
/// pinned, and only there do devices copy both ways at once. A warm-up precedes each direction. Judge with
/// `judge_transfers`. Misuse: spans of different sizes, or none. Errors: the backend's, such as `out_of_memory`.
/// O(bytes × repetitions); takes twice the bytes on the device.
template <Backend B>
[[nodiscard]] Result<std::vector<TransferMeasurement>> transfers_on_backend(B& backend, std::span<std::uint64_t> source,
                                                                            std::span<std::uint64_t> destination,
                                                                            const TransferOptions& options) {
  expect(!source.empty() && source.size() == destination.size(), [&] {
    return "transfers were given " + std::to_string(source.size()) + " and " + std::to_string(destination.size()) +
           " words of host memory; give as many to copy from as to copy to, at least one";
  });
  const std::size_t count = source.size();
  auto upward = backend.make_stream(), downward = backend.make_stream();
  if (!upward) return upward.propagate();
  if (!downward) return downward.propagate();
  auto first = backend.template allocate<std::uint64_t>(count),
       second = backend.template allocate<std::uint64_t>(count);
  if (!first) return first.propagate();
  if (!second) return second.propagate();
  detail::WaitAtEnd up(backend, upward.value()), down(backend, downward.value());
  const auto to_device = [&](std::uint64_t* place) {
    return backend.copy_to_device(upward.value(), place, static_cast<const std::uint64_t*>(source.data()), count);
  };
  const auto to_host = [&](const std::uint64_t* place) {
    return backend.copy_to_host(downward.value(), destination.data(), place, count);
  };
  const auto wait = [&]() -> Result<void> {
    if (auto done = backend.synchronize(upward.value()); !done) return done;
    return backend.synchronize(downward.value());
  };

  std::vector<TransferMeasurement> found;
  unsigned pattern = 0;
  for (const TransferDirection direction : all_transfer_directions) {
    TransferMeasurement entry;
    entry.direction = direction;
    entry.bytes = count * sizeof(std::uint64_t) * (direction == TransferDirection::both ? 2 : 1);
    std::vector<double> seconds;
    for (unsigned repetition = 0; repetition <= std::max(1u, options.repetitions); ++repetition) {
      // the second buffer holds the pattern before, so that what comes back while another goes is known
      detail::fill_for_transfer(source, ++pattern);
      if (auto done = to_device(second.value().data()); !done) return done.propagate();
      if (auto done = wait(); !done) return done.propagate();
      if (direction == TransferDirection::both) detail::fill_for_transfer(source, pattern + 1);
      std::fill(destination.begin(), destination.end(), 0);
      const auto start = std::chrono::steady_clock::now();
      if (direction != TransferDirection::to_host)
        if (auto done = to_device(first.value().data()); !done) return done.propagate();
      if (direction != TransferDirection::to_device)
        if (auto done = to_host(second.value().data()); !done) return done.propagate();
      if (auto done = wait(); !done) return done.propagate();
      const double took = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      if (repetition > 0) seconds.push_back(took);
      if (options.fault_word < count && direction != TransferDirection::to_device)
        destination[options.fault_word] ^= std::uint64_t{1} << 17;
      if (direction != TransferDirection::to_device) detail::check_transfer(destination, pattern, entry);
      if (direction == TransferDirection::both) ++pattern;
      if (direction == TransferDirection::to_host) continue;
      if (auto done = to_host(first.value().data()); !done) return done.propagate();
      if (auto done = wait(); !done) return done.propagate();
      if (options.fault_word < count && direction == TransferDirection::to_device)
        destination[options.fault_word] ^= std::uint64_t{1} << 17;
      detail::check_transfer(destination, pattern, entry);
    }
    std::sort(seconds.begin(), seconds.end());
    const auto bytes = static_cast<double>(entry.bytes);
    if (seconds.front() > 0) entry.bytes_per_second = bytes / seconds.front();
    if (const double middle = seconds[seconds.size() / 2]; middle > 0) entry.median_bytes_per_second = bytes / middle;
    found.push_back(entry);
  }
  return found;
}

/// As above, with pageable memory of its own of `options.bytes`.
template <Backend B>
[[nodiscard]] Result<std::vector<TransferMeasurement>> transfers_on_backend(B& backend,
                                                                            const TransferOptions& options) {
  const std::size_t words = std::max<std::size_t>(options.bytes / sizeof(std::uint64_t), 1);
  std::vector<std::uint64_t> source(words), destination(words);
  return transfers_on_backend(backend, std::span(source), std::span(destination), options);
}

}  // namespace assay::inline v0
