#pragma once

#include <cstddef>
#include <cstdint>

#include "assay/core/vector_variants.hpp"
#include "assay/hardware/detail/cache_flush.hpp"
#include "assay/hardware/memory/background.hpp"
#include "assay/hardware/memory/march_test.hpp"

namespace assay::inline v0::detail {

/// What is visited at once, in registers: four cache lines.
inline constexpr std::size_t march_block_words = 32;

/// One element of a march test on a part of memory. `report(context, block, actual, operation)` is told of each block
/// in which a read found another word than it should; it reads words anew.
struct MarchBlocks {
  std::uint64_t* memory = nullptr;
  std::size_t blocks = 0;
  std::uint64_t first_word = 0;  ///< the index of the first word, for backgrounds that depend on it
  Background background;
  const MarchElement* element = nullptr;
  void* context = nullptr;
  void (*report)(void*, const std::uint64_t*, const std::uint64_t*, std::size_t) = nullptr;
};

inline namespace ASSAY_DETAIL_UNIT_VARIANT {

template <std::size_t Bytes>
struct MarchVectors {
  using Wide = Vector<std::uint64_t, Bytes>;
  using Type = typename Wide::Type;
  static constexpr std::size_t lanes = Wide::lanes;
  static constexpr std::size_t count = march_block_words / lanes;

  static ASSAY_DETAIL_INLINE void fill(Type& vector, const MarchBlocks& work, bool inverted, std::uint64_t word) {
    std::uint64_t values[lanes];
    for (std::size_t lane = 0; lane < lanes; ++lane) values[lane] = work.background.at(word + lane);
    __builtin_memcpy(&vector, values, Bytes);
    if (inverted) vector = ~vector;
  }

  static ASSAY_DETAIL_INLINE bool any(const Type& vector) {
    std::uint64_t bits = vector[0];
#pragma GCC unroll 8
    for (std::size_t lane = 1; lane < lanes; ++lane) bits |= vector[lane];
    return bits != 0;
  }

  /// Past the caches, where the processor can: the first pass of a test need not read what it overwrites.
  static ASSAY_DETAIL_INLINE void stream(std::uint64_t* to, const Type& vector) {
#if defined(__clang__)
    __builtin_nontemporal_store(vector, reinterpret_cast<Type*>(to));
#elif defined(__x86_64__)
    auto& target = *reinterpret_cast<typename Wide::Unaligned*>(to);
    if constexpr (Bytes == 16)
      asm volatile("movntdq %1, %0" : "=m"(target) : "x"(vector));
    else if constexpr (Bytes == 32)
      asm volatile("vmovntdq %1, %0" : "=m"(target) : "x"(vector));
    else
      asm volatile("vmovntdq %1, %0" : "=m"(target) : "v"(vector));
#else
    *reinterpret_cast<typename Wide::Unaligned*>(to) = vector;
#endif
  }
};

/// Elements of one operation, or of a read and a write, on a solid background: as fast as memory.
template <bool Reads, bool Writes>
struct VisitSolid {
  template <std::size_t Bytes>
  static ASSAY_DETAIL_INLINE void run(const MarchBlocks& work) {
    using V = MarchVectors<Bytes>;
    using Access = typename V::Wide::Unaligned;
    const bool descending = work.element->order == AddressOrder::descending;
    typename V::Type expected{}, written{};
    V::fill(expected, work, work.element->operations.front().inverted, 0);
    V::fill(written, work, work.element->operations.back().inverted, 0);
    for (std::size_t b = 0; b < work.blocks; ++b) {
      std::uint64_t* const block = work.memory + (descending ? work.blocks - 1 - b : b) * march_block_words;
      if constexpr (Reads) {
        typename V::Type values[V::count], wrong{};
#pragma GCC unroll 16
        for (std::size_t i = 0; i < V::count; ++i) {
          values[i] = *reinterpret_cast<const Access*>(block + i * V::lanes);
          wrong |= values[i] ^ expected;
        }
        if (__builtin_expect(V::any(wrong), 0)) {
          std::uint64_t actual[march_block_words];
          __builtin_memcpy(actual, values, sizeof actual);
          work.report(work.context, block, actual, 0);
        }
      }
      if constexpr (Writes) {
#pragma GCC unroll 16
        for (std::size_t i = 0; i < V::count; ++i) {
          if constexpr (Reads)
            *reinterpret_cast<Access*>(block + i * V::lanes) = written;
          else
            V::stream(block + i * V::lanes, written);
        }
      }
    }
  }
};

/// Any element on any background. A read that is not the first operation goes to memory.
struct VisitAny {
  template <std::size_t Bytes>
  static ASSAY_DETAIL_INLINE void run(const MarchBlocks& work) {
    using V = MarchVectors<Bytes>;
    using Access = typename V::Wide::Unaligned;
    const bool descending = work.element->order == AddressOrder::descending;
    for (std::size_t b = 0; b < work.blocks; ++b) {
      const std::size_t at = (descending ? work.blocks - 1 - b : b) * march_block_words;
      std::uint64_t* const block = work.memory + at;
      for (std::size_t o = 0; o < work.element->operations.size(); ++o) {
        const MarchOperation operation = work.element->operations[o];
        if (!operation.write && o > 0) flush_cache(block, march_block_words * 8);
        std::uint64_t actual[march_block_words];
        typename V::Type wrong{};
        for (std::size_t i = 0; i < V::count; ++i) {
          typename V::Type value{};
          V::fill(value, work, operation.inverted, work.first_word + at + i * V::lanes);
          if (operation.write) {
            *reinterpret_cast<Access*>(block + i * V::lanes) = value;
            continue;
          }
          const typename V::Type read = *reinterpret_cast<const Access*>(block + i * V::lanes);
          wrong |= read ^ value;
          __builtin_memcpy(actual + i * V::lanes, &read, Bytes);
        }
        asm volatile("" ::: "memory");  // each operation touches memory: none is computed from the one before
        if (!operation.write && __builtin_expect(V::any(wrong), 0)) work.report(work.context, block, actual, o);
      }
    }
  }
};

}  // namespace ASSAY_DETAIL_UNIT_VARIANT

/// Runs the element. Precondition: it has operations, and the memory is aligned to 64 bytes.
inline void visit_march_blocks(const MarchBlocks& work) {
  const InstructionSet set = instruction_set();
  const std::vector<MarchOperation>& operations = work.element->operations;
  const bool solid = work.background.kind == Background::Kind::solid;
  if (solid && operations.size() == 1 && operations[0].write)
    run_variant<VisitSolid<false, true>>(set, work);
  else if (solid && operations.size() == 1)
    run_variant<VisitSolid<true, false>>(set, work);
  else if (solid && operations.size() == 2 && !operations[0].write && operations[1].write)
    run_variant<VisitSolid<true, true>>(set, work);
  else
    run_variant<VisitAny>(set, work);
#if defined(__x86_64__)
  asm volatile("sfence" ::: "memory");
#endif
}

}  // namespace assay::inline v0::detail
