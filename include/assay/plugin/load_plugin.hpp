#pragma once

#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "assay/core/result.hpp"
#include "assay/plugin/loaded_plugin.hpp"
#include "assay/plugin/plugin.h"

#if defined(__unix__) || defined(__APPLE__)
#include "assay/plugin/detail/open_library.hpp"
#include "assay/plugin/detail/plugin_description.hpp"
#include "assay/plugin/detail/try_in_child.hpp"
#include "assay/suite/single_process.hpp"
#endif

namespace assay::inline v0 {

/// How a plugin is loaded.
struct PluginLoading {
  std::vector<std::string> operations;  ///< that its kernels may be of; none: all
  /// Load it in a forked process first, so that one that crashes, ends its process or hangs while it is loaded is an
  /// error here. Threads that this process has are not in the other.
  bool probe = true;
  double probe_seconds = 60;  ///< until that process is killed
  /// A name that this program has, too, as cblas_sgemm where it links a BLAS, is the plugin's own, and that of the
  /// libraries it needs; else its kernels would call the program's (glibc; elsewhere names are a library's own anyway).
  /// For programs all of whose units are compiled with -fPIC: in others the plugin would not have the program's
  /// std::cout.
  bool own_names = false;
};

/// Loads a shared library and what it describes by `assay_plugin_entry`. A path without '/' is one of the current
/// folder, not of the system's libraries. The library is never unloaded: what its kernels started may still be running.
///
/// Errors, each naming the file: `not_found` if it is not there; `io` if it cannot be loaded, with the system's reason
/// (no library, another processor's, a library that it needs); `malformed` if it exports no entry, or as of
/// `describe_plugin`; `unsupported` for another ABI, and where libraries cannot be loaded; `device` if it crashed,
/// threw or ended the process; `timed_out`.
[[nodiscard]] Result<std::shared_ptr<const LoadedPlugin>> load_plugin(const std::string& path,
                                                                      const PluginLoading& loading = {});

/// What a shared library describes, learned from a forked process that loads it, whatever `PluginLoading::probe` says.
/// This process does not: neither its constructors nor what they start are here, and its kernels refuse to run
/// (`device`). For programs whose workers load it.
///
/// Errors: as of `load_plugin`.
[[nodiscard]] Result<std::shared_ptr<const LoadedPlugin>> describe_plugin_file(const std::string& path,
                                                                               const PluginLoading& loading = {});

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/plugin/load_plugin.ipp"
#endif
