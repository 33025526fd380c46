#pragma once

#include <dlfcn.h>

namespace assay::inline v0::detail {

/// How frameworks are loaded: their references are to their own functions, though this program has linked libraries
/// with functions of the same names, such as another BLAS. Sanitizers do not bear that.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(RTLD_DEEPBIND)
inline constexpr int own_symbols_first = RTLD_NOW | RTLD_LOCAL;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
inline constexpr int own_symbols_first = RTLD_NOW | RTLD_LOCAL;
#else
inline constexpr int own_symbols_first = RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND;
#endif
#else
inline constexpr int own_symbols_first = RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND;
#endif

}  // namespace assay::inline v0::detail
