#pragma once

#include <cstddef>

#include "assay/compare/detail/lanes.hpp"
#include "assay/formats/detail/word_memory.hpp"
#include "assay/tensor/operand.hpp"

#if defined(__NVCC__)
#pragma nv_diagnostic push
#pragma nv_diag_suppress 1675  // unknown attributes: the host compiler knows them
#endif

namespace assay::inline v0::detail {
inline namespace ASSAY_DETAIL_UNIT_VARIANT {

/// References and bounds in single precision, see `ApproximateExpectation`, of stored elements that lie side by side. `Elements` has `at<Bytes>(i, x, e)`, which makes of the inputs x at i the references
/// and gives their bounds, and `rest(i, left)`, which is told where fewer than a vector are left: up to a vector more than those is asked for.
template <class T, class Elements>
struct ApproximateElements {
  template <std::size_t Bytes>
  ASSAY_DETAIL_INLINE static void run(const T* const& stored, const std::ptrdiff_t& count, float* const& value, float* const& error,
                                      const Elements& shared) {
    using Singles = typename Vector<float, Bytes>::Type;
    using Place = typename Vector<float, Bytes>::Unaligned;
    constexpr std::ptrdiff_t lanes = Bytes / sizeof(float);
    Elements elements = shared;
    const T* from = stored;
    float *values = value, *errors = error;
    const std::ptrdiff_t end = count, whole = end / lanes * lanes;
    T rest[lanes] = {};
    float results[2][lanes];
    for (std::ptrdiff_t i = 0; i < end; i += lanes) {
      if (__builtin_expect(i == whole, 0)) {  // by way of arrays of a whole vector
        for (std::ptrdiff_t lane = 0; whole + lane < end; ++lane) rest[lane] = from[whole + lane];
        from = rest - whole;
        values = results[0] - whole;
        errors = results[1] - whole;
        elements.rest(whole, end - whole);
      }
      foresee<lanes * sizeof(T)>(from + i);
      Singles x{}, e{};
      Lanes<Bytes>::load_single(from + i, x);
      elements.template at<Bytes>(i, x, e);
      *reinterpret_cast<Place*>(values + i) = x;
      *reinterpret_cast<Place*>(errors + i) = e;
    }
    for (std::ptrdiff_t i = whole; i < end; ++i) {
      value[i] = results[0][i - whole];
      error[i] = results[1][i - whole];
    }
  }
};

}  // namespace ASSAY_DETAIL_UNIT_VARIANT

/// The same of `count` elements of an operand from an offset on. Precondition, unchecked: `has_rows_of_singles`.
template <class Elements>
void approximate_elements(const Operand& operand, Index offset, Index count, float* value, float* error, const Elements& elements) {
  const auto walk = [&](const auto* data) {
    using T = std::remove_cvref_t<decltype(*data)>;
    const T* const from = data + offset;
    const std::ptrdiff_t all = count;
    run_variant<ApproximateElements<T, Elements>>(instruction_set(), from, all, value, error, elements);
  };
  if (operand.format.bytes == 4)
    walk(static_cast<const float32*>(operand.data));
  else if (operand.format.layout == FormatTraits<bfloat16>::layout)
    walk(static_cast<const bfloat16*>(operand.data));
  else
    walk(static_cast<const float16*>(operand.data));
}

}  // namespace assay::inline v0::detail

#if defined(__NVCC__)
#pragma nv_diagnostic pop
#endif
