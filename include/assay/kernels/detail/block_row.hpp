#pragma once

#include <cstdint>
#include <cstring>

#include "assay/formats/quick_decoder.hpp"

namespace assay::inline v0::detail {

/// 16 bytes of codes: the most that one thread of a device loads by one instruction.
struct CodeWord {
  std::uint64_t half[2];
};

/// Elements beside each other, as a block of threads reads them: what lies on 16 bytes in words, thread t the words t,
/// t + threads, …, and before and behind them fewer than 16 bytes one by one. The first words of every thread stay in
/// its registers, so that rows of up to 64·threads bytes are read once, however often they are visited.
class BlockRow {
 public:
  static constexpr int most_kept = 4;
  struct Kept {
    CodeWord words[most_kept];
  };

  ASSAY_FUNCTION BlockRow(const void* data, Index first, Index length, int bytes)
      : data_(static_cast<const char*>(data) + first * bytes), bytes_(bytes), bits_(8 * bytes) {
    const auto misaligned = static_cast<Index>(reinterpret_cast<std::uintptr_t>(data_) % word_bytes);
    const Index ahead = misaligned == 0 ? 0 : (word_bytes - misaligned) / bytes;
    // numbers that do not lie on their own size never come to lie on 16 bytes
    const bool never = misaligned % bytes != 0;
    head_ = never || ahead > length ? length : ahead;
    words_ = (length - head_) * bytes / word_bytes;
    tail_ = head_ + words_ * (word_bytes / bytes);
    length_ = length;
  }

  /// Loads what stays. Called once by each thread before it visits.
  template <int threads>
  ASSAY_FUNCTION void keep(int thread, Kept& kept) const {
    for (int i = 0; i < most_kept; ++i)
      if (const Index word = thread + static_cast<Index>(i) * threads; word < words_) kept.words[i] = load(word);
  }

  /// `visit(code)` for every element of a thread's.
  template <int threads, class Visit>
  ASSAY_FUNCTION void visit(int thread, const Kept& kept, const Visit& visit) const {
    for (int i = 0; i < most_kept; ++i)
      if (thread + static_cast<Index>(i) * threads < words_) take(kept.words[i], visit);
    for (Index word = thread + static_cast<Index>(most_kept) * threads; word < words_; word += threads)
      take(load(word), visit);
    for (Index i = thread; i < head_; i += threads) visit(code(i));
    for (Index i = tail_ + thread; i < length_; i += threads) visit(code(i));
  }

 private:
  static constexpr Index word_bytes = 16;

  [[nodiscard]] ASSAY_FUNCTION CodeWord load(Index word) const {
    CodeWord loaded;
    __builtin_memcpy(&loaded, __builtin_assume_aligned(data_ + head_ * bytes_ + word * word_bytes, word_bytes),
                     sizeof loaded);
    return loaded;
  }
  /// An element of 8 bytes is a half of its own: shifts by 64 bits are none.
  template <class Visit>
  ASSAY_FUNCTION void take(const CodeWord& word, const Visit& visit) const {
    const std::uint64_t mask = bits_ < 64 ? (std::uint64_t{1} << bits_) - 1 : ~std::uint64_t{0};
    for (std::uint64_t codes : word.half)
      for (int bit = 0; bit < 64; bit += bits_) visit((codes >> bit) & mask);
  }
  [[nodiscard]] ASSAY_FUNCTION std::uint64_t code(Index i) const {
    std::uint64_t code = 0;
    for (int byte = 0; byte < bytes_; ++byte)
      code |= std::uint64_t{static_cast<unsigned char>(data_[i * bytes_ + byte])} << (8 * byte);
    return code;
  }

  const char* data_;
  int bytes_, bits_;
  Index head_ = 0, words_ = 0, tail_ = 0, length_ = 0;
};

}  // namespace assay::inline v0::detail
