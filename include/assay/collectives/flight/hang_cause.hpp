#pragma once

#include <cstdint>
#include <string_view>

#include "assay/core/enum_name.hpp"

namespace assay::inline v0 {

/// What keeps ranks waiting.
enum class HangCause : std::uint8_t {
  none,                  ///< nobody waits, and all calls match
  mismatched_calls,      ///< ranks call different operations, or one with different arguments or in another order
  rank_died,             ///< a process is no more
  never_entered,         ///< a rank did not come to the operation
  no_record,             ///< all that are known came, and of others there is no record: they may have come or not
  failed,                ///< a rank came back from the operation with an error
  still_inside,          ///< a rank has not got through an operation that others have left
  all_inside,            ///< all ranks came, and none gets through: the runtime, or the network
  communicators_crossed  ///< ranks wait for each other in different communicators
};

/// The name in reports.
[[nodiscard]] constexpr std::string_view name_of(HangCause cause) noexcept {
  return enum_name(cause);
}

}  // namespace assay::inline v0
