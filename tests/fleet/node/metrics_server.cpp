#include "assay/fleet/node/metrics_server.hpp"

#include <netinet/in.h>
#include <sys/socket.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>

#include "testing/catch.hpp"

namespace {

using assay::MetricForm;
using assay::MetricsServer;
using assay::MetricsServerOptions;

std::string form_text(MetricForm form) {
  return form == MetricForm::open_metrics ? "open\n# EOF\n" : "text\n";
}

/// A server in a thread, until the test ends.
class Running {
 public:
  explicit Running(MetricsServerOptions options = {}, std::function<std::string(MetricForm)> text = form_text)
      : server_([&] {
          options.address = "127.0.0.1:0";
          return MetricsServer::listen(options).value();
        }()),
        thread_([this, text] { REQUIRE(server_.serve(text, [this] { return over_.load(); }).has_value()); }) {}
  ~Running() {
    over_ = true;
    thread_.join();
  }

  /// What the server says to the bytes; all of it, to its end.
  [[nodiscard]] std::string asked(const std::string& request) const {
    const int client = connected();
    CHECK(::send(client, request.data(), request.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(request.size()));
    std::string answer;
    char part[1024];
    for (ssize_t got = 0; (got = ::recv(client, part, sizeof part, 0)) > 0;)
      answer.append(part, static_cast<std::size_t>(got));
    ::close(client);
    return answer;
  }
  [[nodiscard]] int connected() const {
    const int client = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    ::sockaddr_in where{};
    where.sin_family = AF_INET;
    where.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    where.sin_port = htons(static_cast<std::uint16_t>(std::stoi(server_.address().substr(10))));
    REQUIRE(::connect(client, reinterpret_cast<::sockaddr*>(&where), sizeof where) == 0);
    return client;
  }

 private:
  std::atomic<bool> over_{false};
  MetricsServer server_;
  std::thread thread_;
};

bool begins(const std::string& text, const std::string& start) {
  return text.compare(0, start.size(), start) == 0;
}

}  // namespace

TEST_CASE("metrics server: what a client accepts") {
  CHECK(assay::metric_form_accepted("") == MetricForm::prometheus);
  CHECK(assay::metric_form_accepted("text/plain;version=0.0.4;q=0.5,*/*;q=0.1") == MetricForm::prometheus);
  CHECK(assay::metric_form_accepted("application/openmetrics-text;version=1.0.0,text/plain;q=0.5") ==
        MetricForm::open_metrics);
  CHECK(assay::metric_form_accepted("text/plain, Application/OpenMetrics-Text;q=0.4") == MetricForm::open_metrics);
  CHECK(assay::metric_form_accepted("application/openmetrics-text;q=0") == MetricForm::prometheus);
}

TEST_CASE("metrics server: answers by path, method and form") {
  const Running server;
  const std::string text = server.asked("GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n");
  CHECK(begins(text, "HTTP/1.1 200 OK\r\nContent-Type: text/plain; version=0.0.4"));
  CHECK(text.find("\r\n\r\ntext\n") != std::string::npos);
  const std::string open = server.asked("GET /metrics?name=x HTTP/1.1\r\naccept: application/openmetrics-text\r\n\r\n");
  CHECK(open.find("\r\n\r\nopen\n# EOF\n") != std::string::npos);
  const std::string head = server.asked("HEAD /metrics HTTP/1.0\r\n\r\n");
  CHECK(head.find("Content-Length: 5\r\n") != std::string::npos);
  CHECK(head.find("text\n") == std::string::npos);
  CHECK(begins(server.asked("GET / HTTP/1.1\r\n\r\n"), "HTTP/1.1 200"));
  CHECK(begins(server.asked("GET /etc/passwd HTTP/1.1\r\n\r\n"), "HTTP/1.1 404"));
  CHECK(begins(server.asked("POST /metrics HTTP/1.1\r\n\r\n"), "HTTP/1.1 405"));
  CHECK(begins(server.asked("nonsense\r\n\r\n"), "HTTP/1.1 400"));
  CHECK(begins(server.asked(std::string(9000, 'x')), "HTTP/1.1 431"));
}

TEST_CASE("metrics server: what cannot be written is an error of the server") {
  const Running server({}, [](MetricForm) -> std::string { throw std::runtime_error("a family twice"); });
  CHECK(begins(server.asked("GET /metrics HTTP/1.1\r\n\r\n"), "HTTP/1.1 500"));
}

TEST_CASE("metrics server: clients that say nothing keep others out for the deadline at most") {
  MetricsServerOptions options;
  options.most_connections = 2;
  options.deadline_seconds = 0.5;
  const Running server(options);
  const int first = server.connected(), second = server.connected();
  std::string answer;
  for (int attempt = 0; attempt < 300 && answer.empty(); ++attempt) {
    answer = server.asked("GET /metrics HTTP/1.1\r\n\r\n");
    if (answer.empty()) std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  CHECK(begins(answer, "HTTP/1.1 200"));
  ::close(first);
  ::close(second);
}

TEST_CASE("metrics server: addresses that are none") {
  for (const char* address : {"", "9461", ":9461", "127.0.0.1:", "127.0.0.1:x", "127.0.0.1:99999", "host.example:80"}) {
    MetricsServerOptions options;
    options.address = address;
    const auto server = MetricsServer::listen(options);
    INFO(address);
    REQUIRE(!server);
    CHECK(server.error().kind == assay::ErrorKind::invalid);
  }
}
