#pragma once

#include "assay/compare/detail/compare_lanes.hpp"
#include "assay/compare/detail/screen_approximate.hpp"
#include "assay/compare/detail/screen_pairs.hpp"

#if defined(__NVCC__)
#pragma nv_diagnostic push
#pragma nv_diag_suppress 1675  // unknown attributes: the host compiler knows them
#endif

namespace assay::inline v0::detail {
inline namespace ASSAY_DETAIL_UNIT_VARIANT {

/// Of instruction sets with a fused multiply-add.
template <class T>
struct PassApproximate {
  template <class Screen, std::size_t Bytes>
  ASSAY_DETAIL_INLINE static void pass(const ApproximateBlock<T>& block, LaneComparison<T, double>& comparison,
                                       ApproximateFindings& found) {
    Screen screen;
    screen.take(comparison, block);
    screen_steps<T, Bytes>(screen, block, comparison, found);
    screen.finish(comparison);
  }
  template <std::size_t Bytes>
  ASSAY_DETAIL_INLINE static void run(const ApproximateBlock<T>& block, LaneComparison<T, double>& comparison,
                                      ApproximateFindings& found) {
    if constexpr (Lanes<Bytes>::wide) {
      if constexpr (std::is_same_v<T, float32>) {
        pass<ScreenPairs<Bytes>, Bytes>(block, comparison, found);
      } else {
        using Exact = ScreenApproximate<T, Bytes, Off::nowhere>;
        using Relative = ScreenApproximate<T, Bytes, Off::relatively>;
        if (Exact::suits(comparison, block.off))
          pass<Exact, Bytes>(block, comparison, found);
        else if (Relative::suits(comparison, block.off))
          pass<Relative, Bytes>(block, comparison, found);
        else
          pass<ScreenApproximate<T, Bytes, Off::anyhow>, Bytes>(block, comparison, found);
      }
    }
  }
};

}  // namespace ASSAY_DETAIL_UNIT_VARIANT

template <LaneFormat T, LaneFormat Reference>
bool LaneComparison<T, Reference>::takes_approximations() {
  if (rule.kind != VectorRule::Kind::derived || refinable || !fused || !has_maxima()) return false;
  if (ordinary_blocks == 0) return true;
  --ordinary_blocks;
  return false;
}

template <LaneFormat T, LaneFormat Reference>
ApproximateFindings LaneComparison<T, Reference>::pass_approximate(InstructionSet set,
                                                                   const ApproximateBlock<T>& block) {
  ApproximateFindings found;
  run_variant<PassApproximate<T>>(set, block, *this, found);
  const auto left = __builtin_popcountll(found.doubtful | found.unsummed);
  seen += static_cast<std::uint64_t>(block.elements - __builtin_popcountll(found.unsummed) * ApproximateBlock<T>::step);
  if (left * ApproximateBlock<T>::step * 4 > block.elements) {
    ordinary_blocks = approximate_patience;
    approximate_patience = approximate_patience < 32 ? 2 * approximate_patience : 32;
  } else {
    approximate_patience = 1;
  }
  return found;
}

template <LaneFormat T, LaneFormat Reference>
void LaneComparison<T, Reference>::judge_steps(InstructionSet set, const Row& row, Index from) {
  Span span{from, row.end, {}};
  refresh(row, span);
  run_variant<typename CompareLanes<T, Reference, VectorRule::Kind::derived>::Judge>(set, *this, row, span, row.end);
}

}  // namespace assay::inline v0::detail

#if defined(__NVCC__)
#pragma nv_diagnostic pop
#endif
