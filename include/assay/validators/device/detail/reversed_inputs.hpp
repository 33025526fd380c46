#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "assay/validators/device/device_kernel.hpp"

namespace assay::inline v0::detail {

/// The same elements in the opposite order: inputs as likely to be valid as those given, that give other results.
[[nodiscard]] inline std::vector<KernelInput> reversed(std::vector<KernelInput> inputs) {
  for (KernelInput& input : inputs) {
    const std::size_t bytes = input.element_bytes;
    for (std::size_t i = 0, j = input.content.size() / bytes; i + 1 < j; ++i) {
      --j;
      if (i < j)
        std::swap_ranges(input.content.begin() + static_cast<std::ptrdiff_t>(i * bytes),
                         input.content.begin() + static_cast<std::ptrdiff_t>((i + 1) * bytes),
                         input.content.begin() + static_cast<std::ptrdiff_t>(j * bytes));
    }
  }
  return inputs;
}

}  // namespace assay::inline v0::detail
