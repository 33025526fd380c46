#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "assay/core/vector_variants.hpp"
#include "assay/formats/detail/word_stores.hpp"

#if defined(__NVCC__)
#pragma nv_diagnostic push
#pragma nv_diag_suppress 1675  // unknown attributes: the host compiler knows them
#endif

namespace assay::inline v0::detail {
inline namespace ASSAY_DETAIL_UNIT_VARIANT {

/// Makes streamed stores of this thread visible to whoever it synchronizes with.
inline void finish_streaming() {
#if defined(__x86_64__)
  __builtin_ia32_sfence();
#endif
}

/// Asks for `bytes` of memory, which may be no object's.
template <std::size_t bytes>
ASSAY_DETAIL_INLINE void foresee_at(std::uintptr_t address) {
#pragma GCC unroll 16
  for (std::size_t line = 0; line < bytes; line += 64)
    __builtin_prefetch(reinterpret_cast<const void*>(address + line));
}
/// Asks for as many bytes as a step reads, two kibibytes ahead or more: what reads ahead by itself stops at the ends of
/// pages.
template <std::size_t bytes, std::size_t distance = 2048>
ASSAY_DETAIL_INLINE void foresee(const void* at) {
  foresee_at<bytes>(reinterpret_cast<std::uintptr_t>(at) + distance);
}

/// Four vectors of 32-bit words from and to memory that holds elements of `size` bytes: 1, 2 or 4. Any address;
/// streamed stores, which pass by the caches, want one that is a multiple of `Bytes`.
template <std::size_t size, std::size_t Bytes>
struct WordMemory {
  static constexpr std::size_t lanes = Bytes / 4, elements = 4 * lanes;
  static constexpr std::size_t bytes = elements * size;
  using Words = typename Vector<std::uint32_t, Bytes>::Type;
  using Halves = typename Vector<std::uint16_t, Bytes>::Type;
  using Octets = typename Vector<std::uint8_t, Bytes>::Type;
  using Longs = typename Vector<std::uint64_t, Bytes>::Type;
  using Longs128 = typename Vector<std::uint64_t, 16>::Type;
#if defined(__x86_64__)
  static constexpr bool wide = Bytes > 16;  ///< AVX2 or AVX-512
#else
  static constexpr bool wide = false;
#endif

  ASSAY_DETAIL_INLINE static void load(const unsigned char* from, Words (&words)[4]) {
    if constexpr (size == 4) {
#pragma GCC unroll 4
      for (std::size_t part = 0; part < 4; ++part)
        words[part] = *reinterpret_cast<const typename Vector<std::uint32_t, Bytes>::Unaligned*>(from + part * Bytes);
    } else if constexpr (wide) {
      using Codes = typename Vector<Unsigned, lanes * size>::Unaligned;
#pragma GCC unroll 4
      for (std::size_t part = 0; part < 4; ++part) {
        const Codes& codes = *reinterpret_cast<const Codes*>(from + part * lanes * size);
#if defined(__clang__)
        words[part] = __builtin_convertvector(codes, Words);
#else  // g++ takes the generic form apart
        if constexpr (size == 2)
          asm("vpmovzxwd %1, %0" : "=v"(words[part]) : "m"(codes));
        else
          asm("vpmovzxbd %1, %0" : "=v"(words[part]) : "m"(codes));
#endif
      }
    } else if constexpr (size == 2) {
#pragma GCC unroll 2
      for (std::size_t pair = 0; pair < 2; ++pair) {
        const Halves codes =
            *reinterpret_cast<const typename Vector<std::uint16_t, Bytes>::Unaligned*>(from + pair * Bytes);
        widen(codes, words[2 * pair], words[2 * pair + 1]);
      }
    } else {
      const Octets codes = *reinterpret_cast<const typename Vector<std::uint8_t, Bytes>::Unaligned*>(from);
      const Halves low =
          Halves(__builtin_shufflevector(codes, Octets{}, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23));
      const Halves high = Halves(
          __builtin_shufflevector(codes, Octets{}, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31));
      widen(low, words[0], words[1]);
      widen(high, words[2], words[3]);
    }
  }

  /// Words are below 2^(8 size).
  template <WordStores stores>
  ASSAY_DETAIL_INLINE static void store(const Words (&words)[4], unsigned char* to) {
    if constexpr (size == 4) {
#pragma GCC unroll 4
      for (std::size_t part = 0; part < 4; ++part) put<stores>(words[part], to + part * Bytes);
    } else if constexpr (Bytes == 64) {
#pragma GCC unroll 4
      for (std::size_t part = 0; part < 4; ++part) {
        typename Vector<Unsigned, lanes * size>::Type codes;
#if defined(__clang__)
        codes = __builtin_convertvector(words[part], decltype(codes));
#else
        if constexpr (size == 2)
          asm("vpmovdw %1, %0" : "=v"(codes) : "v"(words[part]));
        else
          asm("vpmovdb %1, %0" : "=v"(codes) : "v"(words[part]));
#endif
        put<stores>(codes, to + part * lanes * size);
      }
    } else {
      Halves low, high;
      narrow(words[0], words[1], low);
      narrow(words[2], words[3], high);
      if constexpr (size == 2) {
        in_order(low);
        in_order(high);
        put<stores>(low, to);
        put<stores>(high, to + Bytes);
      } else {
        Octets codes;
        narrow(low, high, codes);
        in_order(codes);
        put<stores>(codes, to);
      }
    }
  }

  /// The lowest bytes of words below 2^8, or the sign bits of words in the highest bits of bytes; in an order that
  /// `store_octets` undoes.
  ASSAY_DETAIL_INLINE static void octets_of(const Words (&words)[4], Octets& octets) {
    Halves low, high;
    narrow(words[0], words[1], low);
    narrow(words[2], words[3], high);
    narrow(low, high, octets);
  }
  ASSAY_DETAIL_INLINE static void signs_of(const Words (&words)[4], Octets& signs) {
    Halves low, high;
    narrow_signs(words[0], words[1], low);
    narrow_signs(words[2], words[3], high);
    narrow_signs(low, high, signs);
  }
  ASSAY_DETAIL_INLINE static void at_most(Octets& octets, const Octets& bound) {
#if defined(__x86_64__) && !defined(__clang__)  // g++ compares and blends
    if constexpr (Bytes > 16) {
      asm("vpminub %1, %0, %0" : "+v"(octets) : "v"(bound));
      return;
    }
#endif
    octets = octets < bound ? octets : bound;
  }
  template <WordStores stores>
  ASSAY_DETAIL_INLINE static void store_octets(Octets& octets, unsigned char* to) {
    in_order(octets);
    put<stores>(octets, to);
  }
  /// Codes of 4 bits, two a byte, the first in the low nibble; 8 bytes are not streamed. `weights` are 0x1001.
  template <WordStores stores>
  ASSAY_DETAIL_INLINE static void store_nibbles(const Octets& octets, [[maybe_unused]] const Halves& weights,
                                                unsigned char* to) {
    using Packed = typename Vector<std::uint8_t, 16>::Type;
    if constexpr (Bytes == 32) {
      using Pairs = typename Vector<std::uint16_t, 16>::Type;
      Halves pairs;
#if defined(__x86_64__) && !defined(__clang__)
      asm("vpmaddubsw %2, %1, %0" : "=v"(pairs) : "v"(octets), "v"(weights));
#else
      pairs = (Halves(octets) | Halves(octets) >> 4) & 0xff;
#endif
      const Pairs low = __builtin_shufflevector(pairs, pairs, 0, 1, 2, 3, 4, 5, 6, 7),
                  high = __builtin_shufflevector(pairs, pairs, 8, 9, 10, 11, 12, 13, 14, 15);
      Packed packed;  // each half of them has every other four of the codes
#if defined(__x86_64__) && !defined(__clang__)
      asm("vpackuswb %2, %1, %0" : "=v"(packed) : "v"(low), "v"(high));
#else
      packed = Packed(__builtin_shufflevector(Packed(low), Packed(high), 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24,
                                              26, 28, 30));
#endif
      packed = __builtin_shufflevector(packed, packed, 0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15);
      put<stores>(packed, to);
    } else {
      const Halves pairs = (Halves(octets) | Halves(octets) >> 4) & 0xff;
      Octets packed;
      narrow(pairs, pairs, packed);
      __builtin_memcpy(to, &packed, Bytes / 2);
    }
  }
  ASSAY_DETAIL_INLINE static void load_nibbles(const unsigned char* from, Words (&words)[4]) {
#pragma GCC unroll 4
    for (std::size_t part = 0; part < 4; ++part) {
      if constexpr (Bytes == 32) {
        std::uint32_t eight;
        __builtin_memcpy(&eight, from + 4 * part, 4);
        words[part] = ((Words{} + eight) >> Words{0, 4, 8, 12, 16, 20, 24, 28}) & 15;
      } else {
        const std::uint32_t first = from[2 * part], second = from[2 * part + 1];
        words[part] = Words{first, first >> 4, second, second >> 4} & 15;
      }
    }
  }

 private:
  static constexpr auto unsigned_of_size() {
    if constexpr (size == 1)
      return std::uint8_t{};
    else if constexpr (size == 2)
      return std::uint16_t{};
    else
      return std::uint32_t{};
  }
  using Unsigned = decltype(unsigned_of_size());

  /// 16-byte vectors, little-endian.
  ASSAY_DETAIL_INLINE static void widen(const Halves& codes, Words& low, Words& high) {
    if constexpr (Bytes == 16) {
      low = Words(__builtin_shufflevector(codes, Halves{}, 0, 8, 1, 9, 2, 10, 3, 11));
      high = Words(__builtin_shufflevector(codes, Halves{}, 4, 12, 5, 13, 6, 14, 7, 15));
    }
  }

  /// Two vectors to one with elements half as wide, which hold all values; with 32 bytes, what `in_order` puts in
  /// order.
  template <class Elements, class Narrow>
  ASSAY_DETAIL_INLINE static void narrow(const Elements& first, const Elements& second, Narrow& both) {
    if constexpr (Bytes == 32) {
#if defined(__x86_64__) && !defined(__clang__)  // g++ masks what it does not know to be below
      if constexpr (sizeof(first[0]) == 4)
        asm("vpackusdw %2, %1, %0" : "=v"(both) : "v"(first), "v"(second));
      else
        asm("vpackuswb %2, %1, %0" : "=v"(both) : "v"(first), "v"(second));
#else
      if constexpr (sizeof(first[0]) == 4)
        both = __builtin_shufflevector(Halves(first), Halves(second), 0, 2, 4, 6, 16, 18, 20, 22, 8, 10, 12, 14, 24, 26,
                                       28, 30);
      else
        both = __builtin_shufflevector(Octets(first), Octets(second), 0, 2, 4, 6, 8, 10, 12, 14, 32, 34, 36, 38, 40, 42,
                                       44, 46, 16, 18, 20, 22, 24, 26, 28, 30, 48, 50, 52, 54, 56, 58, 60, 62);
#endif
    } else if constexpr (sizeof(first[0]) == 4) {
      both = __builtin_shufflevector(Halves(first), Halves(second), 0, 2, 4, 6, 8, 10, 12, 14);
    } else {
      both = __builtin_shufflevector(Octets(first), Octets(second), 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26,
                                     28, 30);
    }
  }
  /// The same for the sign bits alone.
  template <class Elements, class Narrow>
  ASSAY_DETAIL_INLINE static void narrow_signs(const Elements& first, const Elements& second, Narrow& both) {
#if defined(__x86_64__) && !defined(__clang__)
    if constexpr (Bytes == 32) {
      if constexpr (sizeof(first[0]) == 4)
        asm("vpackssdw %2, %1, %0" : "=v"(both) : "v"(first), "v"(second));
      else
        asm("vpacksswb %2, %1, %0" : "=v"(both) : "v"(first), "v"(second));
      return;
    }
#endif
    constexpr int half = 4 * sizeof(first[0]);
    const Elements upper_first = first >> half, upper_second = second >> half;
    narrow(upper_first, upper_second, both);
  }
  /// Narrowing 32 bytes keeps to halves of 16 bytes, as the instructions do; this undoes it once for all steps.
  template <class Codes>
  ASSAY_DETAIL_INLINE static void in_order(Codes& codes) {
    if constexpr (Bytes == 32 && sizeof(codes[0]) == 2)
      codes = Codes(__builtin_shufflevector(Longs(codes), Longs(codes), 0, 2, 1, 3));
    else if constexpr (Bytes == 32)
      codes = Codes(__builtin_shufflevector(Words(codes), Words(codes), 0, 4, 1, 5, 2, 6, 3, 7));
  }

  template <WordStores stores, class Values>
  ASSAY_DETAIL_INLINE static void put(const Values& values, unsigned char* to) {
    using Element = std::remove_cvref_t<decltype(values[0])>;
    if constexpr (stores == WordStores::cached) {
      *reinterpret_cast<typename Vector<Element, sizeof(Values)>::Unaligned*>(to) = values;
    } else if constexpr (stores == WordStores::streamed_by_16 && sizeof(Values) == 32) {
      put<WordStores::streamed>(Longs128(__builtin_shufflevector(Longs(values), Longs(values), 0, 1)), to);
      put<WordStores::streamed>(Longs128(__builtin_shufflevector(Longs(values), Longs(values), 2, 3)), to + 16);
    } else {
      using Place __attribute__((vector_size(sizeof(Values)), may_alias)) = Element;
      Place& place = *reinterpret_cast<Place*>(to);
#if defined(__clang__)
      __builtin_nontemporal_store(Place(values), &place);
#elif defined(__x86_64__)
      if constexpr (Bytes == 16)
        asm("movntdq %1, %0" : "=m"(place) : "x"(values));
      else
        asm("vmovntdq %1, %0" : "=m"(place) : "v"(values));
#else
      place = values;
#endif
    }
  }
};

}  // namespace ASSAY_DETAIL_UNIT_VARIANT
}  // namespace assay::inline v0::detail

#if defined(__NVCC__)
#pragma nv_diagnostic pop
#endif
