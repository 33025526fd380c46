#pragma once

#include "assay/plugin/detail/open_library.hpp"

#include <filesystem>
#include <system_error>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE Result<void> check_library_file(const std::string& path, const std::string& source) {
  std::error_code code;
  const std::filesystem::file_status status = std::filesystem::status(path, code);
  if (path.empty() || !std::filesystem::exists(status))
    return failure(ErrorKind::not_found, source + ": there is no such file; give the path of a shared library");
  if (std::filesystem::is_directory(status))
    return failure(ErrorKind::io, source + ": it is a folder; give the path of a shared library");
  return {};
}

ASSAY_DETAIL_HEADER_INLINE Result<assay_plugin_entry_function> plugin_entry(const std::string& path,
                                                                            const std::string& source, bool own_names) {
  const std::string place = path.find('/') == std::string::npos ? "./" + path : path;
  void* const library = ::dlopen(place.c_str(), library_mode(own_names));
  if (library == nullptr) {
    const char* const reason = ::dlerror();
    return failure(ErrorKind::io, source + ": it cannot be loaded as a shared library: " +
                                      (reason != nullptr ? reason : "no reason was given"));
  }
  void* const symbol = ::dlsym(library, ASSAY_PLUGIN_ENTRY);
  if (symbol == nullptr)
    return failure(ErrorKind::malformed,
                   source + ": it exports no " ASSAY_PLUGIN_ENTRY
                            "; define it as assay/plugin/plugin.h declares it, with C linkage and visible");
  return reinterpret_cast<assay_plugin_entry_function>(symbol);
}

}  // namespace assay::inline v0::detail
