#pragma once

#include "assay/report/write_file.hpp"

#include <cerrno>
#include <chrono>
#include <system_error>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

/// Writes, flushes to the medium and closes. Returns errno of the first step that failed, 0 if none did.
ASSAY_DETAIL_HEADER_INLINE int write_and_close(std::FILE* file, std::string_view content,
                                               [[maybe_unused]] bool to_medium) {
  int cause = 0;
  errno = 0;
  if (std::fwrite(content.data(), 1, content.size(), file) != content.size() || std::fflush(file) != 0)
    cause = errno != 0 ? errno : EIO;
#if __has_include(<unistd.h>)
  if (cause == 0 && to_medium && ::fsync(::fileno(file)) != 0) cause = errno;
#endif
  if (std::fclose(file) != 0 && cause == 0) cause = errno != 0 ? errno : EIO;
  return cause;
}

ASSAY_DETAIL_HEADER_INLINE void synchronize_folder([[maybe_unused]] const std::filesystem::path& folder) {
#if __has_include(<unistd.h>)
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return;
  static_cast<void>(::fsync(descriptor));
  ::close(descriptor);
#endif
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE Result<void> write_file(const std::filesystem::path& path, std::string_view content) {
  namespace fs = std::filesystem;
  const auto refused = [&](const std::string& why) {
    return failure(ErrorKind::io,
                   "cannot write '" + path.string() + "' (" + std::to_string(content.size()) + " bytes): " + why);
  };
  if (path.empty()) return refused("the path is empty; name a file");

  std::error_code code;
  const fs::file_status status = fs::status(path, code);
  if (fs::is_directory(status)) return refused("it is a folder; name a file in it");
  const bool present = fs::exists(status);
  if (present && !fs::is_regular_file(status)) {
    std::FILE* file = std::fopen(path.string().c_str(), "wb");
    const int cause = file == nullptr ? errno : detail::write_and_close(file, content, false);
    return cause == 0 ? Result<void>() : refused(std::strerror(cause));
  }

  const fs::path target = present ? fs::canonical(path, code) : path;
  if (code && present) return refused(code.message());
  const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
  if (!fs::is_directory(folder, code))
    return refused("the folder '" + folder.string() + "' does not exist; create it first");

  auto distinct = static_cast<unsigned long long>(std::chrono::steady_clock::now().time_since_epoch().count());
  fs::path temporary;
  std::FILE* file = nullptr;
  for (int attempt = 0; file == nullptr && attempt < 16; ++attempt) {
    temporary = folder / (".assay-" + std::to_string(distinct++) + ".tmp");
    file = std::fopen(temporary.string().c_str(), "wbx");
    if (file == nullptr && errno != EEXIST) break;
  }
  if (file == nullptr)
    return refused(std::string("no file can be made in '") + folder.string() + "': " + std::strerror(errno));

  if (const int cause = detail::write_and_close(file, content, true); cause != 0) {
    fs::remove(temporary, code);
    return refused(std::strerror(cause));
  }
  if (present) fs::permissions(temporary, status.permissions(), code);
  std::error_code renamed;
  fs::rename(temporary, target, renamed);
  if (renamed) {
    fs::remove(temporary, code);
    return refused("renaming the finished file failed: " + renamed.message());
  }
  detail::synchronize_folder(folder);
  return {};
}

}  // namespace assay::inline v0
