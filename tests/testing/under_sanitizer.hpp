#pragma once

namespace assay::testing {

/// Whether the program was built with the address or thread sanitizer, under which all takes its time.
[[nodiscard]] constexpr bool under_sanitizer() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return true;
#elif defined(__has_feature)
  return __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
  return false;
#endif
}

}  // namespace assay::testing
