#pragma once

#include <dlfcn.h>

#include <filesystem>
#include <string>
#include <system_error>

#include "assay/core/result.hpp"
#include "assay/plugin/plugin.h"

namespace assay::inline v0::detail {

/// So that what is wrong with the path is told in words of ours.
[[nodiscard]] inline Result<void> check_library_file(const std::string& path, const std::string& source) {
  std::error_code code;
  const std::filesystem::file_status status = std::filesystem::status(path, code);
  if (path.empty() || !std::filesystem::exists(status))
    return failure(ErrorKind::not_found, source + ": there is no such file; give the path of a shared library");
  if (std::filesystem::is_directory(status)) return failure(ErrorKind::io, source + ": it is a folder; give the path of a shared library");
  return {};
}

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
[[nodiscard]] inline Result<assay_plugin_entry_function> plugin_entry(const std::string& path, const std::string& source,
                                                                      bool own_names = false) {
  const std::string place = path.find('/') == std::string::npos ? "./" + path : path;
  void* const library = ::dlopen(place.c_str(), library_mode(own_names));
  if (library == nullptr) {
    const char* const reason = ::dlerror();
    return failure(ErrorKind::io,
                   source + ": it cannot be loaded as a shared library: " + (reason != nullptr ? reason : "no reason was given"));
  }
  void* const symbol = ::dlsym(library, ASSAY_PLUGIN_ENTRY);
  if (symbol == nullptr)
    return failure(ErrorKind::malformed, source + ": it exports no " ASSAY_PLUGIN_ENTRY
                                                  "; define it as assay/plugin/plugin.h declares it, with C linkage and visible");
  return reinterpret_cast<assay_plugin_entry_function>(symbol);
}

}  // namespace assay::inline v0::detail
