#pragma once

#include "assay/io/detail/read_only_file.hpp"

#include <cerrno>
#include <system_error>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE Result<ReadOnlyFile> ReadOnlyFile::open(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);  // a pipe must not make us wait
  if (descriptor < 0) {
    if (errno == ENOENT) return failure(ErrorKind::not_found, path + ": no such file");
    return failure(ErrorKind::io, path + ": " + std::generic_category().message(errno));
  }
  ReadOnlyFile file(descriptor);
  struct stat status {};
  if (::fstat(descriptor, &status) != 0)
    return failure(ErrorKind::io, path + ": " + std::generic_category().message(errno));
  if (S_ISDIR(status.st_mode)) return failure(ErrorKind::io, path + " is a directory; name a file in it");
  if (!S_ISREG(status.st_mode))
    return failure(ErrorKind::io, path + " is not a regular file; copy its contents into one");
  file.size_ = static_cast<std::size_t>(status.st_size);
  return file;
}

ASSAY_DETAIL_HEADER_INLINE bool ReadOnlyFile::read(std::size_t position, void* destination, std::size_t count) const {
  auto* next = static_cast<std::byte*>(destination);
  while (count > 0) {
    const ssize_t got = ::pread(descriptor_->number, next, count, static_cast<off_t>(position));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    next += got;
    position += static_cast<std::size_t>(got);
    count -= static_cast<std::size_t>(got);
  }
  return true;
}

}  // namespace assay::inline v0::detail
