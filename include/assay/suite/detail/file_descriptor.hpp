#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
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
  return failure(code == ENOMEM || code == ENOBUFS ? ErrorKind::out_of_memory : ErrorKind::io, what + ": " + std::strerror(code));
}

/// Moves a descriptor above those of the standard streams, where a program that has closed them would get it.
[[nodiscard]] inline FileDescriptor above_standard_streams(FileDescriptor descriptor) {
  if (!descriptor || descriptor.number() > STDERR_FILENO) return descriptor;
  return FileDescriptor(::fcntl(descriptor.number(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
}

/// Two ends of a stream of bytes in both directions.
[[nodiscard]] inline Result<std::pair<FileDescriptor, FileDescriptor>> open_channel() {
  int ends[2];
#if defined(SOCK_CLOEXEC)
  const int opened = ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends);
#else
  const int opened = ::socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
#endif
  if (opened != 0) return system_failure("no channel to a worker could be opened");
  FileDescriptor first = above_standard_streams(FileDescriptor(ends[0])), second = above_standard_streams(FileDescriptor(ends[1]));
  if (!first || !second) return system_failure("no channel to a worker could be opened");
  for (const int end : {first.number(), second.number()}) {
    ::fcntl(end, F_SETFD, FD_CLOEXEC);
#if defined(SO_NOSIGPIPE)
    const int yes = 1;
    ::setsockopt(end, SOL_SOCKET, SO_NOSIGPIPE, &yes, sizeof yes);
#endif
  }
  return std::pair{std::move(first), std::move(second)};
}

/// A file without a name, to which every writer appends.
[[nodiscard]] inline Result<FileDescriptor> open_nameless_file() {
#if defined(MFD_CLOEXEC)
  FileDescriptor file(::memfd_create("output of a worker", MFD_CLOEXEC));
#else
  const char* folder = std::getenv("TMPDIR");
  std::string path = std::string(folder != nullptr && *folder != '\0' ? folder : "/tmp") + "/assay-XXXXXX";
  FileDescriptor file(::mkstemp(path.data()));
  if (file) ::unlink(path.c_str());
#endif
  file = above_standard_streams(std::move(file));
  if (!file || ::fcntl(file.number(), F_SETFD, FD_CLOEXEC) != 0 || ::fcntl(file.number(), F_SETFL, O_APPEND | O_RDWR) != 0)
    return system_failure("no file for the output of a worker could be opened");
  return file;
}

/// send() without the signal for a reader that has gone. −1 with errno set on failure, EINTR excluded.
[[nodiscard]] inline ssize_t send_some(int descriptor, const char* bytes, std::size_t size, bool wait) {
  int flags = wait ? 0 : MSG_DONTWAIT;
#if defined(MSG_NOSIGNAL)
  flags |= MSG_NOSIGNAL;
#endif
  ssize_t sent = 0;
  do sent = ::send(descriptor, bytes, size, flags);
  while (sent < 0 && errno == EINTR);
  return sent;
}

/// recv(); 0 at the end of the stream, −1 with errno set on failure, EINTR excluded.
[[nodiscard]] inline ssize_t receive_some(int descriptor, char* bytes, std::size_t size, bool wait) {
  ssize_t received = 0;
  do received = ::recv(descriptor, bytes, size, wait ? 0 : MSG_DONTWAIT);
  while (received < 0 && errno == EINTR);
  return received;
}

}  // namespace assay::inline v0::detail
