#pragma once

#include "assay/frameworks/onnx_runtime/find_onnx_runtime.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <vector>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

[[nodiscard]] inline std::vector<std::filesystem::path> sorted_entries(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> entries;
  std::error_code code;
  for (std::filesystem::directory_iterator at(folder, code), end; !code && at != end; at.increment(code))
    entries.push_back(at->path());
  std::sort(entries.begin(), entries.end());
  return entries;
}

[[nodiscard]] inline bool begins_with(const std::filesystem::path& path, const char* start) {
  return path.filename().string().rfind(start, 0) == 0;
}

/// The library in a folder itself, or in a Python package below it.
[[nodiscard]] inline std::string onnx_runtime_in(const std::filesystem::path& folder) {
  std::string found;
  for (const auto& path : sorted_entries(folder))
    if (begins_with(path, "libonnxruntime.so")) found = path.string();
  if (!found.empty()) return found;
  std::vector<std::filesystem::path> packages{folder, folder / "capi", folder / "onnxruntime" / "capi"};
  for (const auto& lib : {folder / "lib", folder})
    for (const auto& path : sorted_entries(lib))
      if (begins_with(path, "python3"))
        for (const char* kind : {"site-packages", "dist-packages"})
          packages.push_back(path / kind / "onnxruntime" / "capi");
  for (const auto& package : packages)
    for (const auto& path : sorted_entries(package))
      if (begins_with(path, "libonnxruntime.so")) found = path.string();
  return found;
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE Result<std::string> find_onnx_runtime() {
  std::error_code code;
  if (const char* const named = std::getenv("ASSAY_ONNXRUNTIME"); named != nullptr && *named != '\0') {
    const std::filesystem::path path(named);
    if (std::filesystem::is_regular_file(path, code)) return path.string();
    const std::string found = detail::onnx_runtime_in(path);
    if (!found.empty()) return found;
    return failure(ErrorKind::not_found, "ASSAY_ONNXRUNTIME is " + path.string() +
                                             ", and there is no libonnxruntime.so; name the file, the package's folder "
                                             "or the Python environment that has it");
  }
  std::vector<std::filesystem::path> folders;
  if (const char* const environment = std::getenv("VIRTUAL_ENV"); environment != nullptr && *environment != '\0')
    folders.emplace_back(environment);
  if (const char* const home = std::getenv("HOME"); home != nullptr && *home != '\0')
    folders.push_back(std::filesystem::path(home) / ".local");
  for (const char* place : {"/usr/local", "/usr", "/usr/lib/python3/dist-packages", "/usr/local/lib", "/usr/lib64",
                            "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu"})
    folders.emplace_back(place);
  for (const auto& folder : folders)
    if (std::string found = detail::onnx_runtime_in(folder); !found.empty()) return found;
  return failure(ErrorKind::unsupported,
                 "ONNX Runtime is not here: pip install onnxruntime in an environment that is active, or set "
                 "ASSAY_ONNXRUNTIME to libonnxruntime.so or the environment's folder");
}

}  // namespace assay::inline v0
