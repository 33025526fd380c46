#pragma once

#include "assay/frameworks/detail/python_environment.hpp"

#include <algorithm>
#include <cstdlib>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE std::vector<std::filesystem::path> sorted_entries(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> entries;
  std::error_code code;
  for (std::filesystem::directory_iterator at(folder, code), end; !code && at != end; at.increment(code))
    entries.push_back(at->path());
  std::sort(entries.begin(), entries.end());
  return entries;
}

ASSAY_DETAIL_HEADER_INLINE std::vector<std::filesystem::path> python_package_folders(
    const std::filesystem::path& environment) {
  std::vector<std::filesystem::path> folders{environment};
  for (const auto& lib : {environment / "lib", environment})
    for (const auto& path : sorted_entries(lib))
      if (path.filename().string().rfind("python3", 0) == 0)
        for (const char* kind : {"site-packages", "dist-packages"}) folders.push_back(path / kind);
  return folders;
}

/// The last of a folder's files, and so the newest by its name.
[[nodiscard]] inline std::string runtime_file_in(const std::filesystem::path& environment, const RuntimeFile& file) {
  std::string found;
  const auto look_in = [&](const std::filesystem::path& folder) {
    if (!found.empty()) return;
    for (const auto& path : sorted_entries(folder))
      if (file.is_it(path.filename().string())) found = path.string();
  };
  look_in(environment);
  for (const auto& packages : python_package_folders(environment))
    for (const std::string& place : file.places) {
      if (place.size() < 2 || place.substr(place.size() - 2) != "/*") {
        look_in(packages / place);
        continue;
      }
      for (const auto& below : sorted_entries(packages / place.substr(0, place.size() - 2))) look_in(below);
    }
  return found;
}

ASSAY_DETAIL_HEADER_INLINE Result<std::string> find_runtime_file(const RuntimeFile& file) {
  std::error_code code;
  if (const char* const named = std::getenv(file.variable); named != nullptr && *named != '\0') {
    const std::filesystem::path path(named);
    if (std::filesystem::is_regular_file(path, code)) return path.string();
    if (const std::string found = runtime_file_in(path, file); !found.empty()) return found;
    return failure(ErrorKind::not_found, std::string(file.variable) + " is " + path.string() + ", and there is no " +
                                             file.library +
                                             "; name the file, the package's folder or the Python environment that has "
                                             "it");
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
    if (std::string found = runtime_file_in(folder, file); !found.empty()) return found;
  return failure(ErrorKind::unsupported, file.what_to_do);
}

}  // namespace assay::inline v0::detail
