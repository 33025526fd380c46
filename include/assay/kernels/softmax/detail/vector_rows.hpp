#pragma once

#include <cstddef>

#include "assay/core/vector_extremes.hpp"
#include "assay/core/vector_variants.hpp"
#include "assay/kernels/detail/quick_exponential.hpp"
#include "assay/kernels/detail/vector_exponential.hpp"

#if defined(__NVCC__)
#pragma nv_diagnostic push
#pragma nv_diag_suppress 1675  // unknown attributes: the host compiler knows them
#endif

namespace assay::inline v0::detail {
inline namespace ASSAY_DETAIL_UNIT_VARIANT {

/// The largest and smallest of some singles, and whether one is NaN. A multiple of `Bytes`/4 is looked at, the rest
/// left.
struct SoftmaxExtremes {
  float maximum, minimum;
  bool any_nan = false;

  struct Body {
    template <std::size_t Bytes>
    ASSAY_DETAIL_INLINE static void run(const float* const& values, const std::ptrdiff_t& count,
                                        SoftmaxExtremes& found) {
      using Singles = typename Vector<float, Bytes>::Type;
      constexpr std::ptrdiff_t lanes = Bytes / 4;
      Singles most[2] = {Singles{} + found.maximum, Singles{} + found.maximum},
              least[2] = {Singles{} + found.minimum, Singles{} + found.minimum};
      auto unordered = most[0] != most[0];
      std::ptrdiff_t i = 0;
      for (; i + 2 * lanes <= count; i += 2 * lanes) {
        foresee<2 * Bytes>(values + i);
#pragma GCC unroll 2
        for (std::ptrdiff_t part = 0; part < 2; ++part) {
          const Singles x =
              *reinterpret_cast<const typename Vector<float, Bytes>::Unaligned*>(values + i + part * lanes);
          most[part] = x > most[part] ? x : most[part];
          least[part] = x < least[part] ? x : least[part];
          unordered |= settled(x != x);
        }
      }
      for (std::ptrdiff_t lane = 0; lane < lanes; ++lane) {
        for (const auto& part : most) found.maximum = part[lane] > found.maximum ? part[lane] : found.maximum;
        for (const auto& part : least) found.minimum = part[lane] < found.minimum ? part[lane] : found.minimum;
        found.any_nan |= unordered[lane] != 0;
      }
      for (; i < count; ++i) {
        found.maximum = values[i] > found.maximum ? values[i] : found.maximum;
        found.minimum = values[i] < found.minimum ? values[i] : found.minimum;
        found.any_nan |= values[i] != values[i];
      }
    }
  };
};

/// Largest and smallest of some singles and Σ exp(x) in one pass: of no use unless `within()`.
struct SoftmaxWhole {
  static constexpr float greatest = 300;  ///< exponentials relative to 0 are far from both ends of doubles
  float maximum, minimum;
  double sum = 0;

  /// NaN and infinities make sums NaN.
  [[nodiscard]] bool within() const { return maximum <= greatest && minimum >= -greatest && sum == sum; }

  struct Body {
    template <std::size_t Bytes>
    ASSAY_DETAIL_INLINE static void run(const float* const& values, const std::ptrdiff_t& count, SoftmaxWhole& found) {
      using Singles = typename Vector<float, Bytes>::Type;
      using Doubles = typename Vector<double, Bytes>::Type;
      constexpr std::ptrdiff_t lanes = Bytes / 4;
      Singles most = Singles{} + found.maximum, least = Singles{} + found.minimum;
      Doubles sums[2] = {};
      std::ptrdiff_t i = 0;
      for (; i + lanes <= count; i += lanes) {
        const Singles x = *reinterpret_cast<const typename Vector<float, Bytes>::Unaligned*>(values + i);
        at_least(most, x);
        at_most(least, x);
#pragma GCC unroll 2
        for (std::ptrdiff_t half = 0; half < 2; ++half) {
          Doubles power;
          WidenSingles<Bytes>::load(values + i + half * lanes / 2, power);
          VectorExponential<Bytes>::apply(power);
          sums[half] += power;
        }
      }
      for (std::ptrdiff_t lane = 0; lane < lanes; ++lane) {
        found.maximum = most[lane] > found.maximum ? most[lane] : found.maximum;
        found.minimum = least[lane] < found.minimum ? least[lane] : found.minimum;
      }
      for (std::ptrdiff_t lane = 0; lane < lanes / 2; ++lane) found.sum += sums[0][lane] + sums[1][lane];
      for (; i < count; ++i) {
        const float x = values[i];
        found.maximum = x > found.maximum ? x : found.maximum;
        found.minimum = x < found.minimum ? x : found.minimum;
        found.sum += quick_exponential(x >= -greatest && x <= greatest ? x : 0.0 * x);
      }
    }
  };
};

/// Σ exp(z − m) of z = x/temperature.
struct SoftmaxSums {
  double maximum, temperature;
  double sum = 0;

  struct Body {
    template <std::size_t Bytes>
    ASSAY_DETAIL_INLINE static void run(const float* const& values, const std::ptrdiff_t& count, SoftmaxSums& sums) {
      using Doubles = typename Vector<double, Bytes>::Type;
      constexpr std::ptrdiff_t lanes = Bytes / 8;
      const Doubles zero = {};
      Doubles sum = zero;
      const double maximum = sums.maximum, temperature = sums.temperature;
      std::ptrdiff_t i = 0;
      for (; i < count; i += lanes) {
        float rest[lanes];
        const float* from = values + i;
        if (i + lanes > count) {  // −∞ adds nothing
          for (std::ptrdiff_t lane = 0; lane < lanes; ++lane)
            rest[lane] = i + lane < count ? values[i + lane] : -__builtin_inff();
          from = rest;
        }
        Doubles z;
        WidenSingles<Bytes>::load(from, z);
        if (temperature != 1) z = z / temperature;
        Doubles descent = z - maximum;
        at_least(descent, zero - 708.0);
        VectorExponential<Bytes>::apply(descent);
        sum += descent;
      }
      for (std::ptrdiff_t lane = 0; lane < lanes; ++lane) sums.sum += sum[lane];
    }
  };
};

/// References and bounds of elements of one row.
///
/// softmax: y = exp(z − m)/s, E = y·t·(1 + 0.72·t) + underflow with t = constant + slope·(m − z) + scaling·|z|.
/// logarithm: y = (z − m) − log s, E = constant + slope·(m − z) + scaling·|z| + slope·|y|.
struct SoftmaxElements {
  double maximum, temperature, inverse_sum, log_sum;
  double constant, slope, scaling, underflow;
  bool logarithm;
  double* value;
  double* error;

  struct Body {
    /// A multiple of the lanes is computed, the rest left to `done`.
    template <std::size_t Bytes>
    ASSAY_DETAIL_INLINE static void run(const float* const& values, const std::ptrdiff_t& count, std::ptrdiff_t& done,
                                        const SoftmaxElements& row) {
      if (row.logarithm)
        walk<Bytes, true>(values, count, done, row);
      else
        walk<Bytes, false>(values, count, done, row);
    }
    template <std::size_t Bytes, bool logarithm>
    ASSAY_DETAIL_INLINE static void walk(const float* const& values, const std::ptrdiff_t& count, std::ptrdiff_t& done,
                                         const SoftmaxElements& row) {
      using Doubles = typename Vector<double, Bytes>::Type;
      using Place = typename Vector<double, Bytes>::Unaligned;
      constexpr std::ptrdiff_t lanes = Bytes / 8;
      const Doubles zero = {};
      const double maximum = row.maximum, temperature = row.temperature, inverse_sum = row.inverse_sum,
                   log_sum = row.log_sum;
      const double constant = row.constant, slope = row.slope, scaling = row.scaling, underflow = row.underflow;
      double *const value = row.value, *const error = row.error;
      std::ptrdiff_t i = 0;
      for (; i + lanes <= count; i += lanes) {
        Doubles z;
        WidenSingles<Bytes>::load(values + i, z);
        if (temperature != 1) z = z / temperature;
        Doubles descent = z - maximum, share = constant - slope * descent, size;
        if (temperature != 1) {
          magnitude(z, size);
          share += scaling * size;
        }
        if constexpr (logarithm) {
          const Doubles y = descent - log_sum;
          magnitude(y, size);
          *reinterpret_cast<Place*>(value + i) = y;
          *reinterpret_cast<Place*>(error + i) = share + slope * size;
        } else {
          at_least(descent, zero - 708.0);
          Doubles power = descent;
          VectorExponential<Bytes>::apply(power);
          const Doubles y = power * inverse_sum;
          *reinterpret_cast<Place*>(value + i) = y;
          *reinterpret_cast<Place*>(error + i) = y * (share + share * share * 0.72) + underflow;
        }
      }
      done = i;
    }
  };
};

}  // namespace ASSAY_DETAIL_UNIT_VARIANT
}  // namespace assay::inline v0::detail

#if defined(__NVCC__)
#pragma nv_diagnostic pop
#endif
