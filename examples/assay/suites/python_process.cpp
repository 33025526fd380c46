#include "suites/python_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <regex>
#include <thread>
#include <utility>
#include <vector>

#include "assay/core/monotonic_time.hpp"
#include "assay/core/printed_number.hpp"
#include "assay/suite/ending.hpp"
#include "suites/python_sources.hpp"

extern char** environ;

namespace assay_program {

namespace {

using assay::ErrorKind;
using assay::failure;
namespace detail = assay::detail;

/// The numbers that its descriptors have in the interpreter.
constexpr int channel_number = 3, memory_number = 4;

/// Takes the sources of the worker over the channel, and lets it serve: a package that no path leads to.
constexpr const char* start_of_worker = R"python(
import json, socket, struct, sys, types
channel = socket.socket(fileno=3)
def receive(size):
    data = b""
    while len(data) < size:
        part = channel.recv(size - len(data))
        if not part:
            sys.exit(0)
        data += part
    return data
package = sys.modules["assay_worker"] = types.ModuleType("assay_worker")
package.__path__ = []
for name, text in json.loads(receive(struct.unpack("=Q", receive(8))[0])):
    module = sys.modules["assay_worker." + name] = types.ModuleType("assay_worker." + name)
    module.__package__ = "assay_worker"
    setattr(package, name, module)
    exec(compile(text, "assay/" + name + ".py", "exec"), module.__dict__)
package._worker.serve(channel, 4)
)python";

/// How an answer is framed: eight bytes of its length, and JSON.
std::string framed(const nlohmann::json& message) {
  const std::string text = message.dump();
  const std::uint64_t size = text.size();
  std::string head(sizeof size, '\0');
  std::memcpy(head.data(), &size, sizeof size);
  return head + text;
}

/// Where the module was when Python was ended, as faulthandler tells it.
std::string place_of_crash(const std::string& words) {
  static const std::regex frame("File \"([^\"]*/)?([^\"/]+)\", line ([0-9]+) in ([^\n]+)");
  const std::size_t fatal = words.rfind("Fatal Python error"), thread = words.find("Current thread", fatal);
  std::smatch found;
  const std::string told = fatal == std::string::npos || thread == std::string::npos ? "" : words.substr(thread);
  if (!std::regex_search(told, found, frame)) return {};
  return ", in line " + found[3].str() + " of " + found[2].str() + ", " + found[4].str();
}

}  // namespace

std::string python_interpreter() {
  const char* const named = std::getenv("ASSAY_PYTHON");
  return named != nullptr && *named != '\0' ? named : "python3";
}

assay::Result<void> PythonProcess::start() {
  auto ends = detail::open_channel();
  if (!ends) return ends.propagate();
  auto output = detail::open_nameless_file();
  if (!output) return output.propagate();
  if (!shared_) {
    auto shared = detail::open_nameless_file();
    if (!shared) return shared.propagate();
    shared_ = std::move(shared).value();
  }
  // Above the numbers that they get in the interpreter, so that none is overwritten there before it was moved.
  const detail::FileDescriptor theirs(::fcntl(ends.value().second.number(), F_DUPFD_CLOEXEC, 16));
  const detail::FileDescriptor words(::fcntl(output.value().number(), F_DUPFD_CLOEXEC, 16));
  const detail::FileDescriptor shared(::fcntl(shared_.number(), F_DUPFD_CLOEXEC, 16));
  if (!theirs || !words || !shared) return detail::system_failure("no interpreter of Python could be started");
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO})
    ::posix_spawn_file_actions_adddup2(&actions, words.number(), stream);
  ::posix_spawn_file_actions_adddup2(&actions, theirs.number(), channel_number);
  ::posix_spawn_file_actions_adddup2(&actions, shared.number(), memory_number);
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  sigset_t none, usual;
  ::sigemptyset(&none);
  ::sigemptyset(&usual);
  for (const int number : {SIGPIPE, SIGINT, SIGTERM, SIGABRT, SIGCHLD, SIGSEGV}) ::sigaddset(&usual, number);
  ::posix_spawnattr_setsigmask(&attributes, &none);
  ::posix_spawnattr_setsigdefault(&attributes, &usual);
  // It stays in this process's group, which is killed as a whole where a case takes too long.
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  std::vector<std::string> arguments{python_interpreter(), "-X", "faulthandler", "-c", start_of_worker};
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  pid_t process = -1;
  const int code = ::posix_spawnp(&process, pointers[0], &actions, &attributes, pointers.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  ::posix_spawnattr_destroy(&attributes);
  if (code != 0)
    return failure(ErrorKind::io, "cannot execute '" + arguments[0] + "': " + std::strerror(code) +
                                      "; install Python 3.9 or later, or name its interpreter by ASSAY_PYTHON");
  process_ = process;
  channel_ = std::move(ends.value().first);
  output_ = std::move(output).value();
  nlohmann::json sources = nlohmann::json::array();
  for (const PythonSource& source : python_sources()) sources.push_back({source.name, source.text});
  const std::string bytes = framed(sources);
  for (std::size_t sent = 0; sent < bytes.size();) {
    const ssize_t some = detail::send_some(channel_.number(), bytes.data() + sent, bytes.size() - sent, true);
    if (some < 0) break;  // the next question tells how it ended
    sent += static_cast<std::size_t>(some);
  }
  return {};
}

