#pragma once

#include <string_view>

#include "assay/core/enum_name.hpp"

namespace assay::inline v0 {

/// What leaves the bits of a reduction as they are; each level includes those before it.
enum class DeterminismLevel {
  none,            ///< ranks of one all_reduce differ
  across_ranks,    ///< all ranks of an all_reduce have the same bits; what training needs at least
  run_to_run,      ///< so has the same call with the same data again
  across_offsets,  ///< so has the call with buffers that are aligned otherwise
  across_splits    ///< so have two calls of half the elements each
};

/// The name in reports.
[[nodiscard]] constexpr std::string_view name_of(DeterminismLevel level) noexcept {
  return enum_name(level);
}

}  // namespace assay::inline v0
