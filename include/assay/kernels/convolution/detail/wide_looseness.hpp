#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "assay/kernels/convolution/detail/padded_images.hpp"
#include "assay/kernels/gemm/detail/chunk_weights.hpp"
#include "assay/kernels/gemm/detail/count_magnitudes.hpp"
#include "assay/kernels/gemm/detail/magnitude_shares.hpp"
#include "assay/kernels/gemm/detail/vector_product.hpp"

#if defined(__NVCC__)
#pragma nv_diagnostic push
#pragma nv_diag_suppress 1675  // unknown attributes: the host compiler knows them
#endif

namespace assay::inline v0::detail {

/// The sets of taps that meet an image and not its padding, one for each kind of place that a result may have.
class TapSets {
 public:
  static constexpr Index most_taps = 64;

  /// Precondition: at most `most_taps` taps.
  explicit TapSets(const PaddedLayout& layout) {
    for (int d = 0; d < 3; ++d) {
      for (Index q = 0; q < layout.of.count[d]; ++q) {
        std::uint64_t met = 0;
        for (Index tap = 0; tap < layout.of.taps; ++tap) {
          const Index at = q * layout.of.scale[d] + layout.of.offsets[tap * 3 + d];
          met |= std::uint64_t{at >= 0 && at < layout.extents[d]} << tap;
        }
        std::size_t own = 0;
        while (own < kinds_[d].size() && kinds_[d][own] != met) ++own;
        if (own == kinds_[d].size()) kinds_[d].push_back(met);
        kind_of_[d].push_back(own);
      }
    }
  }
  [[nodiscard]] std::size_t size() const { return kinds_[0].size() * kinds_[1].size() * kinds_[2].size(); }
  /// A bit for each tap.
  [[nodiscard]] std::uint64_t taps(std::size_t set) const {
    return kinds_[0][set / kinds_[2].size() / kinds_[1].size()] & kinds_[1][set / kinds_[2].size() % kinds_[1].size()] &
           kinds_[2][set % kinds_[2].size()];
  }
  [[nodiscard]] Index count(std::size_t set) const { return std::popcount(taps(set)); }
  /// That of a result at (plane, height, place).
  [[nodiscard]] std::size_t of(Index plane, Index height, Index place) const {
    return (kind_of_[0][static_cast<std::size_t>(plane)] * kinds_[1].size() +
            kind_of_[1][static_cast<std::size_t>(height)]) *
               kinds_[2].size() +
           kind_of_[2][static_cast<std::size_t>(place)];
  }
  /// Whether results at two places of a line have the same.
  [[nodiscard]] bool alike(Index place, Index other) const {
    return kind_of_[2][static_cast<std::size_t>(place)] == kind_of_[2][static_cast<std::size_t>(other)];
  }

 private:
  std::vector<std::uint64_t> kinds_[3];
  std::vector<std::size_t> kind_of_[3];
};

inline namespace ASSAY_DETAIL_UNIT_VARIANT {

/// counts[k·pitch + i] += how many of values[i + step·stride], of `steps` steps, reach level k, for the whole vectors
/// of `count` places: `counted` of them.
struct CountReached {
  template <std::size_t VectorBytes>
  ASSAY_DETAIL_INLINE static void run(const float* values, Index count, Index stride, Index steps,
                                      const LevelLimits& limits, Index pitch, std::int32_t* counts, Index& counted) {
    using Word = typename Vector<std::int32_t, VectorBytes>::Type;
    using Place = typename Vector<std::int32_t, VectorBytes>::Unaligned;
    constexpr Index lanes = static_cast<Index>(VectorBytes / sizeof(float));
    constexpr int levels = MagnitudeShares::levels;
    alignas(64) float limit[levels][CountMagnitudes::vectors_at_once];
    for (int k = 0; k < levels; ++k)
      for (Index lane = 0; lane < lanes; ++lane) limit[k][lane] = limits.limit[k];
    counted = count / lanes * lanes;
    for (Index i = 0; i < counted; i += lanes) {
      Word reached[levels] = {};
      CountMagnitudes::add<VectorBytes>(values + i, stride, steps, limit[0], reached);
#pragma GCC unroll 6
      for (int k = 0; k < levels; ++k) *reinterpret_cast<Place*>(counts + k * pitch + i) += reached[k];
    }
  }
};

}  // namespace ASSAY_DETAIL_UNIT_VARIANT

/// Of the weights that each set of taps meets at least these shares reach levels of their filter's root mean square.
struct FilterShares {
  const TapSets& sets;
  const float* matrix;  ///< filter × channel × tap
  Index channels, taps;
  const double* norms;  ///< filter × chunk
  Index chunks;
  MagnitudeShares* shares;  ///< filter × set
  InstructionSet set;

