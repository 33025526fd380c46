#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "assay/core/vector_conversion.hpp"
#include "assay/core/vector_extremes.hpp"
#include "assay/core/vector_variants.hpp"
#include "assay/formats/format_traits.hpp"

// clang fuses within an expression only, unless it is told otherwise; g++ fuses wherever it can, but for `round_here`
#if defined(__clang__)
#define ASSAY_DETAIL_NO_CONTRACTION _Pragma("clang fp contract(off)")
#else
#define ASSAY_DETAIL_NO_CONTRACTION
#endif

#if defined(__NVCC__)
#pragma nv_diagnostic push
#pragma nv_diag_suppress 1675  // unknown attributes: the host compiler knows them
#endif

namespace assay::inline v0::detail {
inline namespace ASSAY_DETAIL_UNIT_VARIANT {

/// Formats that lanes decode.
template <class T>
concept LaneFormat = std::is_same_v<T, float64> || std::is_same_v<T, float32> || std::is_same_v<T, bfloat16> ||
    std::is_same_v<T, float16>;

/// What the compare path needs of vectors beside their operators. What compilers make badly of the generic form, or may
/// contract or not, is written as the one instruction it is.
template <std::size_t Bytes>
struct Lanes {
  using Real = typename Vector<double, Bytes>::Type;
  using Bits = typename Vector<std::int64_t, Bytes>::Type;
  using Unsigned = typename Vector<std::uint64_t, Bytes>::Type;
  using LoadReal = typename Vector<double, Bytes>::Unaligned;
  using LoadBits = typename Vector<std::int64_t, Bytes>::Unaligned;
  static constexpr std::size_t count = Bytes / sizeof(double);
#if defined(__x86_64__)
  static constexpr bool wide = Bytes > 16;  ///< AVX2 or AVX-512, with their fused multiply-add
#else
  static constexpr bool wide = false;
#endif

  /// total −= a·b, in one rounding where `wide`.
  ASSAY_DETAIL_INLINE static void subtract_product(Real& total, const Real& a, const Real& b) {
#if defined(__clang__)
#pragma clang fp contract(on)
    total = total - a * b;
#elif defined(__x86_64__)
    if constexpr (wide)
      asm("vfnmadd231pd %2, %1, %0" : "+v"(total) : "v"(a), "v"(b));
    else
      total -= a * b;
#else
    total -= a * b;
#endif
  }

  // Singles: a whole vector of them, which two vectors of doubles hold.
  static constexpr std::size_t single_count = Bytes / sizeof(float);
  static constexpr std::size_t single_parts = 2;
  using Single = typename Vector<float, Bytes>::Type;
  using SingleBits = typename Vector<std::int32_t, Bytes>::Type;

  ASSAY_DETAIL_INLINE static void widen(const Single& singles, Real (&doubles)[single_parts]) {
    if constexpr (wide) {
      typename Vector<float, Bytes / 2>::Type low, high;
      halves(singles, low, high);
      convert_lanes(low, doubles[0]);
      convert_lanes(high, doubles[1]);
    } else {
      for (std::size_t lane = 0; lane < single_count; ++lane)
        doubles[lane / count][lane % count] = static_cast<double>(singles[lane]);
    }
  }
  /// Rounds to nearest.
  ASSAY_DETAIL_INLINE static void narrow(const Real (&doubles)[single_parts], Single& singles) {
    if constexpr (wide) {
      typename Vector<float, Bytes / 2>::Type low, high;
      convert_lanes(doubles[0], low);
      convert_lanes(doubles[1], high);
      if constexpr (single_count == 16)
        singles = __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
      else
        singles = __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
    } else {
      for (std::size_t lane = 0; lane < single_count; ++lane)
        singles[lane] = static_cast<float>(doubles[lane / count][lane % count]);
    }
  }
  /// The two halves of a vector.
  template <class Whole, class Half>
  ASSAY_DETAIL_INLINE static void halves(const Whole& whole, Half& low, Half& high) {
    if constexpr (sizeof(Whole) / sizeof(whole[0]) == 32) {
      low = __builtin_shufflevector(whole, whole, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
      high = __builtin_shufflevector(whole, whole, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31);
    } else if constexpr (sizeof(Whole) / sizeof(whole[0]) == 16) {
      low = __builtin_shufflevector(whole, whole, 0, 1, 2, 3, 4, 5, 6, 7);
      high = __builtin_shufflevector(whole, whole, 8, 9, 10, 11, 12, 13, 14, 15);
    } else {
      low = __builtin_shufflevector(whole, whole, 0, 1, 2, 3);
      high = __builtin_shufflevector(whole, whole, 4, 5, 6, 7);
    }
  }

  /// value·factor − other, of the exact sign.
  ASSAY_DETAIL_INLINE static void multiply_subtract(Single& value, const Single& factor, const Single& other) {
    if constexpr (wide) {
#if defined(__clang__)
#pragma clang fp contract(on)
      value = value * factor - other;
#elif defined(__x86_64__)
      asm("vfmsub132ps %1, %2, %0" : "+v"(value) : "vm"(factor), "v"(other));
#endif
    } else {  // products of singles are exact as doubles
      for (std::size_t lane = 0; lane < single_count; ++lane) {
        const double exact =
            static_cast<double>(value[lane]) * static_cast<double>(factor[lane]) - static_cast<double>(other[lane]);
        value[lane] = static_cast<float>(exact);
      }
    }
  }

  /// sum += value², in one rounding.
  ASSAY_DETAIL_INLINE static void add_square(Single& sum, const Single& value) {
    if constexpr (wide) {
#if defined(__clang__)
#pragma clang fp contract(on)
      sum = value * value + sum;
#elif defined(__x86_64__)
      asm("vfmadd231ps %1, %1, %0" : "+v"(sum) : "v"(value));
#endif
    } else {
      for (std::size_t lane = 0; lane < single_count; ++lane)
        sum[lane] = __builtin_fmaf(value[lane], value[lane], sum[lane]);
    }
  }

  /// bits |= a | b
  template <class Codes>
  ASSAY_DETAIL_INLINE static void gather(Codes& bits, const Codes& a, const Codes& b) {
#if defined(__x86_64__) && !defined(__clang__)
    if constexpr (Bytes == 64) {
      asm("vpternlogd $0xfe, %2, %1, %0" : "+v"(bits) : "v"(a), "v"(b));
      return;
    }
#endif
    bits |= a | b;
  }

  /// |value| of integers as unsigned ones: the least integer is its own magnitude.
  template <class Signed>
  ASSAY_DETAIL_INLINE static void size_of(Signed& value) {
#if defined(__x86_64__) && !defined(__clang__)
    if constexpr (wide && sizeof(value[0]) == 2) {
      asm("vpabsw %0, %0" : "+v"(value));
      return;
    } else if constexpr (wide) {
      asm("vpabsd %0, %0" : "+v"(value));
      return;
    }
#endif
    using Element = std::remove_cvref_t<decltype(value[0])>;
    using Unsigned = typename Vector<std::make_unsigned_t<Element>, sizeof(Signed)>::Type;
    const Signed sign = value >> (8 * sizeof(Element) - 1);
    value = Signed(Unsigned(value ^ sign) - Unsigned(sign));
  }

  /// Where both are NaN or the same infinity, `agreeing` is −1, and they become zeros.
  template <class Codes, class Code>
  ASSAY_DETAIL_INLINE static void set_aside(Code infinity, Codes& out, Codes& reference, Codes& agreeing) {
    constexpr Code magnitude = std::numeric_limits<Code>::max();
    const Codes out_size = out & magnitude, reference_size = reference & magnitude;
    agreeing = (settled(Codes(out_size > infinity)) & settled(Codes(reference_size > infinity))) |
               (settled(Codes(out == reference)) & settled(Codes(out_size == infinity)));
    out &= ~agreeing;
    reference &= ~agreeing;
  }

  /// Whether the sign of any lane is set.
  ASSAY_DETAIL_INLINE static bool any_set(const SingleBits& mask) {
#if defined(__x86_64__) && !defined(__clang__)
    if constexpr (Bytes == 64) {
      unsigned found;
      asm("vpmovd2m %1, %%k1\n\tkmovw %%k1, %0" : "=r"(found) : "v"(mask) : "k1");
      return found != 0;
    }
#endif
    const Bits both = Bits(mask);
    return signs(both | (both << 32)) != 0;
  }

  /// Decodes the codes of 16 bits that a vector holds, which make two of singles.
  template <class T, class Codes>
  ASSAY_DETAIL_INLINE static void widen_codes(const Codes& codes, Single (&values)[2]) {
    if constexpr (wide) {
      using Half = typename Vector<std::int16_t, Bytes / 2>::Type;
      Half half[2];
      halves(codes, half[0], half[1]);
      for (std::size_t i = 0; i < 2; ++i) {
#if defined(__clang__)
        using Halves = typename Vector<_Float16, Bytes / 2>::Type;
        values[i] = __builtin_convertvector(Halves(half[i]), Single);
#elif defined(__x86_64__)
        asm("vcvtph2ps %1, %0" : "=v"(values[i]) : "v"(half[i]));
#endif
      }
    } else {
      using CodeBits = typename FormatTraits<T>::Bits;
      for (std::size_t lane = 0; lane < 2 * single_count; ++lane)
        values[lane / single_count][lane % single_count] =
            static_cast<float>(decode(FormatTraits<T>::from_bits(static_cast<CodeBits>(codes[lane]))));
    }
  }

  /// Decodes `single_count` stored values that singles hold.
  template <class T>
  ASSAY_DETAIL_INLINE static void load_single(const T* from, Single& values) {
    if constexpr (std::is_same_v<T, float>) {
      values = *reinterpret_cast<const typename Vector<float, Bytes>::Unaligned*>(from);
    } else if constexpr (wide) {
      using Codes = typename Vector<std::uint16_t, Bytes / 2>::Unaligned;
      using Words = typename Vector<std::uint32_t, Bytes>::Type;
      if constexpr (std::is_same_v<T, float16>) {
#if defined(__clang__)
        values = __builtin_convertvector(
            *reinterpret_cast<const typename Vector<_Float16, Bytes / 2>::Unaligned*>(from), Single);
#else
        asm("vcvtph2ps %1, %0" : "=v"(values) : "m"(*reinterpret_cast<const Codes*>(from)));
#endif
      } else {
#if defined(__clang__)
        const Words words = __builtin_convertvector(*reinterpret_cast<const Codes*>(from), Words);
#else
        if constexpr (Bytes == 64) {  // every other word from the codes, zeros between them
          using Places = typename Vector<std::uint16_t, Bytes>::Type;
          alignas(64) static constexpr std::uint16_t places[32] = {
              0, 0, 0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0, 8, 0, 9, 0, 10, 0, 11, 0, 12, 0, 13, 0, 14, 0, 15};
          Places codes;
          asm("vmovdqu64 %1, %t0" : "=v"(codes) : "m"(*reinterpret_cast<const Codes*>(from)));
          asm("vpermw %1, %2, %0 %{%3%}%{z%}"
              : "=v"(values)
              : "v"(codes), "v"(*reinterpret_cast<const Places*>(places)), "Yk"(std::uint32_t{0xaaaaaaaa}));
          return;
        }
        Words words;
        asm("vpmovzxwd %1, %0" : "=v"(words) : "m"(*reinterpret_cast<const Codes*>(from)));
#endif
        values = Single(words << 16);
      }
    } else {
      for (std::size_t lane = 0; lane < single_count; ++lane) values[lane] = static_cast<float>(decode(from[lane]));
    }
  }

  /// Keeps the compiler from fusing what made `value` with what comes.
  template <class Values>
  ASSAY_DETAIL_INLINE static void round_here([[maybe_unused]] Values& value) {
#if defined(__clang__)
#elif defined(__x86_64__)
    asm("" : "+v"(value));
#elif defined(__aarch64__)
    asm("" : "+w"(value));
#else
    asm("" : "+m"(value));
#endif
  }

  /// What was loaded stays in registers: g++ would load it once more for every use, from two cache lines where it is
  /// not aligned.
  template <class... Values>
  ASSAY_DETAIL_INLINE static void load_once(Values&... values) {
    (..., round_here(values));
  }

  /// g++ would rather keep constants there, and sums on the stack.
  template <class... Values>
  ASSAY_DETAIL_INLINE static void keep_in_registers([[maybe_unused]] Values&... values) {
#if defined(__x86_64__) && !defined(__clang__)
    (..., keep_one_in_register(values));
#endif
  }
  template <class Values>
  ASSAY_DETAIL_INLINE static void keep_one_in_register([[maybe_unused]] Values& value) {
#if defined(__x86_64__) && !defined(__clang__)
    if constexpr (Bytes < 64) asm("" : "+v"(value));
#endif
  }

  /// Whether any bit of any lane is set.
  ASSAY_DETAIL_INLINE static bool any_bit(const Bits& mask) {
    return signs(mask | (Bits{} - mask)) != 0;
  }
  /// One bit for each lane whose sign is set.
  ASSAY_DETAIL_INLINE static unsigned signs(const Bits& mask) {
#if defined(__clang__)
    using Flags = bool __attribute__((ext_vector_type(count)));
    const Flags flags = __builtin_convertvector(mask < 0, Flags);
    unsigned char found = 0;
    __builtin_memcpy(&found, &flags, 1);
    return found & ((1U << count) - 1);
#else
#if defined(__x86_64__)
    if constexpr (Bytes == 32) {
      unsigned found;
      asm("vmovmskpd %1, %0" : "=r"(found) : "x"(mask));  // no EVEX form
      return found;
    }
    if constexpr (Bytes == 64) {
      unsigned found;
      asm("vpmovq2m %1, %%k1\n\tkmovb %%k1, %0" : "=r"(found) : "v"(mask) : "k1");
      return found;
    }
#endif
    unsigned found = 0;
    for (std::size_t lane = 0; lane < count; ++lane) found |= mask[lane] < 0 ? 1U << lane : 0U;
    return found;
#endif
  }

  /// Decodes `count` stored values.
  template <class T>
  ASSAY_DETAIL_INLINE static void load(const T* from, Real& values) {
    if constexpr (std::is_same_v<T, double>) {
      values = *reinterpret_cast<const LoadReal*>(from);
    } else if constexpr (wide) {
      using Singles = typename Vector<float, Bytes / 2>::Type;
      using Words = typename Vector<std::uint32_t, Bytes / 2>::Type;
      using Codes = typename Vector<std::uint16_t, Bytes / 4>::Unaligned;
      Singles singles;
      if constexpr (std::is_same_v<T, float>) {
        singles = *reinterpret_cast<const typename Vector<float, Bytes / 2>::Unaligned*>(from);
      } else if constexpr (std::is_same_v<T, float16>) {
#if defined(__clang__)
        singles = __builtin_convertvector(
            *reinterpret_cast<const typename Vector<_Float16, Bytes / 4>::Unaligned*>(from), Singles);
#else
        asm("vcvtph2ps %1, %0" : "=v"(singles) : "m"(*reinterpret_cast<const Codes*>(from)));
#endif
      } else {
#if defined(__clang__)
        const Words words = __builtin_convertvector(*reinterpret_cast<const Codes*>(from), Words);
#else
        Words words;
        asm("vpmovzxwd %1, %0" : "=v"(words) : "m"(*reinterpret_cast<const Codes*>(from)));
#endif
        singles = Singles(words << 16);
      }
#if defined(__clang__)
      values = __builtin_convertvector(singles, Real);
#else
      asm("vcvtps2pd %1, %0" : "=v"(values) : "v"(singles));
#endif
    } else {
      for (std::size_t lane = 0; lane < count; ++lane) values[lane] = decode(from[lane]);
    }
  }
};

}  // namespace ASSAY_DETAIL_UNIT_VARIANT
}  // namespace assay::inline v0::detail

#if defined(__NVCC__)
#pragma nv_diagnostic pop
#endif
