#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace assay {

/// What leaves the bits of a reduction as they are; each level includes those before it.
enum class DeterminismLevel {
  none,            ///< ranks of one all_reduce differ
  across_ranks,    ///< all ranks of an all_reduce have the same bits; what training needs at least
  run_to_run,      ///< so has the same call with the same data again
  across_offsets,  ///< so has the call with buffers that are aligned otherwise
  across_splits    ///< so have two calls of half the elements each
};

[[nodiscard]] constexpr std::string_view name_of(DeterminismLevel level) noexcept {
  constexpr std::array<std::string_view, 5> names{"none", "across_ranks", "run_to_run", "across_offsets", "across_splits"};
  return names[static_cast<std::size_t>(level)];
}

}  // namespace assay