  void operator()(std::size_t filter) const {
    constexpr Index round = 16, pitch = TapSets::most_taps * round;  // a round of so many channels is whole vectors
    const Index depth = channels * taps, width = round * taps, rounds = channels / round,
                used = rounds > 0 ? width : depth;
    Index rest = depth - rounds * width, counted = 0, one = 1;
    const float* const weights = matrix + static_cast<Index>(filter) * depth;
    const float* const last = weights + rounds * width;
    std::int32_t counts[MagnitudeShares::levels * pitch], of_tap[MagnitudeShares::levels][TapSets::most_taps] = {};
    for (int k = 0; k < MagnitudeShares::levels; ++k)
      for (Index i = 0; i < used; ++i) counts[k * pitch + i] = 0;
    std::int32_t* const to = counts;
    const LevelLimits limits(root_mean_square_of(norms + static_cast<Index>(filter) * chunks, 1, chunks, depth));
    run_variant<CountReached>(set, weights, width, width, rounds, limits, pitch, to, counted);
    run_variant<CountReached>(set, last, rest, width, one, limits, pitch, to, counted);
    for (Index i = counted; i < rest; ++i) limits.count(last[i], pitch, counts + i);
    for (int k = 0; k < MagnitudeShares::levels; ++k)
      for (Index first = 0; first < used; first += taps)
        for (Index tap = 0; tap < taps; ++tap) of_tap[k][tap] += counts[k * pitch + first + tap];
    for (std::size_t own = 0; own < sets.size(); ++own) {
      const std::uint64_t met = sets.taps(own);
      const double elements = static_cast<double>(channels * sets.count(own));
      for (int k = 0; k < MagnitudeShares::levels; ++k) {
        std::int64_t sum = 0;
        for (Index tap = 0; tap < taps; ++tap) sum += (met >> tap & 1) != 0 ? of_tap[k][tap] : 0;
        shares[filter * sets.size() + own].share[k] = met == 0 ? 1 : static_cast<double>(sum) / elements;
      }
    }
  }
};

/// How many channels of a group reach each level of the image's root mean square, place by place, for some places a
/// task.
struct ReachedPlaces {
  static constexpr Index at_once = 512;
  const float* images;  ///< image × group × channel × place
  Index channels, places;
  const double* root_mean_squares;  ///< image × group
  std::int32_t* counts;             ///< image × group × level × place
  InstructionSet set;

  [[nodiscard]] Index blocks() const { return (places + at_once - 1) / at_once; }

