#pragma once

#include "assay/core/process/file_descriptor.hpp"

#include <cstdlib>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

/// Moves a descriptor above those of the standard streams, where a program that has closed them would get it.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE FileDescriptor above_standard_streams(FileDescriptor descriptor) {
  if (!descriptor || descriptor.number() > STDERR_FILENO) return descriptor;
  return FileDescriptor(::fcntl(descriptor.number(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
}

ASSAY_DETAIL_HEADER_INLINE Result<std::pair<FileDescriptor, FileDescriptor>> open_channel() {
  int ends[2];
#if defined(SOCK_CLOEXEC)
  const int opened = ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends);
#else
  const int opened = ::socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
#endif
  if (opened != 0) return system_failure("no channel to a worker could be opened");
  FileDescriptor first = above_standard_streams(FileDescriptor(ends[0])),
                 second = above_standard_streams(FileDescriptor(ends[1]));
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

ASSAY_DETAIL_HEADER_INLINE Result<FileDescriptor> open_nameless_file() {
#if defined(MFD_CLOEXEC)
  FileDescriptor file(::memfd_create("output of a worker", MFD_CLOEXEC));
#else
  const char* folder = std::getenv("TMPDIR");
  std::string path = std::string(folder != nullptr && *folder != '\0' ? folder : "/tmp") + "/assay-XXXXXX";
  FileDescriptor file(::mkstemp(path.data()));
  if (file) ::unlink(path.c_str());
#endif
  file = above_standard_streams(std::move(file));
  if (!file || ::fcntl(file.number(), F_SETFD, FD_CLOEXEC) != 0 ||
      ::fcntl(file.number(), F_SETFL, O_APPEND | O_RDWR) != 0)
    return system_failure("no file for the output of a worker could be opened");
  return Result<FileDescriptor>(std::move(file));
}

ASSAY_DETAIL_HEADER_INLINE ssize_t send_some(int descriptor, const char* bytes, std::size_t size, bool wait) {
  int flags = wait ? 0 : MSG_DONTWAIT;
#if defined(MSG_NOSIGNAL)
  flags |= MSG_NOSIGNAL;
#endif
  ssize_t sent = 0;
  do sent = ::send(descriptor, bytes, size, flags);
  while (sent < 0 && errno == EINTR);
  return sent;
}

}  // namespace assay::inline v0::detail
