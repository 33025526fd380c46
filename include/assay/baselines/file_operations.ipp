#pragma once

#include "assay/baselines/file_operations.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE int PosixFileOperations::write(int descriptor, std::string_view bytes) const {
  while (!bytes.empty()) {
    const ::ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    if (written == 0) return ENOSPC;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

ASSAY_DETAIL_HEADER_INLINE int PosixFileOperations::synchronize_folder(const std::string& path) const {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return errno;
  const int cause = ::fsync(descriptor) == 0 ? 0 : errno;
  ::close(descriptor);
  return cause;
}

ASSAY_DETAIL_HEADER_INLINE int PosixFileOperations::read(const std::string& path, std::string& content) const {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return errno;
  const int cause = read_all(descriptor, content);
  ::close(descriptor);
  return cause;
}

ASSAY_DETAIL_HEADER_INLINE int PosixFileOperations::list(const std::string& path,
                                                         std::vector<std::string>& names) const {
  names.clear();
  ::DIR* folder = ::opendir(path.c_str());
  if (folder == nullptr) return errno;
  errno = 0;
  for (const ::dirent* entry = ::readdir(folder); entry != nullptr; entry = ::readdir(folder)) {
    const std::string name = entry->d_name;
    if (name != "." && name != "..") names.push_back(name);
    errno = 0;
  }
  const int cause = errno;
  ::closedir(folder);
  return cause;
}

ASSAY_DETAIL_HEADER_INLINE int PosixFileOperations::read_all(int descriptor, std::string& content) {
  struct ::stat status {};
  if (::fstat(descriptor, &status) != 0) return errno;
  if (S_ISDIR(status.st_mode)) return EISDIR;
  content.resize(static_cast<std::size_t>(status.st_size) + 1);  // one more, to see the end in the same call
  std::size_t filled = 0;
  for (;;) {
    if (filled == content.size()) content.resize(2 * content.size());
    const ::ssize_t count = ::read(descriptor, content.data() + filled, content.size() - filled);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno;
    if (count == 0) break;
    filled += static_cast<std::size_t>(count);
  }
  content.resize(filled);
  return 0;
}

}  // namespace assay::inline v0
