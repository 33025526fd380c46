#pragma once

#include <cstddef>

namespace assay::inline v0 {

/// What was copied between the host and a device since the count began: who promises to validate in place can show it.
struct TransferCount {
  std::size_t copies_to_device = 0;  ///< how many copies were submitted
  std::size_t copies_to_host = 0;    ///< how many copies were submitted
  std::size_t bytes_to_device = 0;   ///< their bytes
  std::size_t bytes_to_host = 0;     ///< their bytes
};

}  // namespace assay::inline v0
