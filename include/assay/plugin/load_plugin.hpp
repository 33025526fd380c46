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
#include "assay/suite/detail/single_process.hpp"
#endif

namespace assay::inline v0 {

/// How a plugin is loaded.
struct PluginLoading {
  std::vector<std::string> operations;  ///< that its kernels may be of; none: all
  /// Load it in a forked process first, so that one that crashes, ends its process or hangs while it is loaded is an error here. Threads that this
  /// process has are not in the other.
  bool probe = true;
  double probe_seconds = 60;  ///< until that process is killed
  /// A name that this program has, too, as cblas_sgemm where it links a BLAS, is the plugin's own, and that of the libraries it needs; else its
  /// kernels would call the program's (glibc; elsewhere names are a library's own anyway). For programs all of whose units are compiled with
  /// -fPIC: in others the plugin would not have the program's std::cout.
  bool own_names = false;
};

#if defined(__unix__) || defined(__APPLE__)
namespace detail {

/// What the library at a path describes. It is loaded here.
[[nodiscard]] inline Result<ReadPlugin> read_library(const std::string& path, const std::string& source, const PluginLoading& loading) {
  const SingleProcess forked_by_the_plugin_ends;
  const auto entry = plugin_entry(path, source, loading.own_names);
  if (!entry) return entry.propagate();
  const assay_plugin* described = nullptr;
#if defined(__cpp_exceptions)
  try {
    described = entry.value()(ASSAY_PLUGIN_ABI);
  } catch (...) {
    return failure(ErrorKind::device, source + ": its entry threw an exception, which must not leave a plugin");
  }
#else
  described = entry.value()(ASSAY_PLUGIN_ABI);
#endif
  return read_plugin(described, source, loading.operations);
}

/// The same, loaded in another process, as `encode_description` writes it.
[[nodiscard]] inline Result<std::string> described_in_child(const std::string& path, const std::string& source,
                                                            const PluginLoading& loading) {
  auto described = try_in_child(
      [&]() -> Result<std::string> {
        const auto read = read_library(path, source, loading);
        if (!read) return read.propagate();
        return encode_description(read.value());
      },
      loading.probe_seconds);
  if (described || described.error().message.rfind(source, 0) == 0) return described;
  return failure(described.error().kind, source + ": " + described.error().message);
}

}  // namespace detail
#endif

/// Loads a shared library and what it describes by `assay_plugin_entry`. A path without '/' is one of the current folder, not of the system's libraries. The
/// library is never unloaded: what its kernels started may still be running.
///
/// Errors, each naming the file: `not_found` if it is not there; `io` if it cannot be loaded, with the system's reason (no library, another processor's, a library that it
/// needs); `malformed` if it exports no entry, or as of `describe_plugin`; `unsupported` for another ABI, and where libraries cannot be loaded; `device` if it crashed, threw or ended the process; `timed_out`.
[[nodiscard]] inline Result<std::shared_ptr<const LoadedPlugin>> load_plugin(const std::string& path, const PluginLoading& loading = {}) {
#if defined(__unix__) || defined(__APPLE__)
  const std::string source = "plugin " + path;
  if (auto there = detail::check_library_file(path, source); !there) return there.propagate();
  if (loading.probe)
    if (const auto tried = detail::described_in_child(path, source, loading); !tried) return tried.propagate();
  auto read = detail::read_library(path, source, loading);
  if (!read) return read.propagate();
  return std::shared_ptr<const LoadedPlugin>(std::make_shared<LoadedPlugin>(std::move(read).value()));
#else
  static_cast<void>(loading);
  return failure(ErrorKind::unsupported, "plugin " + path + ": shared libraries are loaded on POSIX systems only");
#endif
}

/// What a shared library describes, learnt from a forked process that loads it, whatever `PluginLoading::probe` says. This process does
/// not: neither its constructors nor what they start are here, and its kernels refuse to run (`device`). For programs whose workers load it.
///
/// Errors: as of `load_plugin`.
[[nodiscard]] inline Result<std::shared_ptr<const LoadedPlugin>> describe_plugin_file(const std::string& path,
                                                                                      const PluginLoading& loading = {}) {
#if defined(__unix__) || defined(__APPLE__)
  const std::string source = "plugin " + path;
  if (auto there = detail::check_library_file(path, source); !there) return there.propagate();
  const auto described = detail::described_in_child(path, source, loading);
  if (!described) return described.propagate();
  auto read = detail::decode_description(described.value(), source, loading.operations);
  if (!read) return read.propagate();
  return std::shared_ptr<const LoadedPlugin>(std::make_shared<LoadedPlugin>(std::move(read).value()));
#else
  return load_plugin(path, loading);
#endif
}

}  // namespace assay::inline v0
