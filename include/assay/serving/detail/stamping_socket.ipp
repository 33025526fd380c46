#pragma once

#include "assay/serving/detail/stamping_socket.hpp"

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include <ctime>

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE bool next_is_stamped(int socket) {
  char byte = 0;
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(timespec))];
  iovec part{&byte, sizeof byte};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  pollfd ready{socket, POLLIN, 0};
  return ::send(socket, &byte, sizeof byte, 0) == 1 && ::poll(&ready, 1, 5) == 1 &&
         ::recvmsg(socket, &message, MSG_DONTWAIT) == 1 && CMSG_FIRSTHDR(&message) != nullptr;
}

ASSAY_DETAIL_HEADER_INLINE FileDescriptor open_stamping_socket() {
  FileDescriptor socket(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  const int one = 1;
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* const own = reinterpret_cast<sockaddr*>(&address);
  if (!socket || ::setsockopt(socket.number(), SOL_SOCKET, SO_TIMESTAMPNS, &one, sizeof one) != 0 ||
      ::bind(socket.number(), own, size) != 0 || ::getsockname(socket.number(), own, &size) != 0 ||
      ::connect(socket.number(), own, size) != 0)
    return {};
  for (int attempt = 0; attempt < 40; ++attempt) {
    if (next_is_stamped(socket.number())) return socket;
    const timespec pause{0, 5'000'000};
    ::nanosleep(&pause, nullptr);
  }
  return {};
}

}  // namespace assay::inline v0::detail
