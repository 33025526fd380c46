#pragma once

#include "assay/serving/detail/stream_loop.hpp"

#if defined(__linux__)
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>

#include "assay/serving/detail/stamping_socket.hpp"

namespace assay::inline v0::detail {

inline constexpr std::uint64_t timer_slot = ~std::uint64_t{0};

inline std::int64_t clock_ns(clockid_t clock) noexcept {
  timespec time{};
  clock_gettime(clock, &time);
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

ASSAY_DETAIL_HEADER_INLINE Result<void> StreamLoop::open() {
  addrinfo hints{}, *found = nullptr;
  hints.ai_socktype = SOCK_STREAM;
  if (const int code = getaddrinfo(server_.host.c_str(), std::to_string(server_.port).c_str(), &hints, &found);
      code != 0)
    return failure(ErrorKind::not_found, "'" + server_.host + "' has no address: " + gai_strerror(code));
  address_.assign(reinterpret_cast<const char*>(found->ai_addr), found->ai_addrlen);
  family_ = found->ai_family;
  freeaddrinfo(found);
  if (server_.secure) {
    auto context = TlsContext::open(server_.host, server_.authority, server_.verified);
    if (!context) return context.propagate();
    tls_ = std::move(context).value();
  }
  if (options_.kernel_times) stamping_ = open_stamping_socket();
  events_ = FileDescriptor(epoll_create1(EPOLL_CLOEXEC));
  timer_ = FileDescriptor(timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC));
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.u64 = timer_slot;
  if (!events_ || !timer_ || epoll_ctl(events_.number(), EPOLL_CTL_ADD, timer_.number(), &event) != 0)
    return failure(ErrorKind::device, std::string("the system refuses an event loop: ") + std::strerror(errno));
  return {};
}

ASSAY_DETAIL_HEADER_INLINE void StreamLoop::plan(PlannedRequest request, std::int64_t after_ns) {
  RequestRecord record;
  record.id = records_.size();
  record.user = request.user;
  record.prompt = request.prompt;
  record.most_tokens = request.most_tokens;
  record.scheduled_ns = after_ns + static_cast<std::int64_t>(request.at * 1e9);
  due_.push({record.scheduled_ns, records_.size()});
  records_.push_back(std::move(record));
  planned_.push_back(std::move(request));
}

ASSAY_DETAIL_HEADER_INLINE bool StreamLoop::connect(Connection& connection, RequestRecord& record) {
  const int one = 1;
  connection.file = FileDescriptor(::socket(family_, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  const int file = connection.file.number();
  if (file < 0) {
    record.reason = std::string("no socket: ") + std::strerror(errno) +
                    (errno == EMFILE ? "; allow the process more open files (ulimit -n)" : "");
    return false;
  }
  setsockopt(file, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  if (options_.kernel_times) setsockopt(file, SOL_SOCKET, SO_TIMESTAMPNS, &one, sizeof one);
  if (::connect(file, reinterpret_cast<const sockaddr*>(address_.data()), static_cast<socklen_t>(address_.size())) ==
          0 ||
      errno == EINPROGRESS)
    return true;
  record.reason = std::string("no connection: ") + std::strerror(errno);
  return false;
}

/// A connection that was kept and is still open, or nothing.
ASSAY_DETAIL_HEADER_INLINE std::unique_ptr<StreamLoop::Connection> StreamLoop::take_idle() {
  while (!idle_.empty()) {
    auto connection = std::move(idle_.back());
    idle_.pop_back();
    char byte = 0;
    if (::recv(connection->file.number(), &byte, 1, MSG_PEEK | MSG_DONTWAIT) < 0 && errno == EAGAIN) return connection;
  }
  return nullptr;
}

ASSAY_DETAIL_HEADER_INLINE void StreamLoop::begin(std::size_t index, std::unique_ptr<Connection> kept) {
  RequestRecord& record = records_[index];
  const PlannedRequest& planned = planned_[index];
  auto connection = kept ? std::move(kept) : std::make_unique<Connection>();
  if (record.started_ns == 0) record.started_ns = monotonic_nanoseconds();
  connection->record = index;
  connection->sent = 0;
  connection->deadline_ns = record.scheduled_ns + static_cast<std::int64_t>(options_.deadline * 1e9);
  connection->answer = std::make_unique<AnswerStream>(record, options_.most_answer_bytes, options_.keep_bodies);
  connection->request = planned.method + " " + server_.base + planned.path + " HTTP/1.1\r\nHost: " + server_.host +
                        ":" + std::to_string(server_.port) +
                        "\r\nContent-Type: application/json\r\nAccept: text/event-stream, application/json\r\n" +
                        (options_.key.empty() ? "" : "Authorization: Bearer " + options_.key + "\r\n") +
                        (options_.keep_connections ? "" : "Connection: close\r\n") +
                        "Content-Length: " + std::to_string(planned.body.size()) + "\r\n\r\n" + planned.body;
  const bool is_kept = connection->kept, connected = is_kept || connect(*connection, record);
  if (free_slots_.empty()) {
    free_slots_.push_back(connections_.size());
    connections_.emplace_back();
  }
  const std::size_t slot = free_slots_.back();
  free_slots_.pop_back();
  connections_[slot] = std::move(connection);
  ++active_;
  if (!connected) return broken(slot, RequestEnd::refused, record.reason);
  if (tls_) {
    Connection& begun = *connections_[slot];
    begun.plain = std::move(begun.request);
    begun.request.clear();
    if (is_kept && !encrypt(begun)) return broken(slot, RequestEnd::malformed, begun.tls->error());
  }
  connections_[slot]->phase = is_kept ? Phase::sending : Phase::connecting;
  epoll_event event{};
  event.events = is_kept ? EPOLLIN : EPOLLOUT;
  event.data.u64 = slot;
  if (epoll_ctl(events_.number(), EPOLL_CTL_ADD, connections_[slot]->file.number(), &event) != 0)
    return broken(slot, RequestEnd::refused, std::string("no event loop: ") + std::strerror(errno));
  if (is_kept) send(slot);
}

ASSAY_DETAIL_HEADER_INLINE void StreamLoop::begin_due() {
  const std::int64_t now = monotonic_nanoseconds();  // what becomes due meanwhile waits until the others were heard
  while (!due_.empty() && due_.top().time_ns <= now) {
    const std::size_t record = due_.top().record;
    due_.pop();
    begin(record, options_.keep_connections ? take_idle() : nullptr);
  }
}

/// The request as TLS sends it, behind what waits already.
ASSAY_DETAIL_HEADER_INLINE bool StreamLoop::encrypt(Connection& connection) {
  if (!connection.tls->write(connection.plain)) return false;
  connection.plain.clear();
  connection.request += connection.tls->outgoing();
  return true;
}

/// Begins TLS on a connection that is open.
ASSAY_DETAIL_HEADER_INLINE void StreamLoop::secure(std::size_t slot) {
  Connection& connection = *connections_[slot];
  connection.tls = std::make_unique<TlsSession>(*tls_);
  connection.phase = Phase::securing;
  connection.request = connection.tls->outgoing();
  send(slot);
}

/// Goes on with TLS by what arrived, which becomes what it says in plain. False: the connection ended, or nothing of
/// the answer is there yet.
ASSAY_DETAIL_HEADER_INLINE bool StreamLoop::decrypt(std::size_t slot, std::string_view& bytes) {
  Connection& connection = *connections_[slot];
  TlsSession& tls = *connection.tls;
  plain_.clear();
  const bool was_agreed = tls.agreed();
  bool right = tls.take(bytes);
  if (right && tls.agreed()) right = tls.read(plain_);
  if (!right) {
    broken(slot, was_agreed ? RequestEnd::malformed : RequestEnd::refused, tls.error());
    return false;
  }
  bytes = plain_;
  connection.request += tls.outgoing();
  if (!was_agreed && tls.agreed()) {
    connection.phase = Phase::sending;
    if (!encrypt(connection)) {
      broken(slot, RequestEnd::malformed, tls.error());
      return false;
    }
  }
  if (connection.sent < connection.request.size()) send(slot);
  return connections_[slot] != nullptr && !bytes.empty();
}

ASSAY_DETAIL_HEADER_INLINE void StreamLoop::send(std::size_t slot) {
  Connection& connection = *connections_[slot];
  RequestRecord& record = records_[connection.record];
  const bool securing = connection.phase == Phase::securing;
  if (record.sent_ns == 0 && !securing) record.sent_ns = monotonic_nanoseconds();
  while (connection.sent < connection.request.size()) {
    const ssize_t count = ::send(connection.file.number(), connection.request.data() + connection.sent,
                                 connection.request.size() - connection.sent, MSG_NOSIGNAL);
    if (count > 0) {
      connection.sent += static_cast<std::size_t>(count);
    } else if (errno == EAGAIN || errno == EINTR) {
      if (!securing) connection.phase = Phase::sending;
      break;
    } else {
      return broken(slot, RequestEnd::truncated, std::string("the request could not be sent: ") + std::strerror(errno));
    }
  }
  const bool whole = connection.sent == connection.request.size();
  if (whole && !securing) connection.phase = Phase::receiving;
  epoll_event event{};
  event.events = whole ? EPOLLIN : EPOLLIN | EPOLLOUT;
  event.data.u64 = slot;
  epoll_ctl(events_.number(), EPOLL_CTL_MOD, connection.file.number(), &event);
}

/// The kernel's stamp on our clock. It lies between the sending and now, unless a clock jumped.
ASSAY_DETAIL_HEADER_INLINE std::int64_t StreamLoop::arrival_ns(Connection& connection, const void* message,
                                                               std::int64_t now_ns) const {
  const RequestRecord& record = records_[connection.record];
  auto* header = static_cast<msghdr*>(const_cast<void*>(message));
  const std::int64_t earliest = record.events.empty() ? record.sent_ns : record.events.back().time_ns;
  for (cmsghdr* part = CMSG_FIRSTHDR(header); part != nullptr; part = CMSG_NXTHDR(header, part)) {
    if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_TIMESTAMPNS) continue;
    timespec time{};
    std::memcpy(&time, CMSG_DATA(part), sizeof time);
    const std::int64_t age = clock_ns(CLOCK_REALTIME) - (std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec);
    if (age >= 0 && now_ns - age >= earliest) return now_ns - age;
  }
  connection.stamped = false;
  return std::max(now_ns, earliest);
}

ASSAY_DETAIL_HEADER_INLINE void StreamLoop::receive(std::size_t slot) {
  Connection& connection = *connections_[slot];
  iovec vector{buffer_.data(), buffer_.size()};
  alignas(cmsghdr) char control[256];
  msghdr message{};
  message.msg_iov = &vector;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  const ssize_t count = ::recvmsg(connection.file.number(), &message, MSG_DONTWAIT);
  const std::int64_t now = monotonic_nanoseconds();
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
  RequestRecord& record = records_[connection.record];
  if (count <= 0) {
    if (connection.phase == Phase::securing)
      return broken(slot, RequestEnd::refused,
                    "the server ended the connection while TLS was agreed upon; it may speak http:// alone");
    if (!connection.answer->began() && connection.kept) {  // closed while it was kept: make the request anew, once
      connection.kept = false;
      ++record.attempts;
      record.sent_ns = 0;
      const std::size_t index = connection.record;
      connections_[slot].reset();
      free_slots_.push_back(slot);
      --active_;
      return begin(index, nullptr);
    }
    if (count < 0)
      return broken(slot, RequestEnd::truncated, std::string("the connection broke: ") + std::strerror(errno));
    record.end_ns = now;
    connection.answer->end_of_connection(now);
    return end(slot, false);
  }
  const std::int64_t time = arrival_ns(connection, &message, now);
  std::string_view bytes{buffer_.data(), static_cast<std::size_t>(count)};
  if (connection.tls && !decrypt(slot, bytes)) return;
  record.kernel_times = connection.stamped;
  const bool goes_on = connection.answer->read(bytes, time);
  record.end_ns = time;
  if (!goes_on) return end(slot, connection.answer->reusable());
  // A server that sent its end mark and does not end the answer is given a second.
  if (connection.answer->only_end_is_missing())
    connection.deadline_ns = std::min(connection.deadline_ns, now + 1'000'000'000);
}

ASSAY_DETAIL_HEADER_INLINE void StreamLoop::broken(std::size_t slot, RequestEnd end_kind, const std::string& reason) {
  RequestRecord& record = records_[connections_[slot]->record];
  record.end = end_kind;
  record.reason = reason;
  record.end_ns = monotonic_nanoseconds();
  end(slot, false);
}

ASSAY_DETAIL_HEADER_INLINE void StreamLoop::end(std::size_t slot, bool keep) {
  std::unique_ptr<Connection> connection = std::move(connections_[slot]);
  free_slots_.push_back(slot);
  --active_;
  const std::size_t index = connection->record;
  if (connection->file) epoll_ctl(events_.number(), EPOLL_CTL_DEL, connection->file.number(), nullptr);
  connection->answer.reset();
  if (keep && options_.keep_connections) {
    connection->kept = true;
    connection->stamped = true;
    idle_.push_back(std::move(connection));
  }
  planned_[index].body = {};
  if (options_.ended) options_.ended(records_[index]);
  if (!options_.next || stopped()) return;
  if (auto next = options_.next(records_[index])) plan(std::move(*next), records_[index].end_ns);
}

ASSAY_DETAIL_HEADER_INLINE void StreamLoop::end_late() {
  const std::int64_t now = monotonic_nanoseconds();
  if (now < next_check_ns_) return;
  next_check_ns_ = now + 50'000'000;
  for (std::size_t slot = 0; slot < connections_.size(); ++slot) {
    if (!connections_[slot] || connections_[slot]->deadline_ns > now) continue;
    if (connections_[slot]->answer->only_end_is_missing()) {
      RequestRecord& record = records_[connections_[slot]->record];
      record.end = RequestEnd::complete;
      end(slot, false);
    } else {
      broken(slot, RequestEnd::timed_out, "it did not end within " + std::to_string(options_.deadline) + " s");
    }
  }
}

ASSAY_DETAIL_HEADER_INLINE void StreamLoop::cancel_all() {
  for (std::size_t slot = 0; slot < connections_.size(); ++slot)
    if (connections_[slot]) broken(slot, RequestEnd::canceled, "the run was stopped");
}

ASSAY_DETAIL_HEADER_INLINE void StreamLoop::handle(std::size_t slot, std::uint32_t events) {
  if (slot >= connections_.size() || !connections_[slot]) return;
  Connection& connection = *connections_[slot];
  if (connection.phase == Phase::connecting) {
    int code = 0;
    socklen_t size = sizeof code;
    getsockopt(connection.file.number(), SOL_SOCKET, SO_ERROR, &code, &size);
    if (code != 0) return broken(slot, RequestEnd::refused, std::string("no connection: ") + std::strerror(code));
    return tls_ ? secure(slot) : send(slot);
  }
  if ((events & EPOLLOUT) != 0 && connection.sent < connection.request.size()) send(slot);
  if (connections_[slot] && (events & (EPOLLIN | EPOLLHUP | EPOLLERR)) != 0) receive(slot);
}

ASSAY_DETAIL_HEADER_INLINE void StreamLoop::wait() {
  if (!due_.empty() && due_.top().time_ns != armed_ns_) {
    armed_ns_ = due_.top().time_ns;
    itimerspec time{};
    time.it_value.tv_sec = armed_ns_ / 1'000'000'000;
    time.it_value.tv_nsec = armed_ns_ % 1'000'000'000;
    timerfd_settime(timer_.number(), TFD_TIMER_ABSTIME, &time, nullptr);
  }
  epoll_event ready[256];
  const int count = epoll_wait(events_.number(), ready, 256, 50);
  for (int i = 0; i < count; ++i) {
    if (ready[i].data.u64 != timer_slot) {
      handle(static_cast<std::size_t>(ready[i].data.u64), ready[i].events);
      continue;
    }
    std::uint64_t expirations = 0;
    [[maybe_unused]] const ssize_t size = ::read(timer_.number(), &expirations, sizeof expirations);
    begin_due();
  }
}

ASSAY_DETAIL_HEADER_INLINE std::vector<RequestRecord> StreamLoop::run(std::vector<PlannedRequest> requests) {
  const std::int64_t start = monotonic_nanoseconds();
  for (PlannedRequest& request : requests) plan(std::move(request), start);
  while ((!due_.empty() || active_ > 0) && !stopped()) {
    begin_due();
    if (active_ > 0 || !due_.empty()) wait();
    end_late();
  }
  cancel_all();
  // What never began is no result.
  std::vector<RequestRecord> records;
  for (RequestRecord& record : records_)
    if (record.started_ns != 0) records.push_back(std::move(record));
  return records;
}

}  // namespace assay::inline v0::detail
#endif
