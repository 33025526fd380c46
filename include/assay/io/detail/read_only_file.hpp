#pragma once

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <system_error>

#include "assay/core/result.hpp"

namespace assay::inline v0::detail {

/// A regular file that is read at any position, from several threads at once.
class ReadOnlyFile {
 public:
  /// Errors: `not_found`, `io` (a directory, a pipe, not readable).
  [[nodiscard]] static Result<ReadOnlyFile> open(const std::string& path) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);  // a pipe must not make us wait
    if (descriptor < 0) {
      if (errno == ENOENT) return failure(ErrorKind::not_found, path + ": no such file");
      return failure(ErrorKind::io, path + ": " + std::generic_category().message(errno));
    }
    ReadOnlyFile file(descriptor);
    struct stat status {};
    if (::fstat(descriptor, &status) != 0) return failure(ErrorKind::io, path + ": " + std::generic_category().message(errno));
    if (S_ISDIR(status.st_mode)) return failure(ErrorKind::io, path + " is a directory; name a file in it");
    if (!S_ISREG(status.st_mode)) return failure(ErrorKind::io, path + " is not a regular file; copy its contents into one");
    file.size_ = static_cast<std::size_t>(status.st_size);
    return file;
  }

  /// Bytes when it was opened.
  [[nodiscard]] std::size_t size() const { return size_; }

  /// Whether all `count` bytes from `position` could be read.
  [[nodiscard]] bool read(std::size_t position, void* destination, std::size_t count) const {
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

 private:
  struct Descriptor {
    int number;
    explicit Descriptor(int open) : number(open) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() { ::close(number); }
  };

  explicit ReadOnlyFile(int descriptor) : descriptor_(std::make_shared<Descriptor>(descriptor)) {}

  std::shared_ptr<Descriptor> descriptor_;
  std::size_t size_ = 0;
};

}  // namespace assay::inline v0::detail
