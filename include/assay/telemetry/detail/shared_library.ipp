#pragma once

#include "assay/telemetry/detail/shared_library.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE Result<SharedLibrary> SharedLibrary::open(const std::string& path,
                                                                     std::initializer_list<const char*> names) {
  std::string why;
  const auto load = [&](const char* name) {
    void* const handle = ::dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) why += (why.empty() ? "" : "; ") + std::string(::dlerror());
    return handle;
  };
  if (!path.empty()) {
    if (void* const handle = load(path.c_str())) return SharedLibrary(handle);
  } else {
    for (const char* name : names)
      if (void* const handle = load(name)) return SharedLibrary(handle);
  }
  return failure(ErrorKind::unsupported, why + "; install the driver's library, or set LD_LIBRARY_PATH to its folder");
}

}  // namespace assay::inline v0::detail
