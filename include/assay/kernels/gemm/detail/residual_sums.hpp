#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "assay/core/index.hpp"
#include "assay/core/vector_variants.hpp"
#include "assay/formats/limits.hpp"

#if defined(__NVCC__)
#pragma nv_diagnostic push
#pragma nv_diag_suppress 1675
#endif

namespace assay::inline v0::detail {

/// Vectors of ±1 that go through a residual at once: with them the passes still run at the memory's bandwidth.
inline constexpr std::size_t residual_vectors = 4;

/// What a pass over a matrix sums up in every row, beside its products with the vectors.
enum class ResidualPass {
  input,    ///< vectors of ±1; the row's 2-norm
  product,  ///< vectors that an input pass made; |row| times that pass's norms
  output    ///< vectors of ±1; the 2-norm of the spacings of numbers at the row's elements
};

/// Where the values of a row lie: sums, in compensated passes what the sums lost, and a magnitude.
template <bool Compensated>
struct ResidualValues {
  static constexpr std::size_t rest = residual_vectors;
  static constexpr std::size_t magnitude = (Compensated ? 2 : 1) * residual_vectors;
  static constexpr std::size_t maximum = magnitude + 1;  ///< in partial sums only
  static constexpr std::size_t count = magnitude + 1;
  static constexpr std::size_t partial_count = magnitude + 2;
};

inline namespace ASSAY_DETAIL_UNIT_VARIANT {

/// The bits of a double, or of a vector of doubles.
template <class Value>
struct WordsOf {
  using Type __attribute__((vector_size(sizeof(Value)))) = std::uint64_t;
};
template <>
struct WordsOf<double> {
  using Type = std::uint64_t;
};

/// value's bits within `mask`. References, not values: vectors have no calling convention of their own.
template <class Value>
ASSAY_FUNCTION ASSAY_DETAIL_INLINE void masked(const Value& value, std::uint64_t mask, Value& result) {
  using Words = typename WordsOf<Value>::Type;
  result = __builtin_bit_cast(Value, __builtin_bit_cast(Words, value) & mask);
}

/// The sums of one row, or of as many rows as `Value` has lanes. Magnitudes are kept as Σ x² and, where float64
/// elements might leave the range of x², as Σ |x| and max |x|, of which √(max·Σ) is not below the 2-norm.
///
/// Compensated sums cost four times the additions and lose no more than the square of what plain ones lose. Products
/// are split so that each is exact: then it does not matter whether the compiler contracts them.
template <class Value, Format T, ResidualPass Pass, bool Compensated>
struct ResidualSums {
  using Values = ResidualValues<Compensated>;
  static constexpr bool wide = std::is_same_v<T, float64>;

  Value sum[residual_vectors] = {};
  Value rest[residual_vectors] = {};
  Value magnitude = {};
  Value maximum = {};

  /// `weights` as ResidualValues orders them; only sums are read unless this is a product.
  ASSAY_FUNCTION ASSAY_DETAIL_INLINE void add(const Value& element, const Value* weights) {
    constexpr std::uint64_t upper_half = ~std::uint64_t{0x7ffffff}, exponent = binary64_layout.infinity_bits();
    if constexpr (!Compensated) {
#pragma GCC unroll 4
      for (std::size_t v = 0; v < residual_vectors; ++v) sum[v] += weights[v] * element;
    } else if constexpr (Pass != ResidualPass::product) {
#pragma GCC unroll 4
      for (std::size_t v = 0; v < residual_vectors; ++v) add_exactly(v, weights[v] * element);
    } else {
      Value element_high;
      masked(element, upper_half, element_high);
      const Value element_low = element - element_high;
#pragma GCC unroll 4
      for (std::size_t v = 0; v < residual_vectors; ++v) {
        Value high;
        masked(weights[v], upper_half, high);
        const Value low = weights[v] - high;
        add_exactly(v, element_high * high);
        rest[v] +=
            (element_high * low + element_low * high) + (element_low * low + element * weights[Values::rest + v]);
      }
    }
    Value size;
    if constexpr (Pass == ResidualPass::output) {
      masked(element, exponent, size);
      const Value least = min_normal<T>() - Value{};
      size = size > least ? size : least;
    } else {
      masked(element, binary64_layout.magnitude_mask(), size);
    }
    if constexpr (Pass == ResidualPass::product) {
      magnitude += size * weights[Values::magnitude];
    } else if constexpr (wide) {
      magnitude += size;
      maximum = size > maximum ? size : maximum;
    } else {
      magnitude += size * size;
    }
  }

  /// Adds the sums of other elements of the row.
  ASSAY_FUNCTION ASSAY_DETAIL_INLINE void join(const ResidualSums& other) {
#pragma GCC unroll 4
    for (std::size_t v = 0; v < residual_vectors; ++v) {
      if constexpr (Compensated) {
        add_exactly(v, other.sum[v]);
        rest[v] += other.rest[v];
      } else {
        sum[v] += other.sum[v];
      }
    }
    magnitude += other.magnitude;
    maximum = other.maximum > maximum ? other.maximum : maximum;
  }

  /// To and from memory at any address, value after value at a stride.
  ASSAY_FUNCTION ASSAY_DETAIL_INLINE void store(double* values, Index stride) const {
#pragma GCC unroll 4
    for (std::size_t v = 0; v < residual_vectors; ++v) {
      put(values, v, stride, sum[v]);
      if constexpr (Compensated) put(values, Values::rest + v, stride, rest[v]);
    }
    put(values, Values::magnitude, stride, magnitude);
    if constexpr (wide && Pass != ResidualPass::product) put(values, Values::maximum, stride, maximum);
  }
  ASSAY_FUNCTION ASSAY_DETAIL_INLINE void load(const double* values, Index stride) {
#pragma GCC unroll 4
    for (std::size_t v = 0; v < residual_vectors; ++v) {
      get(values, v, stride, sum[v]);
      if constexpr (Compensated) get(values, Values::rest + v, stride, rest[v]);
    }
    get(values, Values::magnitude, stride, magnitude);
    if constexpr (wide && Pass != ResidualPass::product) get(values, Values::maximum, stride, maximum);
  }

 private:
  ASSAY_FUNCTION ASSAY_DETAIL_INLINE void add_exactly(std::size_t v, const Value& term) {
    const Value total = sum[v] + term;
    const Value term_part = total - sum[v];
    rest[v] += (sum[v] - (total - term_part)) + (term - term_part);
    sum[v] = total;
  }
  ASSAY_FUNCTION ASSAY_DETAIL_INLINE static void put(double* values, std::size_t value, Index stride,
                                                     const Value& from) {
    double* place = values + static_cast<Index>(value) * stride;
    if constexpr (std::is_same_v<Value, double>)
      *place = from;
    else
      *reinterpret_cast<typename Vector<double, sizeof(Value)>::Unaligned*>(place) = from;
  }
  ASSAY_FUNCTION ASSAY_DETAIL_INLINE static void get(const double* values, std::size_t value, Index stride, Value& to) {
    const double* place = values + static_cast<Index>(value) * stride;
    if constexpr (std::is_same_v<Value, double>)
      to = *place;
    else
      to = *reinterpret_cast<const typename Vector<double, sizeof(Value)>::Unaligned*>(place);
  }
};

}  // namespace ASSAY_DETAIL_UNIT_VARIANT
}  // namespace assay::inline v0::detail

#if defined(__NVCC__)
#pragma nv_diagnostic pop
#endif
