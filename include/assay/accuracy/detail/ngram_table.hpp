#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace assay::inline v0::detail {

/// Numbers for tokens and n-grams, from 1 on, exact whatever their length: an n-gram is its first n − 1 tokens, by
/// number, and its last. Emptied in time that does not depend on its size.
class NgramTable {
 public:
  NgramTable() : slots_(1024) {}

  void clear() noexcept {
    ++generation_;
    used_ = 0;
  }
  /// The number of the n-gram `shorter` + `token`; `shorter` is 0 for single tokens. Expected O(1).
  [[nodiscard]] std::uint32_t number(std::uint32_t shorter, std::uint32_t token) {
    if (2 * (used_ + 1) > slots_.size()) grow();
    const std::uint64_t key = std::uint64_t{shorter} << 32 | token;
    Slot& slot = find(key);
    if (slot.generation != generation_) slot = {key, generation_, ++used_};
    return slot.number;
  }
  /// Numbers up to this one were given out.
  [[nodiscard]] std::uint32_t largest() const noexcept { return used_; }

 private:
  struct Slot {
    std::uint64_t key = 0;
    std::uint32_t generation = 0, number = 0;
  };
  [[nodiscard]] Slot& find(std::uint64_t key) noexcept {
    const std::size_t mask = slots_.size() - 1;
    std::uint64_t hash = key * 0x9E3779B97F4A7C15u;
    for (std::size_t at = (hash ^ hash >> 32) & mask;; at = (at + 1) & mask)
      if (slots_[at].generation != generation_ || slots_[at].key == key) return slots_[at];
  }
  void grow() {
    std::vector<Slot> old(2 * slots_.size());
    std::swap(old, slots_);
    for (const Slot& slot : old)
      if (slot.generation == generation_) find(slot.key) = slot;
  }

  std::vector<Slot> slots_;
  std::uint32_t generation_ = 1, used_ = 0;
};

/// Numbers for words: equal for equal text. Expected O(length).
class WordTable {
 public:
  WordTable() : slots_(256) {}

  void clear() noexcept {
    ++generation_;
    used_ = 0;
  }
  /// `word` must live until `clear`.
  [[nodiscard]] std::uint32_t number(std::string_view word) {
    if (2 * (used_ + 1) > slots_.size()) grow();
    Slot& slot = find(word, hash_of(word));
    if (slot.generation != generation_) slot = {word, hash_of(word), generation_, ++used_};
    return slot.number;
  }

 private:
  struct Slot {
    std::string_view word;
    std::uint64_t hash = 0;
    std::uint32_t generation = 0, number = 0;
  };
  [[nodiscard]] static std::uint64_t hash_of(std::string_view word) noexcept {
    std::uint64_t hash = 0xCBF29CE484222325u;
    for (const char c : word) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3u;
    return hash ^ hash >> 29;
  }
  [[nodiscard]] Slot& find(std::string_view word, std::uint64_t hash) noexcept {
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t at = hash & mask;; at = (at + 1) & mask)
      if (slots_[at].generation != generation_ || (slots_[at].hash == hash && slots_[at].word == word))
        return slots_[at];
  }
  void grow() {
    std::vector<Slot> old(2 * slots_.size());
    std::swap(old, slots_);
    for (const Slot& slot : old)
      if (slot.generation == generation_) find(slot.word, slot.hash) = slot;
  }

  std::vector<Slot> slots_;
  std::uint32_t generation_ = 1, used_ = 0;
};

/// How many n-grams two token sequences have, of each order from 1 to `orders`, and how many they share, an n-gram
/// counted as often as both have it.
class NgramOverlap {
 public:
  explicit NgramOverlap(std::size_t orders) : orders_(orders) {}

  /// `references`: of several, an n-gram counts as often as the one that has it most often. The result is
  /// shared[order − 1]; how many n-grams a sequence has is max(length − order + 1, 0). O(tokens · orders).
  [[nodiscard]] const std::vector<std::size_t>& shared(std::span<const std::uint32_t> hypothesis,
                                                       std::span<const std::vector<std::uint32_t>> references) {
    table_.clear();
    most_.assign(1, 0);
    for (const auto& reference : references) {
      const bool first = &reference == references.data();
      counts_.assign(first ? 0 : most_.size(), 0);
      std::vector<std::uint32_t>& counts = first ? most_ : counts_;
      visit(reference, [&](std::size_t, std::uint32_t gram) {
        if (gram >= counts.size()) counts.resize(gram + 1, 0);
        ++counts[gram];
      });
      if (most_.size() < counts.size()) most_.resize(counts.size(), 0);
      for (std::size_t gram = 0; !first && gram < counts.size(); ++gram)
        most_[gram] = std::max(most_[gram], counts[gram]);
    }
    shared_.assign(orders_, 0);
    visit(hypothesis, [&](std::size_t order, std::uint32_t gram) {
      if (gram >= most_.size() || most_[gram] == 0) return;
      --most_[gram];
      ++shared_[order - 1];
    });
    return shared_;
  }

 private:
  template <class Visitor>
  void visit(std::span<const std::uint32_t> tokens, Visitor visitor) {
    previous_.assign(tokens.size(), 0);
    for (std::size_t order = 1; order <= orders_; ++order)
      for (std::size_t i = 0; i + order <= tokens.size(); ++i) {
        previous_[i] = table_.number(previous_[i], tokens[i + order - 1]);
        visitor(order, previous_[i]);
      }
  }

  std::size_t orders_;
  NgramTable table_;
  std::vector<std::uint32_t> most_, counts_, previous_;
  std::vector<std::size_t> shared_;
};

/// How many n-grams of an order a sequence has.
[[nodiscard]] constexpr std::size_t ngram_count(std::size_t tokens, std::size_t order) noexcept {
  return tokens >= order ? tokens - order + 1 : 0;
}

}  // namespace assay::inline v0::detail
