#pragma once

namespace assay::inline v0::detail {

/// What a screen found of a block.
enum class Screened {
  all,     ///< all is accepted, and no record of any kind
  sums,    ///< sums are added, and no more
  nothing  ///< singles do not hold the block
};

}  // namespace assay::inline v0::detail
