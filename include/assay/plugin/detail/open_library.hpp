#pragma once

#include <dlfcn.h>

#include <string>

#include "assay/core/result.hpp"
#include "assay/plugin/plugin.h"

namespace assay::inline v0::detail {

/// So that what is wrong with the path is told in words of ours.
[[nodiscard]] Result<void> check_library_file(const std::string& path, const std::string& source);

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define ASSAY_DETAIL_NO_DEEPBIND
#endif
#endif
#if !defined(RTLD_DEEPBIND) || defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define ASSAY_DETAIL_NO_DEEPBIND
#endif

/// How libraries are opened. Sanitizers refuse names of their own.
[[nodiscard]] inline int library_mode([[maybe_unused]] bool own_names) {
#if defined(ASSAY_DETAIL_NO_DEEPBIND)
  return RTLD_NOW | RTLD_LOCAL;
#else
  return RTLD_NOW | RTLD_LOCAL | (own_names ? RTLD_DEEPBIND : 0);
#endif
}
#undef ASSAY_DETAIL_NO_DEEPBIND

/// The entry of the library, which stays loaded for good.
[[nodiscard]] Result<assay_plugin_entry_function> plugin_entry(const std::string& path, const std::string& source,
                                                               bool own_names = false);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/plugin/detail/open_library.ipp"
#endif
