#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <map>
#include <memory>
#include <queue>
#include <string>
#include <thread>
#include <utility>
#include <vector>

/// A server for tests that answers by a script: bytes at times, closes, resets and stalls. One thread, epoll.
namespace assay::testing {

struct StubStep {
  enum class Do { send, close, reset };
  double at_ms = 0;  ///< from the request
  std::string bytes;
  Do action = Do::send;
};
using StubScript = std::vector<StubStep>;
/// What the server does with a request, of which it is given head and body.
using StubHandler = std::function<StubScript(const std::string& head, const std::string& body)>;

inline std::string http_head(const std::string& type = "text/event-stream", const std::string& more = "",
                             const std::string& status = "200 OK") {
  return "HTTP/1.1 " + status + "\r\nContent-Type: " + type + "\r\nTransfer-Encoding: chunked\r\n" + more + "\r\n";
}
inline std::string chunk(const std::string& bytes) {
  char size[32];
  std::snprintf(size, sizeof size, "%zx\r\n", bytes.size());
  return size + bytes + "\r\n";
}
inline std::string last_chunk() {
  return "0\r\n\r\n";
}
inline std::string sse(const std::string& json) {
  return "data: " + json + "\n\n";
}
inline std::string delta(const std::string& members, const std::string& finish = "null") {
  return R"({"object":"chat.completion.chunk","choices":[{"index":0,"delta":{)" + members + R"(},"finish_reason":)" +
         finish + "}]}";
}
inline std::string content(const std::string& text) {
  return delta(R"("content":")" + text + "\"");
}
/// A whole answer with its length.
inline std::string whole(const std::string& body, const std::string& status = "200 OK",
                         const std::string& type = "application/json", const std::string& more = "") {
  return "HTTP/1.1 " + status + "\r\nContent-Type: " + type + "\r\nContent-Length: " + std::to_string(body.size()) +
         "\r\n" + more + "\r\n" + body;
}
/// Events at once: head, each in a chunk, the end.
inline StubScript stream_of(const std::vector<std::string>& events) {
  std::string bytes = http_head();
  for (const std::string& event : events) bytes += chunk(event);
  return {{0, bytes + last_chunk()}};
}
inline StubScript plain_answer(const std::string& text) {
  return stream_of({sse(delta(R"("role":"assistant","content":"")")), sse(content(text)), sse(delta("", "\"stop\"")),
                    sse(R"({"choices":[],"usage":{"prompt_tokens":5,"completion_tokens":3}})"), sse("[DONE]")});
}

/// Nineteen zeros, in whose place the server writes the monotonic time of sending, in nanoseconds.
inline const std::string time_of_sending(19, '0');

class StubServer {
 public:
  explicit StubServer(StubHandler handler) : handler_(std::move(handler)) {
    listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    if (listener_ < 0 || ::bind(listener_, reinterpret_cast<sockaddr*>(&address), size) != 0 ||
        ::listen(listener_, 4096) != 0)
      std::abort();
    ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
    events_ = ::epoll_create1(EPOLL_CLOEXEC);
    wake_ = ::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    watch(listener_);
    watch(wake_);
    thread_ = std::thread([this] { serve(); });
  }
  ~StubServer() {
    stop_ = true;
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t written = ::write(wake_, &one, sizeof one);
    thread_.join();
    for (auto& [file, connection] : connections_) ::close(file);
    for (const int file : {listener_, events_, wake_}) ::close(file);
  }
  StubServer(const StubServer&) = delete;
  StubServer& operator=(const StubServer&) = delete;

  [[nodiscard]] std::uint16_t port() const { return port_; }
  [[nodiscard]] std::string url() const { return "http://127.0.0.1:" + std::to_string(port_) + "/v1"; }
  [[nodiscard]] int connections() const { return accepted_; }
  [[nodiscard]] int requests() const { return requests_; }

