#pragma once

#include <cstddef>

namespace assay::inline v0 {

/// What was copied between the host and a device since the count began: who promises to validate in place can show it.
struct TransferCount {
  std::size_t copies_to_device = 0;
  std::size_t copies_to_host = 0;
  std::size_t bytes_to_device = 0;
  std::size_t bytes_to_host = 0;
};

}  // namespace assay::inline v0
