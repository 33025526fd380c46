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

/// The entry of the library, which stays loaded for good.
[[nodiscard]] inline Result<assay_plugin_entry_function> plugin_entry(const std::string& path, const std::string& source) {
  const std::string place = path.find('/') == std::string::npos ? "./" + path : path;
  void* const library = ::dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL);
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
