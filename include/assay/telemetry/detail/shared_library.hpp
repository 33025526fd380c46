#pragma once

#include <dlfcn.h>

#include <cstdint>
#include <string>
#include <utility>

#include "assay/core/result.hpp"

namespace assay::inline v0::detail {

/// A library of the system that is loaded when it is asked for, and stays loaded: vendors' libraries start threads.
class SharedLibrary {
 public:
  /// `unsupported` where none of the names can be loaded. A path that was given is the only one that is tried.
  [[nodiscard]] static Result<SharedLibrary> open(const std::string& path, std::initializer_list<const char*> names);

  /// The function of that name; null if the library has none.
  template <class Function>
  void find(Function*& function, const char* name) const {
    if (void* const symbol = ::dlsym(handle_, name)) function = reinterpret_cast<Function*>(symbol);
  }

 private:
  explicit SharedLibrary(void* handle) : handle_(handle) {}
  void* handle_;
};

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/telemetry/detail/shared_library.ipp"
#endif
