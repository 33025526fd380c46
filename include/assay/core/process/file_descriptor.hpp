#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

#include "assay/core/result.hpp"

namespace assay::inline v0::detail {

/// Owns a descriptor of an open file, closed by the destructor and in every program that is executed.
class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int number) noexcept : number_(number) {}
  FileDescriptor(FileDescriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~FileDescriptor() {
    if (number_ >= 0) ::close(number_);
  }

  [[nodiscard]] int number() const noexcept { return number_; }
  [[nodiscard]] explicit operator bool() const noexcept { return number_ >= 0; }

 private:
  int number_ = -1;
};

[[nodiscard]] inline Failure system_failure(const std::string& what) {
  const int code = errno;
  return failure(code == ENOMEM || code == ENOBUFS ? ErrorKind::out_of_memory : ErrorKind::io,
                 what + ": " + std::strerror(code));
}

/// Two ends of a stream of bytes in both directions.
[[nodiscard]] Result<std::pair<FileDescriptor, FileDescriptor>> open_channel();

/// A file without a name, to which every writer appends.
[[nodiscard]] Result<FileDescriptor> open_nameless_file();

/// send() without the signal for a reader that has gone. −1 with errno set on failure, EINTR excluded.
[[nodiscard]] ssize_t send_some(int descriptor, const char* bytes, std::size_t size, bool wait);

/// recv(); 0 at the end of the stream, −1 with errno set on failure, EINTR excluded.
[[nodiscard]] inline ssize_t receive_some(int descriptor, char* bytes, std::size_t size, bool wait) {
  ssize_t received = 0;
  do received = ::recv(descriptor, bytes, size, wait ? 0 : MSG_DONTWAIT);
  while (received < 0 && errno == EINTR);
  return received;
}

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/core/process/file_descriptor.ipp"
#endif
