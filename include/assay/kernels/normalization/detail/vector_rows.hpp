#pragma once

#include <cstddef>

#include "assay/compare/lanes.hpp"
#include "assay/core/vector_extremes.hpp"
#include "assay/core/vector_variants.hpp"
#include "assay/kernels/detail/vector_exponential.hpp"

#if defined(__NVCC__)
#pragma nv_diagnostic push
#pragma nv_diag_suppress 1675  // unknown attributes: the host compiler knows them
#endif

namespace assay::inline v0::detail {
inline namespace ASSAY_DETAIL_UNIT_VARIANT {

/// Σ (x − center) and Σ (x − center)² of some numbers that singles hold, in doubles.
struct CenteredSums {
  double center;
  double sum = 0, squares = 0;

  template <class T>
  struct Of {
    template <std::size_t Bytes>
    ASSAY_DETAIL_INLINE static void run(const T* const& values, const std::ptrdiff_t& count, CenteredSums& whole) {
      using Doubles = typename Vector<double, Bytes>::Type;
      constexpr std::ptrdiff_t lanes = Bytes / 8;
      Doubles sums[4] = {}, squares[4] = {};
      const double center = whole.center;
      std::ptrdiff_t i = 0;
      for (; i + 4 * lanes <= count; i += 4 * lanes) {
        Doubles x[4];
        load<Bytes>(values + i, x[0], x[1]);
        load<Bytes>(values + i + 2 * lanes, x[2], x[3]);
#pragma GCC unroll 4
        for (std::ptrdiff_t part = 0; part < 4; ++part) {
          const Doubles distance = x[part] - center;
          sums[part] += distance;
          squares[part] += distance * distance;
        }
      }
      const Doubles all = (sums[0] + sums[1]) + (sums[2] + sums[3]),
                    all_squares = (squares[0] + squares[1]) + (squares[2] + squares[3]);
      for (std::ptrdiff_t lane = 0; lane < lanes; ++lane) {
        whole.sum += all[lane];
        whole.squares += all_squares[lane];
      }
      for (; i < count; ++i) {
        const double distance = decode(values[i]) - center;
        whole.sum += distance;
        whole.squares += distance * distance;
      }
    }

   private:
    template <std::size_t Bytes, class Doubles>
    ASSAY_DETAIL_INLINE static void load(const T* from, Doubles& low, Doubles& high) {
      if constexpr (sizeof(T) == 4) {
        WidenSingles<Bytes>::load(from, low);
        WidenSingles<Bytes>::load(from + Bytes / 8, high);
      } else {
        foresee<Bytes / 2>(from);
        typename Vector<float, Bytes>::Type singles{};
        Lanes<Bytes>::load_single(from, singles);
        Doubles halves[2];
        Lanes<Bytes>::widen(singles, halves);
        low = halves[0];
        high = halves[1];
      }
    }
  };
};

/// References and bounds of elements of one row: y = (x − mean)·inverse·gamma + beta, E = |gamma|·(offset + slope·|x −
/// mean|) + share·|y| + underflow; nothing is done where an element is out of reach. Gamma and beta are arrays, or
/// where those are null one number each.
struct NormalizedElements {
  double mean, inverse, offset, slope, share, underflow, reach, largest;
  const float *gammas, *betas;
  double gamma, beta;
  double* value;
  double* error;

  struct Body {
    /// A multiple of the lanes is computed, the rest left to `done`.
    template <std::size_t Bytes>
    ASSAY_DETAIL_INLINE static void run(const float* const& values, const std::ptrdiff_t& count, std::ptrdiff_t& done,
                                        const NormalizedElements& row) {
      if (row.gammas != nullptr && row.betas != nullptr)
        walk<Bytes, true, true>(values, count, done, row);
      else if (row.gammas != nullptr)
        walk<Bytes, true, false>(values, count, done, row);
      else if (row.betas != nullptr)
        walk<Bytes, false, true>(values, count, done, row);
      else
        walk<Bytes, false, false>(values, count, done, row);
    }
    template <std::size_t Bytes, bool own_gamma, bool own_beta>
    ASSAY_DETAIL_INLINE static void walk(const float* const& values, const std::ptrdiff_t& count, std::ptrdiff_t& done,
                                         const NormalizedElements& row) {
      using Doubles = typename Vector<double, Bytes>::Type;
      using Place = typename Vector<double, Bytes>::Unaligned;
      constexpr std::ptrdiff_t lanes = Bytes / 8;
      const Doubles zero = {};
      const double mean = row.mean, inverse = row.inverse, offset = row.offset, slope = row.slope, share = row.share,
                   underflow = row.underflow;
      const float *const gammas = row.gammas, *const betas = row.betas;
      double *const value = row.value, *const error = row.error;
      Doubles scale = zero + row.gamma, shift = zero + row.beta, farthest = zero, most = zero;
      std::ptrdiff_t i = 0;
      for (; i + lanes <= count; i += lanes) {
        Doubles x;
        WidenSingles<Bytes>::load(values + i, x);
        if constexpr (own_gamma) WidenSingles<Bytes>::load(gammas + i, scale);
        if constexpr (own_beta) WidenSingles<Bytes>::load(betas + i, shift);
        const Doubles distance = x - mean, y = distance * (inverse * scale) + shift;
        Doubles far, size, weight;
        magnitude(distance, far);
        magnitude(y, size);
        magnitude(scale, weight);
        farthest = far > farthest ? far : farthest;
        most = size > most ? size : most;
        *reinterpret_cast<Place*>(value + i) = y;
        *reinterpret_cast<Place*>(error + i) = weight * (offset + slope * far) + (share * size + underflow);
      }
      done = i;
      for (std::ptrdiff_t lane = 0; lane < lanes; ++lane)
        if (!(farthest[lane] <= row.reach && most[lane] <= row.largest)) done = 0;
    }
  };
};

}  // namespace ASSAY_DETAIL_UNIT_VARIANT
}  // namespace assay::inline v0::detail

#if defined(__NVCC__)
#pragma nv_diagnostic pop
#endif