 private:
  struct Connection {
    std::uint64_t generation = 0;
    std::string in;
  };
  struct Due {
    std::int64_t time_ns;
    std::uint64_t order;
    int file;
    std::uint64_t generation;
    StubStep step;
    bool operator<(const Due& other) const {
      return time_ns != other.time_ns ? time_ns > other.time_ns : order > other.order;
    }
  };

  static std::int64_t now() {
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
  }
  void watch(int file) const {
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.fd = file;
    ::epoll_ctl(events_, EPOLL_CTL_ADD, file, &event);
  }
  void drop(int file, bool reset) {
    if (reset) {
      const linger hard{1, 0};
      ::setsockopt(file, SOL_SOCKET, SO_LINGER, &hard, sizeof hard);
    }
    connections_.erase(file);
    ::close(file);
  }
  void accept_all() {
    for (;;) {
      const int file = ::accept4(listener_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC), one = 1;
      if (file < 0) return;
      ::setsockopt(file, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
      connections_[file].generation = ++generations_;
      ++accepted_;
      watch(file);
    }
  }
  void receive(int file) {
    char bytes[65536];
    const ssize_t count = ::recv(file, bytes, sizeof bytes, 0);
    if (count <= 0) {
      if (count == 0 || errno != EAGAIN) drop(file, false);
      return;
    }
    Connection& connection = connections_[file];
    connection.in.append(bytes, static_cast<std::size_t>(count));
    const std::size_t head = connection.in.find("\r\n\r\n");
    if (head == std::string::npos) return;
    const std::size_t at = connection.in.find("Content-Length: ");
    const std::size_t length = at < head ? std::strtoul(connection.in.c_str() + at + 16, nullptr, 10) : 0;
    if (connection.in.size() < head + 4 + length) return;
    ++requests_;
    const std::int64_t time = now();
    for (StubStep& step : handler_(connection.in.substr(0, head), connection.in.substr(head + 4, length)))
      due_.push({time + static_cast<std::int64_t>(step.at_ms * 1e6), ++orders_, file, connection.generation,
                 std::move(step)});
    connection.in.erase(0, head + 4 + length);
  }
  void act(Due due) {
    const auto found = connections_.find(due.file);
    if (found == connections_.end() || found->second.generation != due.generation) return;
    if (const std::size_t at = due.step.bytes.find(time_of_sending); at != std::string::npos) {
      const std::string time = std::to_string(now());
      due.step.bytes.replace(at + 19 - time.size(), time.size(), time);
    }
    std::size_t sent = 0;
    while (sent < due.step.bytes.size()) {
      const ssize_t count = ::send(due.file, due.step.bytes.data() + sent, due.step.bytes.size() - sent, MSG_NOSIGNAL);
      if (count < 0 && errno != EAGAIN) return;
      if (count > 0) sent += static_cast<std::size_t>(count);
      if (stop_) return;
    }
    if (due.step.action != StubStep::Do::send) drop(due.file, due.step.action == StubStep::Do::reset);
  }
  void serve() {
    while (!stop_) {
      const std::int64_t wait = due_.empty() ? 1'000'000'000 : std::max<std::int64_t>(0, due_.top().time_ns - now());
      timespec time{wait / 1'000'000'000, wait % 1'000'000'000};
      epoll_event ready[256];
      const int count = ::epoll_pwait2(events_, ready, 256, &time, nullptr);
      for (int i = 0; i < count && !stop_; ++i) {
        if (ready[i].data.fd == listener_)
          accept_all();
        else if (ready[i].data.fd != wake_)
          receive(ready[i].data.fd);
      }
      while (!due_.empty() && due_.top().time_ns <= now() && !stop_) {
        const Due due = due_.top();
        due_.pop();
        act(due);
      }
    }
  }

  StubHandler handler_;
  int listener_ = -1, events_ = -1, wake_ = -1;
  std::uint16_t port_ = 0;
  std::atomic<bool> stop_{false};
  std::atomic<int> accepted_{0}, requests_{0};
  std::uint64_t generations_ = 0, orders_ = 0;
  std::map<int, Connection> connections_;
  std::priority_queue<Due> due_;
  std::thread thread_;
};

}  // namespace assay::testing
