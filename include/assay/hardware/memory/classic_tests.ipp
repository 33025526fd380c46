#pragma once

#include "assay/hardware/memory/classic_tests.hpp"

#include <algorithm>
#include <cstring>

#include "assay/core/config.hpp"
#include "assay/hardware/detail/cache_flush.hpp"
#include "assay/hardware/detail/hexadecimal.hpp"
#include "assay/hardware/detail/pinned_threads.hpp"
#include "assay/hardware/memory/background.hpp"

namespace assay::inline v0 {

namespace detail {

/// Holds a word against what it should be.
class ClassicReader {
 public:
  ClassicReader(const char* test, std::span<std::uint64_t> memory, const ClassicTestOptions& options,
                ClassicTestResult& result)
      : test_(test), memory_(memory), options_(options), result_(result) {}

  void expect_word(std::size_t index, std::uint64_t expected, std::size_t pass) {
    const volatile std::uint64_t* const cell = memory_.data() + index;
    const std::uint64_t actual = *cell;
    if (actual == expected) return;
    ++result_.wrong_reads;
    if (result_.defects.size() >= options_.most_defects) return;
    flush_cache(memory_.data() + index, 8);
    MemoryDefect defect;
    defect.offset = index * 8;
    defect.address = reinterpret_cast<std::uintptr_t>(memory_.data() + index);
    defect.expected = expected;
    defect.actual = actual;
    defect.reread = *cell;
    defect.element = pass;
    defect.test = test_;
    defect.background = hexadecimal(expected);
    defect.processor = processor_of_this_thread();
    result_.defects.push_back(std::move(defect));
  }
  [[nodiscard]] bool stops() const { return options_.stop && options_.stop(); }
  void passed(std::size_t pass) const {
    if (options_.after_pass) options_.after_pass(pass);
    flush_cache(memory_.data(), memory_.size_bytes());
  }

 private:
  const char* test_;
  std::span<std::uint64_t> memory_;
  const ClassicTestOptions& options_;
  ClassicTestResult& result_;
};

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE ClassicTestResult modulo_20(std::span<std::uint64_t> memory,
                                                       const ClassicTestOptions& options) {
  constexpr std::size_t period = 20;
  ClassicTestResult result;
  detail::ClassicReader reader("modulo_20", memory, options, result);
  const std::uint64_t pattern = Background{Background::Kind::random, options.seed}.at(0);
  std::size_t pass = 0;
  for (const std::uint64_t word : {pattern, ~pattern})
    for (std::size_t offset = 0; offset < period; ++offset, ++pass) {
      if (reader.stops()) return result;
      for (std::size_t i = offset; i < memory.size(); i += period) memory[i] = word;
      for (int time = 0; time < 2; ++time) {
        volatile std::uint64_t* const cells = memory.data();
        for (std::size_t i = 0; i < memory.size(); ++i)
          if (i % period != offset) cells[i] = ~word;
      }
      reader.passed(pass);
      for (std::size_t i = offset; i < memory.size(); i += period) reader.expect_word(i, word, pass);
    }
  result.complete = true;
  return result;
}

ASSAY_DETAIL_HEADER_INLINE ClassicTestResult block_move(std::span<std::uint64_t> memory,
                                                        const ClassicTestOptions& options) {
  constexpr std::size_t block = 64;  // words
  ClassicTestResult result;
  detail::ClassicReader reader("block_move", memory, options, result);
  const std::size_t half = memory.size() / 2 / block * block;
  if (half < 2 * block) return result;  // nothing was tested, and so nothing is complete
  const Background pattern{Background::Kind::random, options.seed};
  std::uint64_t* const low = memory.data();
  std::uint64_t* const high = low + half;
  if (reader.stops()) return result;
  for (std::size_t i = 0; i < half; ++i) low[i] = pattern.at(i);
  reader.passed(0);
  std::memmove(high, low, half * 8);
  reader.passed(1);
  // the first block goes to the end: each block comes to lie one lower
  std::memmove(low, high + block, (half - block) * 8);
  std::memmove(low + half - block, high, block * 8);
  reader.passed(2);
  for (std::size_t i = 0; i < half; ++i) {
    reader.expect_word(i, pattern.at((i + block) % half), 2);
    reader.expect_word(half + i, pattern.at(i), 1);
  }
  result.complete = true;
  return result;
}

}  // namespace assay::inline v0
