#pragma once

#include "assay/plugin/load_plugin.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

#if defined(__unix__) || defined(__APPLE__)
/// What a plugin describes; one that knows no later version is asked for the older one.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE const assay_plugin* description_by(assay_plugin_entry_function entry) {
  constexpr std::uint32_t last_of_version_1 = (1U << 16) | 1U;
  const assay_plugin* const described = entry(ASSAY_PLUGIN_ABI);
  return described != nullptr ? described : entry(last_of_version_1);
}

/// What the library at a path describes. It is loaded here.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE Result<ReadPlugin> read_library(const std::string& path,
                                                                         const std::string& source,
                                                                         const PluginLoading& loading) {
  const SingleProcess forked_by_the_plugin_ends;
  const auto entry = plugin_entry(path, source, loading.own_names);
  if (!entry) return entry.propagate();
  const assay_plugin* described = nullptr;
#if defined(__cpp_exceptions)
  try {
    described = description_by(entry.value());
  } catch (...) {
    return failure(ErrorKind::device, source + ": its entry threw an exception, which must not leave a plugin");
  }
#else
  described = description_by(entry.value());
#endif
  return read_plugin(described, source, loading.operations);
}

/// The same, loaded in another process, as `encode_description` writes it.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE Result<std::string> described_in_child(const std::string& path,
                                                                                const std::string& source,
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

#endif

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE Result<std::shared_ptr<const LoadedPlugin>> load_plugin(const std::string& path,
                                                                                   const PluginLoading& loading) {
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

ASSAY_DETAIL_HEADER_INLINE Result<std::shared_ptr<const LoadedPlugin>> describe_plugin_file(
    const std::string& path, const PluginLoading& loading) {
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
