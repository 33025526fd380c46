#pragma once

#include "assay/hardware/pools/check_pool.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <map>
#include <unordered_map>

#include "assay/core/config.hpp"
#include "assay/report/text.hpp"
#include "assay/suite/seed.hpp"

namespace assay::inline v0 {

namespace detail {

/// Blocks that live, by id and by place.
class PoolReplay {
 public:
  PoolReplay(const PoolSubject& subject, Outcome& outcome) : subject_(subject), outcome_(outcome) {}

  bool play(const AllocationEvent& event) { return event.free ? end(event.id) : begin(event); }

  bool end_all() {
    while (!living_.empty())
      if (!end(living_.begin()->first)) return false;
    return true;
  }

  [[nodiscard]] std::size_t reserved() const { return subject_.reserved_bytes ? subject_.reserved_bytes() : 0; }
  [[nodiscard]] double seconds() const { return seconds_; }

  std::size_t most_living = 0, most_reserved = 0, events = 0;

 private:
  struct Block {
    unsigned char* memory = nullptr;
    std::size_t bytes = 0, alignment = 0;
    std::uint64_t seed = 0;
  };

  bool fail(Verdict verdict, const std::string& reason) {
    outcome_.verdict = verdict;
    outcome_.reason = "event " + std::to_string(events) + " of the trace: " + reason;
    return false;
  }

  static std::uint64_t word_of(const Block& block, std::size_t at) { return splitmix64_finalize(block.seed + at); }

  bool begin(const AllocationEvent& event) {
    ++events;
    const auto start = std::chrono::steady_clock::now();
    void* const memory = subject_.allocate(event.bytes, event.alignment);
    seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const std::string what = "an allocation of " + std::to_string(event.bytes) + " bytes";
    if (memory == nullptr)
      return event.bytes == 0 ||
             fail(Verdict::error, what + " was refused, with " + std::to_string(living_bytes_) + " bytes in use");
    const auto address = reinterpret_cast<std::uintptr_t>(memory);
    if (address % event.alignment != 0)
      return fail(Verdict::fail, what + " lies at " + std::to_string(address % event.alignment) +
                                     " bytes past a multiple of its alignment, " + std::to_string(event.alignment));
    const auto next = places_.lower_bound(address);
    const bool into_next = next != places_.end() && next->first < address + event.bytes;
    const bool into_last = next != places_.begin() && std::prev(next)->second + std::prev(next)->first > address;
    if (event.bytes > 0 && (into_next || into_last))
      return fail(Verdict::fail, what + " overlaps one that is in use: the same memory was given twice");
    Block block{static_cast<unsigned char*>(memory), event.bytes, event.alignment, splitmix64_finalize(event.id + 1)};
    for (std::size_t at = 0; at < block.bytes; at += 8) {
      const std::uint64_t word = word_of(block, at);
      std::memcpy(block.memory + at, &word, std::min<std::size_t>(8, block.bytes - at));
    }
    living_[event.id] = block;
    if (event.bytes > 0) places_[address] = event.bytes;
    living_bytes_ += event.bytes;
    most_living = std::max(most_living, living_bytes_);
    most_reserved = std::max(most_reserved, reserved());
    return true;
  }

  bool end(std::uint64_t id) {
    ++events;
    const auto found = living_.find(id);
    if (found == living_.end()) return true;  // an allocation of no bytes that was answered by null
    const Block block = found->second;
    living_.erase(found);
    places_.erase(reinterpret_cast<std::uintptr_t>(block.memory));
    living_bytes_ -= block.bytes;
    std::size_t wrong = 0, first = 0;
    for (std::size_t at = 0; at < block.bytes; ++at) {
      std::uint64_t word = 0;
      if (at % 8 == 0 && at + 8 <= block.bytes) {
        std::memcpy(&word, block.memory + at, 8);
        if (word == word_of(block, at)) {
          at += 7;
          continue;
        }
      }
      const auto expected = static_cast<unsigned char>(word_of(block, at / 8 * 8) >> at % 8 * 8);
      if (block.memory[at] != expected && wrong++ == 0) first = at;
    }
    const auto start = std::chrono::steady_clock::now();
    subject_.deallocate(block.memory, block.bytes, block.alignment);
    seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (wrong > 0)
      return fail(Verdict::fail, std::to_string(wrong) + " bytes of a block of " + std::to_string(block.bytes) +
                                     " changed while it was in use, the first at " + std::to_string(first) +
                                     ": the pool, or who has the same memory, wrote into it");
    return true;
  }

