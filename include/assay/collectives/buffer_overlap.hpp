#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "assay/collectives/collective_call.hpp"

namespace assay::inline v0 {

namespace detail {

/// Where in the other buffer this rank's data stand when the call is in place, in elements from its begin; and whether
/// it is the send buffer that is within the receive buffer.
struct InPlaceForm {
  bool allowed = false;
  bool send_within_receive = true;
  Index offset = 0;
};

}  // namespace detail

/// Why the buffers of a call may not lie as they do: they overlap in another way than in place (see `CollectiveCall`),
/// or blocks that an all_to_all_v writes do. Errors: `invalid`, naming rank and field. Precondition: `check_call` found
/// nothing. O(1), O(n log n) for all_to_all_v.
[[nodiscard]] Result<void> check_overlap(const CollectiveCall& call, int rank, int size);

/// `check_call` and `check_overlap`.
[[nodiscard]] inline Result<void> check_call_and_buffers(const CollectiveCall& call, int rank, int size) {
  if (auto checked = check_call(call, rank, size); !checked) return checked;
  return check_overlap(call, rank, size);
}

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/collectives/buffer_overlap.ipp"
#endif
