#pragma once

#include <new>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {
inline namespace ASSAY_DETAIL_EXCEPTIONS {

/// `work()`, or `refusal()` where it ran out of the host's memory. Without exceptions that ends the program.
template <class Work, class Refusal>
[[nodiscard]] auto unless_out_of_memory(const Work& work, [[maybe_unused]] const Refusal& refusal) -> decltype(work()) {
#if defined(__cpp_exceptions)
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return refusal();
  }
#else
  return work();
#endif
}

}  // namespace ASSAY_DETAIL_EXCEPTIONS
}  // namespace assay::inline v0::detail
