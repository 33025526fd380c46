#pragma once

#include "assay/compare/detail/full_lanes.hpp"
#include "assay/compare/detail/sample_singles.hpp"

#if defined(__NVCC__)
#pragma nv_diagnostic push
#pragma nv_diag_suppress 1675  // unknown attributes: the host compiler knows them
#endif

namespace assay::inline v0::detail {
inline namespace ASSAY_DETAIL_UNIT_VARIANT {

/// The largest errors of whole steps of a row, of ordinary elements that cannot be in doubt.
template <class T, class Reference, VectorRule::Kind kind, std::size_t Bytes>
struct SampleLanes : FullLanes<T, Reference, kind, Bytes> {
  using Base = FullLanes<T, Reference, kind, Bytes>;
  using Base::binade, Base::judge, Base::layout, Base::vast;
  using typename Base::L, typename Base::Comparison, typename Base::Row, typename Base::Real, typename Base::Bits;

  static constexpr Index width = static_cast<Index>(L::count), unit = static_cast<Index>(Comparison::step);

  static constexpr bool certain = false;

  VectorRule rule;
  Real absolute{}, ulps{}, relative{}, ratio{};

  ASSAY_DETAIL_INLINE explicit SampleLanes(const VectorRule& chosen) : rule(chosen) {}

  ASSAY_DETAIL_INLINE void sample(const Comparison& comparison, const Row& row, Index at) {
    Real out{}, reference{}, error = Real{} + row.expected.uniform_error;
    L::load(row.actual + at, out);
    L::load(row.values(at), reference);
    if (row.expected.error != nullptr) L::load(row.errors(at), error);
    measure(out, reference, error, comparison.below_doubt());
  }

  ASSAY_DETAIL_INLINE void measure(const Real& out, const Real& reference, const Real& error, double below_doubt) {
    ASSAY_DETAIL_NO_CONTRACTION
    const Real difference = out - reference;
    Real size, reference_size, out_size, power, excess, allowed;
    magnitude(difference, size);
    magnitude(reference, reference_size);
    magnitude(out, out_size);
    const Bits ordinary = settled(Bits(size + reference_size + error < Real{} + vast)) & settled(Bits(error >= 0));
    binade(reference_size, power);
    const Real inverse = Real((std::int64_t{2046} << 52) - Bits(power));
    Bits flags{}, refuted{};
    judge(rule, out, out_size, reference, difference, size, reference_size, error, ordinary, excess, allowed, flags,
          refuted);
    const Real of_reference = size / reference_size, of_allowed = excess / allowed;
    keep_larger(size, ordinary, absolute);
    keep_larger(size * inverse, ordinary, ulps);
    keep_larger(of_reference, ordinary & settled(Bits(reference_size > 0)), relative);
    keep_larger(of_allowed, ordinary & ~refuted & ~flags & settled(Bits(of_allowed < below_doubt)), ratio);
  }

  ASSAY_DETAIL_INLINE static void keep_larger(const Real& value, const Bits& valid, Real& largest) {
    Real counted = Real(Bits(value) & valid);
    at_least(counted, largest);
    largest = counted;
  }

  [[nodiscard]] ASSAY_DETAIL_INLINE static double largest_of(const Real& values) {
    double largest = 0;
    for (std::size_t lane = 0; lane < L::count; ++lane) largest = values[lane] > largest ? values[lane] : largest;
    return largest;
  }
};

/// Tells what a row of a chunk shows, in every tile whose turn it is. Tiles that are narrower than what is sampled at
/// once are not told apart.
template <class T, class Reference, VectorRule::Kind kind>
struct SampleRow {
  using Comparison = LaneComparison<T, Reference>;

  template <std::size_t Bytes>
  ASSAY_DETAIL_INLINE static void run(Comparison& comparison, const typename Comparison::Row& row,
                                      const Index& first_column, const Index& turn, const Index& turns) {
    using InDoubles = SampleLanes<T, Reference, kind, Bytes>;
    using Work = typename std::conditional_t<InDoubles::singles, std::type_identity<SampleSingles<T, kind, Bytes>>,
                                             std::type_identity<InDoubles>>::type;
    RecordFloor& floor = comparison.floor;
    Work work(comparison.rule);
    const bool narrow = row.tile_columns < Comparison::sampled_at_once;
    for (Index at = first_column; at < row.end;) {
      const Index tile = at / row.tile_columns, next = narrow ? row.end : (tile + 1) * row.tile_columns,
                  stop = next < row.end ? next : row.end;
      if (narrow || tile % turns == turn) {
        work.ratio = decltype(work.ratio){};
        const Index whole = at + (stop - at) / Work::unit * Work::unit;
        for (; at < whole; at += Work::width) work.sample(comparison, row, at);
        if (!narrow) comparison.take_sample(tile, row.group, Work::largest_of(work.ratio), work.certain);
      }
      at = stop;
    }
    RecordFloor::raise(floor.absolute, Work::largest_of(work.absolute));
    RecordFloor::raise(floor.ulps, Work::largest_of(work.ulps) * power_of_two(FormatTraits<T>::layout.fraction_bits));
    RecordFloor::raise(floor.relative, Work::largest_of(work.relative));
  }
};

}  // namespace ASSAY_DETAIL_UNIT_VARIANT
}  // namespace assay::inline v0::detail

#if defined(__NVCC__)
#pragma nv_diagnostic pop
#endif
