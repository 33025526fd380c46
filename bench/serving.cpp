// How late the client of serving/ stamps what arrives, and what it costs: streams at once, each of so many events a
// second, from a server in another process that writes into each event when it sent it.
//
//   bench_serving [--streams N] [--events N] [--gap MILLISECONDS] [--rounds R]
//
// Rounds interleave the kernel's stamps and those of the program. Printed are errors of stamps over all events, the
// processor time of the client an event, and how many events shared a read, as Markdown. Exit code: 0, or 2 for wrong
// arguments, or where streams failed.

// components: json

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "../tests/serving/stub_server.hpp"
#include "assay/serving/load_summary.hpp"
#include "assay/serving/stream_client.hpp"
#include "give_up.hpp"

namespace {

using namespace assay;

struct Settings {
  std::size_t streams = 1000, events = 100, rounds = 3;
  double gap_ms = 50;
};

struct Round {
  std::vector<double> errors_us;  ///< of events with a time of their own
  std::size_t events = 0, shared = 0;
  double processor_us = 0;  ///< an event
  double most_resident_mb = 0;
};

double processor_seconds() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

testing::StubScript script_of(const Settings& settings) {
  testing::StubScript script{{0, testing::http_head()}};
  for (std::size_t i = 0; i < settings.events; ++i)
    script.push_back({settings.gap_ms * static_cast<double>(i + 1),
                      testing::chunk(testing::sse(testing::content(testing::time_of_sending)))});
  script.push_back({settings.gap_ms * static_cast<double>(settings.events + 1),
                    testing::chunk(testing::sse(testing::delta("", "\"stop\""))) +
                        testing::chunk(testing::sse("[DONE]")) + testing::last_chunk()});
  return script;
}

/// The server in a process of its own, whose processor time is not the client's.
class ServerProcess {
 public:
  explicit ServerProcess(const Settings& settings) {
    int ends[2];
    if (pipe(ends) != 0) give_up("no pipe");
    child_ = fork();
    if (child_ == 0) {
      testing::StubServer server([&](const std::string&, const std::string&) { return script_of(settings); });
      const std::uint16_t port = server.port();
      if (write(ends[1], &port, sizeof port) != static_cast<ssize_t>(sizeof port)) _exit(2);
      for (;;) pause();
    }
    if (child_ < 0 || read(ends[0], &port_, sizeof port_) != static_cast<ssize_t>(sizeof port_))
      give_up("the server does not come up");
  }
  ~ServerProcess() {
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
  }
  ServerProcess(const ServerProcess&) = delete;
  ServerProcess& operator=(const ServerProcess&) = delete;
  [[nodiscard]] std::uint16_t port() const { return port_; }

 private:
  pid_t child_ = -1;
  std::uint16_t port_ = 0;
};

void measure(const Settings& settings, std::uint16_t port, bool kernel_times, Round& round) {
  std::vector<PlannedRequest> requests;
  const double ramp = settings.gap_ms * 1e-3 * 10;  // spread, so that events of streams do not fall together
  for (std::size_t i = 0; i < settings.streams; ++i) {
    PlannedRequest request;
    request.at = ramp * static_cast<double>(i) / static_cast<double>(settings.streams);
    request.path = "/chat/completions";
    request.body = "{}";
    requests.push_back(request);
  }
  StreamClientOptions options;
  options.kernel_times = kernel_times;
  const double before = processor_seconds();
  const std::vector<RequestRecord> records = value_of(run_requests({"127.0.0.1", port, "/v1"}, requests, options));
  const double spent = processor_seconds() - before;
  std::size_t events = 0;
  for (const RequestRecord& record : records) {
    if (record.end != RequestEnd::complete) give_up("a stream failed: " + record.reason);
    for (const AnswerEvent& event : record.events) {
      if (event.kind != AnswerEventKind::text) continue;
      ++events;
      round.shared += event.shared_read ? 1 : 0;
      if (!event.shared_read)
        round.errors_us.push_back(static_cast<double>(event.time_ns - std::strtoll(event.text.c_str(), nullptr, 10)) *
                                  1e-3);
    }
  }
  round.events += events;
  round.processor_us += spent * 1e6 / static_cast<double>(events) / static_cast<double>(settings.rounds);
}

void print(const char* name, Round& round) {
  std::sort(round.errors_us.begin(), round.errors_us.end());
  const auto at = [&](double p) { return quantile_of_sorted(round.errors_us, p, QuantileDefinition::loadgen); };
  std::printf("| %s | %.1f | %.1f | %.1f | %.1f | %.1f | %.3f %% |\n", name, at(0.5), at(0.9), at(0.99), at(0.999),
              round.processor_us, 100 * static_cast<double>(round.shared) / static_cast<double>(round.events));
}

}  // namespace

int main(int count, char** arguments) {
  Settings settings;
  for (int i = 1; i < count; i += 2) {
    const double value = i + 1 < count ? std::strtod(arguments[i + 1], nullptr) : 0;
    if (!(value >= 1 && value < 1e6)) give_up("give numbers from 1: --streams --events --gap --rounds");
    if (std::strcmp(arguments[i], "--streams") == 0)
      settings.streams = static_cast<std::size_t>(value);
    else if (std::strcmp(arguments[i], "--events") == 0)
      settings.events = static_cast<std::size_t>(value);
    else if (std::strcmp(arguments[i], "--gap") == 0)
      settings.gap_ms = value;
    else if (std::strcmp(arguments[i], "--rounds") == 0)
      settings.rounds = static_cast<std::size_t>(value);
    else
      give_up(std::string("unknown option ") + arguments[i] + "; known: --streams --events --gap --rounds");
  }
  if (raise_open_file_limit() < settings.streams + 64) give_up("too few open files are allowed; raise ulimit -n");
  const ServerProcess server(settings);
  Round kernel, program;
  for (std::size_t i = 0; i < settings.rounds; ++i) {
    measure(settings, server.port(), true, kernel);
    measure(settings, server.port(), false, program);
  }
  std::printf("%zu streams of an event every %g ms, %zu rounds, %zu events each\n\n", settings.streams, settings.gap_ms,
              settings.rounds, kernel.events);
  std::printf("| stamps | error p50, us | p90 | p99 | p99.9 | processor us an event | shared a read |\n");
  std::printf("|---|---|---|---|---|---|---|\n");
  print("kernel", kernel);
  print("program", program);
}