  void operator()(std::size_t task) const {
    const Index part = static_cast<Index>(task) / blocks(), first = static_cast<Index>(task) % blocks() * at_once,
                count = places - first < at_once ? places - first : at_once, steps = channels, stride = places;
    const LevelLimits limits(root_mean_squares[part]);
    std::int32_t* const own = counts + part * MagnitudeShares::levels * places + first;
    for (int k = 0; k < MagnitudeShares::levels; ++k)
      for (Index place = 0; place < count; ++place) own[k * places + place] = 0;
    const float* const from = images + part * channels * places + first;
    Index counted = 0;
    run_variant<CountReached>(set, from, count, stride, steps, limits, stride, own, counted);
    for (Index channel = 0; channel < channels; ++channel)
      for (Index place = counted; place < count; ++place)
        limits.count(from[channel * places + place], places, own + place);
  }
};

inline namespace ASSAY_DETAIL_UNIT_VARIANT {

/// The least of the sums of counts over all taps, of `count` neighbors.
struct LeastReached {
  template <std::size_t VectorBytes>
  ASSAY_DETAIL_INLINE static void run(const std::int32_t* counts, const Index* taps, Index tap_count, Index count,
                                      std::int32_t& least) {
    using Word = typename Vector<std::int32_t, VectorBytes>::Type;
    using Place = typename Vector<std::int32_t, VectorBytes>::Unaligned;
    constexpr Index lanes = static_cast<Index>(VectorBytes / sizeof(std::int32_t));
    Word all = Word{} + least;
    Index i = 0;
    for (; count >= lanes && i < count; i += lanes) {
      if (i + lanes > count) i = count - lanes;  // some once more
      Word sum{};
      for (Index tap = 0; tap < tap_count; ++tap) sum += *reinterpret_cast<const Place*>(counts + taps[tap] + i);
      all = sum < all ? sum : all;
    }
    for (Index lane = 0; lane < lanes; ++lane) least = all[lane] < least ? all[lane] : least;
    for (; i < count; ++i) {
      std::int32_t sum = 0;
      for (Index tap = 0; tap < tap_count; ++tap) sum += counts[taps[tap] + i];
      least = sum < least ? sum : least;
    }
  }
};

/// The largest of the sums of squared norms over all chunks, of `count` neighbors.
struct LargestSquares {
  template <std::size_t VectorBytes>
  ASSAY_DETAIL_INLINE static void run(const double* norms, Index pitch, Index chunks, Index count, double& largest) {
    using Double = typename Vector<double, VectorBytes>::Type;
    using Place = typename Vector<double, VectorBytes>::Unaligned;
    constexpr Index lanes = static_cast<Index>(VectorBytes / sizeof(double));
    Double all{};
    Index i = 0;
    for (; count >= lanes && i < count; i += lanes) {
      if (i + lanes > count) i = count - lanes;
      Double sum{};
      for (Index chunk = 0; chunk < chunks; ++chunk) {
        const Double norm = *reinterpret_cast<const Place*>(norms + chunk * pitch + i);
        sum += norm * norm;
      }
      all = sum > all ? sum : all;
    }
    for (Index lane = 0; lane < lanes; ++lane) largest = all[lane] > largest ? all[lane] : largest;
    for (; i < count; ++i) {
      double sum = 0;
      for (Index chunk = 0; chunk < chunks; ++chunk) sum += norms[chunk * pitch + i] * norms[chunk * pitch + i];
      largest = sum > largest ? sum : largest;
    }
  }
};

}  // namespace ASSAY_DETAIL_UNIT_VARIANT

/// Of what results with the same set of taps meet of an image's group: at least so many elements reach levels of the
/// image's root mean square, and the norm of all is at most that.
struct MetElements {
  std::int32_t reached[MagnitudeShares::levels];
  double largest_norm = 0;

  [[nodiscard]] MagnitudeShares shares(Index elements) const {
    MagnitudeShares found;
    for (int k = 0; k < MagnitudeShares::levels; ++k)
      found.share[k] = static_cast<double>(reached[k]) / static_cast<double>(elements);
    return found;
  }
};

/// Finds it of one image and group.
struct MeetElements {
  const TapSets& sets;
  PaddedLayout layout;
  const Index* taps;  ///< their places
  Index groups, channels, chunks;
  const std::int32_t* counts;  ///< image × group × level × place
  const double* norms;         ///< group × chunk × pitch, of the first image
  Index pitch;
  MetElements* met;  ///< image × group × set
  InstructionSet set;

  void operator()(std::size_t image_and_group) const {
    const Index group = static_cast<Index>(image_and_group) % groups,
                image = static_cast<Index>(image_and_group) / groups;
    MetElements* const own = met + image_and_group * sets.size();
    for (std::size_t kind = 0; kind < sets.size(); ++kind) {
      own[kind] = {};
      for (std::int32_t& reached : own[kind].reached) reached = static_cast<std::int32_t>(channels * sets.count(kind));
    }
    const Index count = layout.of.count[2], tap_count = layout.of.taps;
    for (Index line = 0; line < layout.of.lines(); ++line) {
      const Index plane = line / layout.of.count[1], height = line % layout.of.count[1];
      for (Index begin = 0, end = 0; begin < count; begin = end) {  // results side by side with the same set
        const std::size_t kind = sets.of(plane, height, begin);
        for (end = begin + 1; end < count && sets.alike(begin, end);) ++end;
        const Index length = end - begin;
        for (int k = 0; k < MagnitudeShares::levels; ++k) {
          const std::int32_t* const from =
              counts + (static_cast<Index>(image_and_group) * MagnitudeShares::levels + k) * layout.places() +
              layout.place_of_line(line) + begin;
          run_variant<LeastReached>(set, from, taps, tap_count, length, own[kind].reached[k]);
        }
        const double* const from = norms + group * chunks * pitch + image * layout.positions() + line * count + begin;
        run_variant<LargestSquares>(set, from, pitch, chunks, length, own[kind].largest_norm);
      }
    }
    for (std::size_t kind = 0; kind < sets.size(); ++kind)
      own[kind].largest_norm = std::sqrt(own[kind].largest_norm) * norm_inflation;
  }
};

}  // namespace assay::inline v0::detail

#if defined(__NVCC__)
#pragma nv_diagnostic pop
#endif
