#pragma once

#include <cstddef>
#include <vector>

#include "assay/plugin/plugin_request.hpp"

namespace assay::inline v0 {

/// Bytes of the host that a buffer of a device takes, from `offset` of it on.
struct StagedBlock {
  unsigned char *begin = nullptr, *end = nullptr;  ///< of the host
  std::size_t offset = 0;                          ///< of `begin` in the buffer, in bytes

  /// What is copied.
  [[nodiscard]] std::size_t bytes() const { return static_cast<std::size_t>(end - begin); }
  /// Of the buffer: at least 64, since none may be empty.
  [[nodiscard]] std::size_t buffer_bytes() const { return offset + bytes() < 64 ? 64 : offset + bytes(); }
};

/// Where an operand's first element lies.
struct StagedPlace {
  std::size_t block = 0;   ///< among those of the plan
  std::size_t offset = 0;  ///< in bytes from the beginning of the block's buffer
  bool present = false;    ///< whether there is anything of it
};

/// Which bytes of the host are copied to memory that a kernel can read and write, and back after the launch: each
/// operand with the guards about it, those that overlap as one block. An operand that begins at a boundary of 64 bytes
/// begins at one of `alignment` bytes in its buffer, and others as far behind one: what a kernel may assume of
/// alignment is what the host's operand has.
///
/// For devices whose memory the host does not see, and for kernels in other processes. Whatever a kernel writes into
/// the guards comes back with them, and is found as if it had run on the host.
struct StagingPlan {
  std::vector<StagedBlock> blocks;  ///< none of which overlaps another
  std::vector<StagedPlace> places;  ///< one a tensor of the request
};

/// The plan of a request. Precondition: `alignment` is a power of two, 64 or more. O(n²) in the tensors.
[[nodiscard]] StagingPlan plan_staging(const PluginRequest& request, std::size_t alignment);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/plugin/staging_plan.ipp"
#endif
