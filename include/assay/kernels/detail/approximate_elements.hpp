#pragma once

#include <cstddef>

#include "assay/compare/lanes.hpp"
#include "assay/formats/word_memory.hpp"
#include "assay/kernels/detail/row_singles.hpp"
#include "assay/tensor/operand.hpp"

#if defined(__NVCC__)
#pragma nv_diagnostic push
#pragma nv_diag_suppress 1675  // unknown attributes: the host compiler knows them
#endif

namespace assay::inline v0::detail {
inline namespace ASSAY_DETAIL_UNIT_VARIANT {

/// References and bounds in single precision, see `ApproximateExpectation`, of stored elements that lie side by side.
/// `Elements` has `at<Bytes>(i, x, e)`, which makes of the inputs x from i on the references and gives their bounds;
/// `rest(i, left)`, which is told that fewer than a vector are left from i on: those are then asked for as a whole
/// vector from 0 on; and perhaps `prepare<Bytes>()`, which is called before all.
template <class T, class Elements>
struct ApproximateElements {
  template <std::size_t Bytes>
  ASSAY_DETAIL_INLINE static void run(const T* const& stored, const std::ptrdiff_t& count, float* const& value,
                                      float* const& error, const Elements& shared) {
    constexpr std::ptrdiff_t lanes = Bytes / sizeof(float);
    Elements elements = shared;
    if constexpr (requires { elements.template prepare<Bytes>(); }) elements.template prepare<Bytes>();
    const T* const from = stored;
    float *const values = value, *const errors = error;
    const std::ptrdiff_t end = count, whole = end / lanes * lanes;
    for (std::ptrdiff_t i = 0; i < whole; i += lanes) vector<Bytes>(elements, i, from + i, values + i, errors + i);
    if (whole == end) return;
    T rest[lanes] = {};
    float results[2][lanes];
    for (std::ptrdiff_t i = whole; i < end; ++i) rest[i - whole] = from[i];
    elements.rest(whole, end - whole);
    vector<Bytes>(elements, 0, rest, results[0], results[1]);
    for (std::ptrdiff_t i = whole; i < end; ++i) {
      values[i] = results[0][i - whole];
      errors[i] = results[1][i - whole];
    }
  }

 private:
  template <std::size_t Bytes>
  ASSAY_DETAIL_INLINE static void vector(const Elements& elements, std::ptrdiff_t i, const T* from, float* value,
                                         float* error) {
    using Place = typename Vector<float, Bytes>::Unaligned;
    foresee<Bytes / sizeof(float) * sizeof(T)>(from);
    typename Vector<float, Bytes>::Type x{}, e{};
    Lanes<Bytes>::load_single(from, x);
    elements.template at<Bytes>(i, x, e);
    *reinterpret_cast<Place*>(value) = x;
    *reinterpret_cast<Place*>(error) = e;
  }
};

}  // namespace ASSAY_DETAIL_UNIT_VARIANT

/// The same of `count` elements of an operand from an offset on. Precondition, unchecked: `has_rows_of_singles`.
template <class Elements>
void approximate_elements(const Operand& operand, Index offset, Index count, float* value, float* error,
                          const Elements& elements) {
  with_stored_singles(operand, offset, [&](const auto* const from) {
    using T = std::remove_cvref_t<decltype(*from)>;
    const std::ptrdiff_t all = count;
    run_variant<ApproximateElements<T, Elements>>(instruction_set(), from, all, value, error, elements);
  });
}

}  // namespace assay::inline v0::detail

#if defined(__NVCC__)
#pragma nv_diagnostic pop
#endif
