#pragma once

#include "assay/fleet/node/metrics_server.hpp"

#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <exception>
#include <optional>
#include <string>
#include <vector>

#include "assay/core/config.hpp"
#include "assay/core/lower_case.hpp"
#include "assay/core/printed_number.hpp"

namespace assay::inline v0 {

namespace detail {

/// The value of a header of a request's head; empty where there is none. `name` in small letters.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string http_header(std::string_view head, std::string_view name) {
  for (std::size_t start = head.find("\r\n"); start != head.npos;) {
    start += 2;
    const std::size_t end = std::min(head.find("\r\n", start), head.size());
    const std::string_view line = head.substr(start, end - start);
    const std::size_t colon = line.find(':');
    if (colon != line.npos && lower_case(line.substr(0, colon)) == name) return std::string(line.substr(colon + 1));
    start = end == head.size() ? head.npos : end;
  }
  return {};
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string http_answer(int code, const char* phrase, const char* type,
                                                                 const std::string& body, bool with_body) {
  return "HTTP/1.1 " + std::to_string(code) + " " + phrase + "\r\nContent-Type: " + type +
         "\r\nContent-Length: " + std::to_string(body.size()) + (code == 405 ? "\r\nAllow: GET, HEAD" : "") +
         "\r\nConnection: close\r\n\r\n" + (with_body ? body : "");
}

/// The answer to a whole head.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string metrics_answer(
    std::string_view head, const std::function<std::string(MetricForm)>& text) {
  constexpr const char* plain = "text/plain; charset=utf-8";
  const std::string_view line = head.substr(0, head.find("\r\n"));
  const std::size_t first = line.find(' '), last = line.rfind(' ');
  if (first == line.npos || last == first || line.substr(last + 1, 7) != "HTTP/1.")
    return http_answer(400, "Bad Request", plain, "no request of HTTP/1\n", true);
  const std::string_view method = line.substr(0, first);
  std::string_view path = line.substr(first + 1, last - first - 1);
  path = path.substr(0, path.find('?'));
  const bool get = method == "GET";
  if (!get && method != "HEAD")
    return http_answer(405, "Method Not Allowed", plain, "only GET and HEAD are answered\n", true);
  if (path == "/") return http_answer(200, "OK", plain, "metrics are at /metrics\n", get);
  if (path != "/metrics") return http_answer(404, "Not Found", plain, "metrics are at /metrics\n", get);
  const MetricForm form = metric_form_accepted(http_header(head, "accept"));
  try {
    return http_answer(200, "OK", content_type(form), text(form), get);
  } catch (const std::exception& exception) {
    return http_answer(500, "Internal Server Error", plain, std::string(exception.what()) + "\n", get);
  }
}

/// A client that is read from, then written to.
struct MetricsConnection {
  FileDescriptor socket;
  std::chrono::steady_clock::time_point until;
  std::string request, answer;
  std::size_t sent = 0;
  bool over = false;
};

ASSAY_DETAIL_HEADER_INLINE void advance(MetricsConnection& client, std::size_t most,
                                        const std::function<std::string(MetricForm)>& text) {
  if (client.answer.empty()) {
    char part[4096];
    const ssize_t got = receive_some(client.socket.number(), part, sizeof part, false);
    if (got == 0 || (got < 0 && errno != EAGAIN && errno != EWOULDBLOCK)) client.over = true;
    if (got <= 0) return;
    client.request.append(part, static_cast<std::size_t>(got));
    const std::size_t end = client.request.find("\r\n\r\n");
    if (end != client.request.npos && end <= most)
      client.answer = metrics_answer(std::string_view(client.request).substr(0, end), text);
    else if (client.request.size() > most)
      client.answer = http_answer(431, "Request Header Fields Too Large", "text/plain; charset=utf-8",
                                  "the head of the request is too long\n", true);
    else
      return;
  }
  const ssize_t sent =
      send_some(client.socket.number(), client.answer.data() + client.sent, client.answer.size() - client.sent, false);
  if (sent < 0 && errno != EAGAIN && errno != EWOULDBLOCK) client.over = true;
  if (sent > 0) client.sent += static_cast<std::size_t>(sent);
  if (client.sent == client.answer.size()) {
    ::shutdown(client.socket.number(), SHUT_WR);
    client.over = true;
  }
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE MetricForm metric_form_accepted(std::string_view accept) {
  const std::string wanted = detail::lower_case(accept);
  for (std::size_t start = 0; start <= wanted.size();) {
    const std::size_t end = std::min(wanted.find(',', start), wanted.size());
    const std::string_view range = std::string_view(wanted).substr(start, end - start);
    start = end + 1;
    const std::size_t name = range.find_first_not_of(" \t");
    if (name == range.npos || range.substr(name, 28) != "application/openmetrics-text") continue;
    const std::size_t weight = range.find("q=");
    const auto value = weight == range.npos ? std::optional(1.0) : detail::read_number(range.substr(weight + 2));
    if (value && *value > 0) return MetricForm::open_metrics;
  }
  return MetricForm::prometheus;
}

ASSAY_DETAIL_HEADER_INLINE Result<MetricsServer> MetricsServer::listen(MetricsServerOptions options) {
  const std::string& given = options.address;
  const std::size_t colon = given.rfind(':');
  const auto refused = [&] {
    return failure(ErrorKind::invalid,
                   "'" + given + "' is no address to listen at; give numbers: 127.0.0.1:9461, [::1]:9461");
  };
  if (colon == given.npos || colon == 0) return refused();
  std::string host = given.substr(0, colon);
  const std::string port = given.substr(colon + 1);
  // getaddrinfo keeps the lowest 16 bits of a port.
  if (port.empty() || port.size() > 5 || port.find_first_not_of("0123456789") != port.npos || std::stol(port) > 65535)
    return refused();
  if (host.front() == '[' && host.back() == ']') host = host.substr(1, host.size() - 2);
  if (host == "localhost") host = "127.0.0.1";
  ::addrinfo hints{};
  hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE;
  hints.ai_socktype = SOCK_STREAM;
  ::addrinfo* found = nullptr;
  if (::getaddrinfo(host.c_str(), port.c_str(), &hints, &found) != 0 || found == nullptr) return refused();
  detail::FileDescriptor listener(
      ::socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, found->ai_protocol));
  const int yes = 1;
  const bool bound = listener && ::setsockopt(listener.number(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) == 0 &&
                     ::bind(listener.number(), found->ai_addr, found->ai_addrlen) == 0 &&
                     ::listen(listener.number(), static_cast<int>(options.most_connections)) == 0;
  ::freeaddrinfo(found);
  if (!bound) return detail::system_failure("cannot listen at " + given);
  ::sockaddr_storage own{};
  ::socklen_t size = sizeof own;
  char number[16] = "";
  if (::getsockname(listener.number(), reinterpret_cast<::sockaddr*>(&own), &size) != 0 ||
      ::getnameinfo(reinterpret_cast<::sockaddr*>(&own), size, nullptr, 0, number, sizeof number, NI_NUMERICSERV) != 0)
    return detail::system_failure("cannot tell the port of " + given);
  std::string address = given.substr(0, colon + 1) + number;
  return MetricsServer(std::move(options), std::move(listener), std::move(address));
}

ASSAY_DETAIL_HEADER_INLINE Result<void> MetricsServer::serve(const std::function<std::string(MetricForm)>& text,
                                                             const std::function<bool()>& stop) {
  using Clock = std::chrono::steady_clock;
  std::vector<detail::MetricsConnection> clients;
  while (!stop()) {
    std::vector<::pollfd> waiting{{listener_.number(), POLLIN, 0}};
    for (const detail::MetricsConnection& client : clients)
      waiting.push_back({client.socket.number(), static_cast<short>(client.answer.empty() ? POLLIN : POLLOUT), 0});
    if (::poll(waiting.data(), waiting.size(), 200) < 0 && errno != EINTR)
      return detail::system_failure("cannot wait for connections");
    for (std::size_t i = 0; i < clients.size(); ++i)
      if (waiting[i + 1].revents != 0) detail::advance(clients[i], options_.most_request_bytes, text);
    const auto now = Clock::now();
    clients.erase(
        std::remove_if(clients.begin(), clients.end(),
                       [&](const detail::MetricsConnection& client) { return client.over || now >= client.until; }),
        clients.end());
    for (int accepted = 0; waiting.front().revents != 0 && accepted < 16; ++accepted) {
      detail::FileDescriptor socket(::accept4(listener_.number(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
      if (!socket) break;
      if (clients.size() >= options_.most_connections) continue;  // which closes it
      clients.emplace_back();
      clients.back().socket = std::move(socket);
      clients.back().until =
          now + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(options_.deadline_seconds));
    }
  }
  return {};
}

}  // namespace assay::inline v0
