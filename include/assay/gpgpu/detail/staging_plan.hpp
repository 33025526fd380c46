#pragma once

#include <cstddef>
#include <vector>

#include "assay/plugin/plugin_request.hpp"

namespace assay::inline v0::detail {

/// Bytes of the host that a buffer of a device takes, from `offset` of it on.
struct StagedBlock {
  unsigned char *begin, *end;
  std::size_t offset = 0;

  [[nodiscard]] std::size_t bytes() const { return static_cast<std::size_t>(end - begin); }
  /// Of the buffer: at least 64, since none may be empty.
  [[nodiscard]] std::size_t buffer_bytes() const { return offset + bytes() < 64 ? 64 : offset + bytes(); }
};

/// Where an operand's first element lies.
struct StagedPlace {
  std::size_t block = 0;
  std::size_t offset = 0;  ///< in bytes from the beginning of the block's buffer
  bool present = false;    ///< whether there is anything of it
};

/// Which bytes of the host are copied to a device around a launch: each operand with the guards about it, those that
/// overlap as one block. An operand that begins at a boundary of 64 bytes begins at one of `alignment` bytes on the
/// device, and others as far behind one.
struct StagingPlan {
  std::vector<StagedBlock> blocks;
  std::vector<StagedPlace> places;  ///< one a tensor of the request
};

/// Precondition: `alignment` is a power of two, 64 or more.
[[nodiscard]] StagingPlan plan_staging(const PluginRequest& request, std::size_t alignment);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/gpgpu/detail/staging_plan.ipp"
#endif
