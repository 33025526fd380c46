#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "assay/kernels/attention/bound.hpp"
#include "assay/kernels/detail/vector_exponential.hpp"

#if defined(__NVCC__)
#pragma nv_diagnostic push
#pragma nv_diag_suppress 1675  // unknown attributes: the host compiler knows them
#endif

namespace assay::inline v0::detail {
inline namespace ASSAY_DETAIL_UNIT_VARIANT {

/// Some consecutive keys of a row whose scores are nothing but scale·Σ q·k, on vectors: what `AttentionBound::score`
/// and `AttentionScan` do one by one. Groups of four vectors are taken, the rest of `count` keys is left.
struct PlainScores {
  double* scores;      ///< Σ q·k, then powers, then weights
  double* allowances;  ///< Σ |q·k|, then errors, then allowances
  double* squares;
  Index count;
  double scale;
  const AttentionBound* bound;
  AttentionScan* scan;
  bool usable = true;  ///< all scores are finite, and so are their errors

  template <std::size_t Bytes>
  struct Types {
    using Doubles = typename Vector<double, Bytes>::Type;
    using Words = typename Vector<std::int64_t, Bytes>::Type;
    using Unaligned = typename Vector<double, Bytes>::Unaligned;
    static constexpr Index lanes = static_cast<Index>(Bytes / 8), group = 4 * lanes;
  };

  template <std::size_t Bytes>
  ASSAY_DETAIL_INLINE static bool any(const typename Types<Bytes>::Words& mask) {
    std::int64_t found = 0;
    for (Index lane = 0; lane < Types<Bytes>::lanes; ++lane) found |= mask[lane];
    return found != 0;
  }
  /// The larger of four neighboring vectors of scores, lane by lane.
  template <std::size_t Bytes>
  ASSAY_DETAIL_INLINE static void largest(const double* dots, double scale, typename Types<Bytes>::Doubles& most) {
    using T = Types<Bytes>;
    most = *reinterpret_cast<const typename T::Unaligned*>(dots) * scale;
#pragma GCC unroll 3
    for (Index part = 1; part < 4; ++part) {
      const typename T::Doubles x = *reinterpret_cast<const typename T::Unaligned*>(dots + part * T::lanes) * scale;
      most = x > most ? x : most;
    }
  }
};

/// Maxima, and how often they rise. Writes nothing.
struct MeetPlainScores {
  template <std::size_t Bytes>
  ASSAY_DETAIL_INLINE static void run(PlainScores& part) {
    using T = PlainScores::Types<Bytes>;
    const typename T::Doubles zero = {};
    typename T::Doubles least = zero + part.scan->least;
    typename T::Words usable = ~typename T::Words{};
    const double limit = part.bound->largest / (part.scale > 1 ? part.scale : 1);
    for (Index i = 0; i + T::group <= part.count; i += T::group) {
#pragma GCC unroll 4
      for (Index vector = 0; vector < 4; ++vector) {
        const typename T::Doubles x =
            *reinterpret_cast<const typename T::Unaligned*>(part.scores + i + vector * T::lanes) * part.scale;
        const typename T::Doubles size =
            *reinterpret_cast<const typename T::Unaligned*>(part.allowances + i + vector * T::lanes);
        usable &= settled(x - x == zero) & settled(size <= limit);
        least = x < least ? x : least;
      }
      typename T::Doubles most;
      PlainScores::largest<Bytes>(part.scores + i, part.scale, most);
      if (PlainScores::any<Bytes>(most > part.scan->maximum))
        for (Index j = i; j < i + T::group; ++j) part.scan->meet(part.scores[j] * part.scale);
    }
    for (Index lane = 0; lane < T::lanes; ++lane) {
      part.usable = part.usable && usable[lane] != 0;
      part.scan->least = least[lane] < part.scan->least ? least[lane] : part.scan->least;
    }
  }
};

/// Terms, from the last key to the first.
struct WeighPlainScores {
  template <std::size_t Bytes>
  ASSAY_DETAIL_INLINE static void run(PlainScores& part) {
    using T = PlainScores::Types<Bytes>;
    const typename T::Doubles zero = {};
    const AttentionBound& bound = *part.bound;
    AttentionScan& scan = *part.scan;
    const double maximum = scan.maximum, distant = maximum < 0 ? -maximum : maximum, scale = part.scale;
    const double of_magnitude = scale * (bound.growth_depth + 5 * bound.unit),
                 constant = scale * bound.depth * bound.underflow + bound.function_error + 2 * bound.unit * distant,
                 twice = 2 * bound.unit;
    typename T::Doubles sum = zero, error = zero, powers_squared = zero;
    for (Index i = part.count / T::group * T::group - T::group; i >= 0; i -= T::group) {
      typename T::Doubles most;
      PlainScores::largest<Bytes>(part.scores + i, scale, most);
      if (PlainScores::any<Bytes>(most > scan.backwards))
        for (Index j = i + T::group; j-- > i;) scan.meet_again(part.scores[j] * scale);
#pragma GCC unroll 4
      for (Index vector = 0; vector < 4; ++vector) {
        typename T::Unaligned& at_score =
            *reinterpret_cast<typename T::Unaligned*>(part.scores + i + vector * T::lanes);
        typename T::Unaligned& at_allowance =
            *reinterpret_cast<typename T::Unaligned*>(part.allowances + i + vector * T::lanes);
        const typename T::Doubles score = at_score * scale, size = score < zero ? -score : score;
        const typename T::Doubles shifted = score - maximum;
        const typename T::Doubles relative = of_magnitude * at_allowance + constant + twice * (size - shifted);
        const typename T::Words far = shifted < -708.0;
        typename T::Doubles power = far ? zero - 708.0 : shifted;
        typename T::Doubles own = zero;
        const typename T::Words large = relative >= 1e-4;
        if (PlainScores::any<Bytes>(large))
          for (Index lane = 0; lane < T::lanes; ++lane) own[lane] = std::exp(shifted[lane] + relative[lane]);
        VectorExponential<Bytes>::apply(power);
        own = large ? own - power : power * relative * (1 + relative);
        // there a weight is 0, and off by what it may be
        own = far ? own + power : own;
        power = far ? zero : power;
        at_score = power;
        at_allowance = own;
        sum += power;
        error += own;
        powers_squared += power * power;
      }
    }
    const double unit = bound.weight_unit;
    for (Index lane = 0; lane < T::lanes; ++lane) {
      scan.sum += sum[lane];
      scan.error += error[lane];
      scan.spread += unit * sum[lane];
      scan.spread_squares += unit * unit * powers_squared[lane];
    }
  }
};

/// Quotients.
struct DividePlainScores {
  template <std::size_t Bytes>
  ASSAY_DETAIL_INLINE static void run(PlainScores& part) {
    using T = PlainScores::Types<Bytes>;
    const AttentionScan& scan = *part.scan;
    const double unit = part.bound->weight_unit, inverse = 1 / scan.sum,
                 shared = scan.shared + (scan.independent ? 0 : unit), underflow = part.bound->weight_underflow,
                 spread = scan.independent ? unit * inverse : 0;
    for (Index i = 0; i + T::lanes <= part.count / T::group * T::group; i += T::lanes) {
      typename T::Unaligned& at_score = *reinterpret_cast<typename T::Unaligned*>(part.scores + i);
      typename T::Unaligned& at_allowance = *reinterpret_cast<typename T::Unaligned*>(part.allowances + i);
      const typename T::Doubles power = at_score, own = power * spread;
      at_allowance = (at_allowance + power * shared) * inverse + underflow;
      at_score = power * inverse;
      *reinterpret_cast<typename T::Unaligned*>(part.squares + i) = own * own;
    }
  }
};

}  // namespace ASSAY_DETAIL_UNIT_VARIANT
}  // namespace assay::inline v0::detail

#if defined(__NVCC__)
#pragma nv_diagnostic pop
#endif
