#pragma once

#include <cstddef>
#include <cstdint>

#include "assay/compare/lanes.hpp"
#include "assay/core/instruction_set.hpp"
#include "assay/formats/format_traits.hpp"
#include "assay/formats/word_memory.hpp"
#include "assay/kernels/detail/pair_arithmetic.hpp"
#include "assay/tensor/operand.hpp"

#if defined(__NVCC__)
#pragma nv_diagnostic push
#pragma nv_diag_suppress 1675  // unknown attributes: the host compiler knows them
#endif

namespace assay::inline v0::detail {

/// Whether references of rows of that length are told in pairs. Precondition, unchecked: `has_rows_of_singles`.
[[nodiscard]] inline bool tells_pairs(const Operand& input, Index length) {
  constexpr Index least_row = 64;  // what a shorter one costs beside its elements is more than pairs gain
  return has_pair_exponential && instruction_set() != InstructionSet::baseline && input.format.bytes == 4 &&
         length >= least_row;
}

/// Where a block of references in pairs goes. See `PairedExpectation`.
struct PairedBlock {
  float *value, *rest, *error;
};

inline namespace ASSAY_DETAIL_UNIT_VARIANT {

/// References as pairs of singles, and bounds, of inputs that lie side by side. `Elements` has `at<Bytes>(i, x, v, w,
/// e)`, which puts pairs v + w and their bounds e of the inputs x from i on; perhaps `begin<Bytes>(x, v, w, e)`, which
/// puts what `at` is to find there; `prepare<Bytes>()`, which is called before all; `rest(i, left)`, which is told that
/// fewer than a vector are left from i on: those are then asked for as a whole vector from 0 on; `greatest`, the
/// magnitude of an input up to which it can; and perhaps, where `bounded_below`, `least`, that from which on it can,
/// unless an input is 0.
template <class Elements>
struct PairedElements {
  template <std::size_t Bytes>
  ASSAY_DETAIL_INLINE static void run(const float* const& inputs, const std::ptrdiff_t& count, const PairedBlock& to,
                                      const Elements& shared, bool& within) {
    constexpr std::ptrdiff_t lanes = Bytes / sizeof(float);
    using Bits = typename Vector<std::uint32_t, Bytes>::Type;
    Elements elements = shared;
    elements.template prepare<Bytes>();
    const float* const from = inputs;
    const PairedBlock block = to;
    const std::ptrdiff_t whole = count / lanes * lanes, left = count - whole;
    Bits most{},
        least = Bits{} - 1;  // of the magnitudes, of which NaN is the largest, and of those less 1, of which 0 is
    for (std::ptrdiff_t i = 0; i < whole; i += lanes) {
      foresee<Bytes, look_ahead>(from + i);
      begin<Bytes>(elements, i, from + i, block.value + i, block.rest + i, block.error + i, most, least);
    }
    if constexpr (has_two_parts<Bytes>)
      for (std::ptrdiff_t i = 0; i < whole; i += lanes)
        complete<Bytes>(elements, i, from + i, block.value + i, block.rest + i, block.error + i);
    if (left > 0) {
      float rest[lanes] = {}, results[3][lanes];
      for (std::ptrdiff_t i = 0; i < left; ++i) rest[i] = from[whole + i];
      elements.rest(whole, left);
      begin<Bytes>(elements, 0, rest, results[0], results[1], results[2], most, least);
      if constexpr (has_two_parts<Bytes>) complete<Bytes>(elements, 0, rest, results[0], results[1], results[2]);
      for (std::ptrdiff_t i = 0; i < left; ++i) {
        block.value[whole + i] = results[0][i];
        block.rest[whole + i] = results[1][i];
        block.error[whole + i] = results[2][i];
      }
    }
    for (std::ptrdiff_t lane = 0; lane < lanes; ++lane)
      within &= most[lane] <= FormatTraits<float32>::to_bits(elements.greatest);
    if constexpr (bounded_below)
      if (elements.least > 0)
        for (std::ptrdiff_t lane = 0; lane < lanes; ++lane)
          within &= least[lane] >= FormatTraits<float32>::to_bits(elements.least) - 1;
  }

 private:
  static constexpr std::size_t look_ahead = 4096;  ///< bytes: a block, during whose comparison nothing is read here
  static constexpr bool bounded_below = requires { requires Elements::bounded_below; };
  template <std::size_t Bytes, class Singles = typename Vector<float, Bytes>::Type>
  static constexpr bool has_two_parts = requires(const Elements& elements, Singles& singles) {
    elements.template begin<Bytes>(singles, singles, singles, singles);
  };

  template <std::size_t Bytes>
  ASSAY_DETAIL_INLINE static void begin(const Elements& elements, std::ptrdiff_t i, const float* from, float* value,
                                        float* rest, float* error, typename Vector<std::uint32_t, Bytes>::Type& most,
                                        typename Vector<std::uint32_t, Bytes>::Type& least) {
    using Bits = typename Vector<std::uint32_t, Bytes>::Type;
    using Place = typename Vector<float, Bytes>::Unaligned;
    typename Vector<float, Bytes>::Type x = *reinterpret_cast<const Place*>(from), size, v, w, e;
    magnitude(x, size);
    most = Bits(size) > most ? Bits(size) : most;
    if constexpr (bounded_below) least = Bits(size) - 1 < least ? Bits(size) - 1 : least;
    if constexpr (has_two_parts<Bytes>)
      elements.template begin<Bytes>(x, v, w, e);
    else
      elements.template at<Bytes>(i, x, v, w, e);
    *reinterpret_cast<Place*>(value) = v;
    *reinterpret_cast<Place*>(rest) = w;
    *reinterpret_cast<Place*>(error) = e;
  }
  template <std::size_t Bytes>
  ASSAY_DETAIL_INLINE static void complete(const Elements& elements, std::ptrdiff_t i, const float* from, float* value,
                                           float* rest, float* error) {
    using Place = typename Vector<float, Bytes>::Unaligned;
    const typename Vector<float, Bytes>::Type x = *reinterpret_cast<const Place*>(from);
    typename Vector<float, Bytes>::Type v = *reinterpret_cast<const Place*>(value),
                                        w = *reinterpret_cast<const Place*>(rest),
                                        e = *reinterpret_cast<const Place*>(error);
    elements.template at<Bytes>(i, x, v, w, e);
    *reinterpret_cast<Place*>(value) = v;
    *reinterpret_cast<Place*>(rest) = w;
    *reinterpret_cast<Place*>(error) = e;
  }
};

}  // namespace ASSAY_DETAIL_UNIT_VARIANT

/// Whether all inputs were within reach; else nothing that was told is to be used.
template <class Elements>
[[nodiscard]] bool paired_elements(const float* inputs, std::ptrdiff_t count, const PairedBlock& to,
                                   const Elements& elements) {
  bool within = true;
  run_variant<PairedElements<Elements>>(instruction_set(), inputs, count, to, elements, within);
  return within;
}

}  // namespace assay::inline v0::detail

#if defined(__NVCC__)
#pragma nv_diagnostic pop
#endif