assay::Result<nlohmann::json> PythonProcess::describe() {
  static_cast<void>(end());
  if (auto started = start(); !started) return started.propagate();
  auto told = converse({{"module", module_}}, seconds_);
  if (!told) return told;
  if (told.value().contains("error")) {
    static_cast<void>(end());
    return failure(ErrorKind::invalid, told.value()["error"].get<std::string>());
  }
  return told;
}

assay::Result<unsigned char*> PythonProcess::memory(std::size_t bytes) {
  if (bytes <= bytes_) return memory_;
  if (!shared_) {
    auto shared = detail::open_nameless_file();
    if (!shared) return shared.propagate();
    shared_ = std::move(shared).value();
  }
  if (memory_ != nullptr) ::munmap(memory_, bytes_);
  memory_ = nullptr;
  bytes_ = 0;
  if (::ftruncate(shared_.number(), static_cast<off_t>(bytes)) != 0)
    return detail::system_failure("no memory to share with Python");
  void* const mapped = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, shared_.number(), 0);
  if (mapped == MAP_FAILED) return detail::system_failure("no memory to share with Python");
  memory_ = static_cast<unsigned char*>(mapped);
  bytes_ = bytes;
  return memory_;
}

assay::Result<nlohmann::json> PythonProcess::ask(const nlohmann::json& request) {
  if (process_ < 0)
    if (auto described = describe(); !described) return described;
  return converse(request, 0);
}

assay::Result<nlohmann::json> PythonProcess::converse(const nlohmann::json& request, double seconds) {
  const std::int64_t deadline =
      seconds > 0 ? detail::monotonic_nanoseconds() + static_cast<std::int64_t>(seconds * 1e9) : INT64_MAX;
  const std::string bytes = framed(request);
  std::string answer;
  const auto ended = [&]() -> assay::Failure {
    const std::string how = end(), words = last_words(), place = place_of_crash(words);
    std::string tail = place;
    if (place.empty() && !words.empty()) tail = "; its last words: " + words;
    return failure(ErrorKind::aborted, "Python ended" + (how.empty() ? "" : ": " + how) + tail);
  };
  for (std::size_t sent = 0; sent < bytes.size();) {
    const ssize_t some = detail::send_some(channel_.number(), bytes.data() + sent, bytes.size() - sent, true);
    if (some < 0) return ended();
    sent += static_cast<std::size_t>(some);
  }
  std::uint64_t due = 0;
  while (answer.size() < sizeof due || answer.size() < sizeof due + due) {
    const std::int64_t left = deadline - detail::monotonic_nanoseconds();
    if (left <= 0) {
      static_cast<void>(end());
      return failure(ErrorKind::timed_out, "it was not imported within " + detail::printed_number(seconds, 4) +
                                               " s, and Python was ended; --timeout gives it more");
    }
    ::pollfd waiting{channel_.number(), POLLIN, 0};
    if (::poll(&waiting, 1, static_cast<int>(std::min<std::int64_t>(left / 1000000 + 1, 60000))) <= 0) continue;
    char buffer[1 << 14];
    const ssize_t some = detail::receive_some(channel_.number(), buffer, sizeof buffer, false);
    if (some == 0 || (some < 0 && errno != EAGAIN && errno != EWOULDBLOCK)) return ended();
    if (some > 0) answer.append(buffer, static_cast<std::size_t>(some));
    if (answer.size() >= sizeof due) std::memcpy(&due, answer.data(), sizeof due);
  }
  auto read = nlohmann::json::parse(answer.begin() + sizeof due, answer.end(), nullptr, false);
  if (!read.is_object()) {
    static_cast<void>(end());
    return failure(ErrorKind::malformed, "Python sent what is no answer; does the module write to descriptor 3?");
  }
  return read;
}

std::string PythonProcess::last_words() const {
  struct stat status {};
  if (!output_ || ::fstat(output_.number(), &status) != 0 || status.st_size <= 0) return {};
  std::string text(static_cast<std::size_t>(std::min<off_t>(status.st_size, 4096)), '\0');
  const ssize_t size =
      ::pread(output_.number(), text.data(), text.size(), status.st_size - static_cast<off_t>(text.size()));
  text.resize(size < 0 ? 0 : static_cast<std::size_t>(size));
  while (!text.empty() && static_cast<unsigned char>(text.back()) <= 32) text.pop_back();
  if (text.find("Fatal Python error") != std::string::npos) return text;
  const std::size_t line = text.rfind('\n');
  return line == std::string::npos ? text : text.substr(line + 1);
}

std::string PythonProcess::end() {
  if (process_ < 0) return {};
  const pid_t process = std::exchange(process_, -1);
  int status = 0;
  bool reaped = false;
  // Its channel closes a moment before it can be waited for; then the status is its own.
  for (int wait = 0; wait < 400 && !reaped; ++wait) {
    ::pollfd hung_up{channel_.number(), 0, 0};
    if (wait > 0 && ::poll(&hung_up, 1, 0) == 0) break;
    reaped = ::waitpid(process, &status, WNOHANG) == process;
    if (!reaped) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  if (reaped)
    return WIFSIGNALED(status) ? detail::description_of({detail::Ending::Kind::signal, WTERMSIG(status), {}})
                               : detail::description_of({detail::Ending::Kind::exit, WEXITSTATUS(status), {}});
  ::kill(process, SIGKILL);
  for (int wait = 0; wait < 200 && ::waitpid(process, &status, WNOHANG) == 0; ++wait)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  return {};
}

}  // namespace assay_program