  const PoolSubject& subject_;
  Outcome& outcome_;
  std::unordered_map<std::uint64_t, Block> living_;
  std::map<std::uintptr_t, std::size_t> places_;
  std::size_t living_bytes_ = 0;
  double seconds_ = 0;
};

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE Outcome check_pool(const PoolSubject& subject, const AllocationTrace& trace,
                                              const PoolCheckOptions& options) {
  Outcome outcome;
  outcome.id = "hardware/pools/" + subject.name;
  outcome.labels = {{"operation", "pools"}, {"backend", "host"}, {"subject", subject.name}};
  outcome.reproduce = "assay hardware pools";
  if (trace.empty()) {
    outcome.reason = "the trace is empty";
    return outcome;
  }
  const auto start = std::chrono::steady_clock::now();
  detail::PoolReplay replay(subject, outcome);
  const std::size_t before = replay.reserved();
  Series reserved{"reserved after each round", "round", "bytes", {}};
  const unsigned rounds = std::max(1u, options.rounds);
  bool whole = true;
  for (unsigned round = 0; whole && round < rounds; ++round) {
    for (const AllocationEvent& event : trace)
      if (whole) whole = replay.play(event);
    whole = whole && replay.end_all();
    reserved.points.emplace_back(round + 1, static_cast<double>(replay.reserved()));
  }
  outcome.duration_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  outcome.measure("events", static_cast<double>(replay.events));
  outcome.measure("largest_in_use", static_cast<double>(replay.most_living), "B");
  if (replay.events > 0) outcome.measure("time_of_a_call", replay.seconds() / static_cast<double>(replay.events), "s");
  outcome.derivation.push_back("every block is written over its length and read back at its end; " +
                               std::to_string(rounds) + " rounds of the trace");
  if (!whole) return outcome;
  const auto fail = [&](const std::string& reason) {
    outcome.verdict = Verdict::fail;
    outcome.reason = reason;
  };
  outcome.verdict = Verdict::pass;
  if (!subject.reserved_bytes) {
    outcome.derivation.push_back(
        "the pool does not tell what it holds of the system's memory: neither leaks inside it "
        "nor fragmentation are known");
    return outcome;
  }
  const double overhead =
      replay.most_living > 0 ? static_cast<double>(replay.most_reserved) / static_cast<double>(replay.most_living) : 0;
  outcome.measure("largest_reserved", static_cast<double>(replay.most_reserved), "B");
  outcome.measure("overhead", overhead);
  outcome.series.push_back(reserved);
  if (replay.most_reserved < replay.most_living)
    return fail("the pool says that it reserved " + std::to_string(replay.most_reserved) + " bytes at most, while " +
                std::to_string(replay.most_living) + " were in use: it does not count all"),
           outcome;
  if (subject.release) {
    subject.release();
    const std::size_t after = replay.reserved();
    outcome.measure("leaked", static_cast<double>(after) - static_cast<double>(before), "B");
    if (after > before)
      return fail(std::to_string(after - before) +
                  " bytes were not given back after all blocks had ended and the pool was asked to release them: a "
                  "leak"),
             outcome;
  }
  if (rounds > 1 && reserved.points.back().second > reserved.points.front().second)
    return fail("what the pool holds between rounds of the same trace grew from " +
                number_text(reserved.points.front().second) + " to " + number_text(reserved.points.back().second) +
                " bytes: a leak, or free memory that it cannot use again"),
           outcome;
  if (options.most_overhead > 0 && overhead > options.most_overhead)
    fail("the pool reserved " + number_text(overhead) + " times what was in use at once; " +
         number_text(options.most_overhead) + " are allowed");
  return outcome;
}

}  // namespace assay::inline v0
