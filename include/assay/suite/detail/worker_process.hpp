#pragma once

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#if defined(__linux__)
#include <sys/prctl.h>
#endif

#include "assay/core/result.hpp"
#include "assay/suite/detail/case_server.hpp"
#include "assay/suite/detail/ending.hpp"
#include "assay/suite/detail/file_descriptor.hpp"
#include "assay/suite/serve_cases.hpp"

extern char** environ;

namespace assay::inline v0::detail {

/// The resident memory of a process in bytes, as /proc tells it. O(1), some microseconds.
[[nodiscard]] inline std::optional<std::uint64_t> resident_bytes_of(pid_t process) {
  std::FILE* const file = std::fopen(("/proc/" + std::to_string(process) + "/statm").c_str(), "re");
  if (file == nullptr) return std::nullopt;
  unsigned long long whole = 0, resident = 0;
  const int read = std::fscanf(file, "%llu %llu", &whole, &resident);
  std::fclose(file);
  if (read != 2) return std::nullopt;
  return std::uint64_t{resident} * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

/// A child process that serves cases, with the group of processes that it leads. The destructor kills the group.
class WorkerProcess {
 public:
  /// Forks a worker, and executes `command` in it, with `environment` beside the variables of this process, unless that is empty.
  /// `foreign` are descriptors that it must not hold.
  [[nodiscard]] static Result<WorkerProcess> start(const Suite& suite, const std::vector<std::string>& command,
                                                   const std::vector<std::string>& environment, const std::vector<int>& foreign) {
    auto channel = open_channel();
    if (!channel) return channel.propagate();
    auto output = open_nameless_file();
    if (!output) return output.propagate();
    FileDescriptor runners_end = std::move(channel.value().first), workers_end = std::move(channel.value().second);

    std::vector<std::string> variables = environment_of_worker(workers_end.number(), environment), arguments = command;
    const std::vector<char*> variable_pointers = pointers_to(variables), argument_pointers = pointers_to(arguments);
    std::fflush(nullptr);  // or the worker would write it a second time
    const pid_t parent = ::getpid();
    const pid_t process = ::fork();
    if (process < 0) return system_failure("no process for a worker could be started");
    if (process == 0) {
      detach_from(parent, output.value().number());
      if (command.empty()) {
        for (const int descriptor : foreign) ::close(descriptor);
        ::close(runners_end.number());
        serve_and_leave(suite, workers_end.number());
      }
      execute(workers_end.number(), argument_pointers, variable_pointers);
    }
    ::setpgid(process, process);  // the child does so too: whoever comes first
    return WorkerProcess(process, std::move(runners_end), std::move(output).value());
  }

  WorkerProcess(WorkerProcess&& other) noexcept
      : process_(std::exchange(other.process_, -1)), channel_(std::move(other.channel_)), output_(std::move(other.output_)) {}
  WorkerProcess& operator=(WorkerProcess&&) = delete;
  ~WorkerProcess() { static_cast<void>(kill()); }

  [[nodiscard]] int channel() const noexcept { return channel_.number(); }
  [[nodiscard]] int output() const noexcept { return output_.number(); }
  void close_channel() { FileDescriptor closed = std::move(channel_); }
  [[nodiscard]] std::optional<std::uint64_t> resident_bytes() const { return resident_bytes_of(process_); }

  /// How the process ended, if it has. The rest of its group ends with it.
  [[nodiscard]] std::optional<Ending> ended() {
    siginfo_t information{};
    if (::waitid(P_PID, static_cast<id_t>(process_), &information, WEXITED | WNOHANG | WNOWAIT) != 0) return reap();
    if (information.si_pid == 0) return std::nullopt;
    return kill();
  }

  /// Kills the whole group if it is still there. Gives a process that cannot die, in a driver's uninterruptible sleep, up
  /// after a few seconds.
  Ending kill() {
    if (process_ < 0) return {};
    ::kill(-process_, SIGKILL);
    ::kill(process_, SIGKILL);  // it may have left its group
    return reap();
  }

  /// The last bytes of its output, at least `size` of them if there are so many. A large output is thrown away on the way.
  [[nodiscard]] std::string last_output(std::size_t size) {
    struct stat status {};
    if (::fstat(output_.number(), &status) != 0 || status.st_size <= 0) return earlier_output_;
    std::string bytes(std::min(size + 1, static_cast<std::size_t>(status.st_size)), '\0');
    const ssize_t read = ::pread(output_.number(), bytes.data(), bytes.size(), status.st_size - static_cast<off_t>(bytes.size()));
    bytes.resize(read < 0 ? 0 : static_cast<std::size_t>(read));
    return bytes.size() > size ? bytes : earlier_output_ + bytes;
  }

  /// Keeps the file of the output small while a case writes and writes.
  void limit_output(std::size_t size) {
    struct stat status {};
    if (::fstat(output_.number(), &status) != 0 || status.st_size < largest_output) return;
    earlier_output_ = last_output(size);
    static_cast<void>(!::ftruncate(output_.number(), 0));
  }
  void forget_output() { earlier_output_.clear(); }

 private:
  static constexpr off_t largest_output = off_t{16} << 20;

  WorkerProcess(pid_t process, FileDescriptor channel, FileDescriptor output)
      : process_(process), channel_(std::move(channel)), output_(std::move(output)) {}

  [[nodiscard]] static std::vector<std::string> environment_of_worker(int channel, const std::vector<std::string>& own) {
    std::vector<std::string> variables = own;
    variables.push_back(std::string(worker_channel_variable) + "=" + std::to_string(channel));
    std::set<std::string> names;
    for (const std::string& variable : variables) names.insert(name_of_variable(variable));
    for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable)
      if (names.count(name_of_variable(*variable)) == 0) variables.emplace_back(*variable);
    return variables;
  }

  [[nodiscard]] static std::string name_of_variable(const std::string& variable) { return variable.substr(0, variable.find('=')); }

  [[nodiscard]] static std::vector<char*> pointers_to(std::vector<std::string>& texts) {
    std::vector<char*> pointers;
    for (std::string& text : texts) pointers.push_back(text.data());
    pointers.push_back(nullptr);
    return pointers;
  }

  /// In the child: what belongs to the parent alone is given up.
  static void detach_from(pid_t parent, int output) {
    ::setpgid(0, 0);  // the terminal's interrupt is the runner's to handle
#if defined(__linux__)
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(EXIT_FAILURE);  // it died before that took effect
    const int badness = ::open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (badness >= 0) {  // a system out of memory shall take the worker, not the runner
      static_cast<void>(!::write(badness, "1000", 4));
      ::close(badness);
    }
#else
    static_cast<void>(parent);
#endif
    for (int number = 1; number < 32; ++number)
      if (number != SIGKILL && number != SIGSTOP) ::signal(number, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    const int nothing = ::open("/dev/null", O_RDONLY);
    ::dup2(nothing, STDIN_FILENO);
    if (nothing > STDERR_FILENO) ::close(nothing);
    ::dup2(output, STDOUT_FILENO);
    ::dup2(output, STDERR_FILENO);
  }

  /// noexcept: nothing may unwind into the frames that the child has of its parent.
  [[noreturn]] static void serve_and_leave(const Suite& suite, int channel) noexcept {
    CaseServer(suite, channel).serve();
    ::_exit(EXIT_SUCCESS);
  }

  [[noreturn]] static void execute(int channel, const std::vector<char*>& arguments, const std::vector<char*>& variables) {
#if defined(CLOSE_RANGE_CLOEXEC)
    ::close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC);
#endif
    ::fcntl(channel, F_SETFD, 0);
    environ = const_cast<char**>(variables.data());
    ::execvp(arguments[0], arguments.data());
    const char* const reason = std::strerror(errno);
    for (const char* part : {"cannot execute '", static_cast<const char*>(arguments[0]), "': ", reason, "\n"})
      static_cast<void>(!::write(STDERR_FILENO, part, std::strlen(part)));
    ::_exit(127);
  }

  /// Takes the status of a process that has ended or is about to.
  Ending reap() {
    using namespace std::chrono;
    const auto give_up = steady_clock::now() + seconds(5);
    const pid_t process = std::exchange(process_, -1);
    for (auto pause = microseconds(20);; pause = std::min(2 * pause, microseconds(10000))) {
      int status = 0;
      const pid_t reaped = ::waitpid(process, &status, WNOHANG);
      if (reaped == process && WIFSIGNALED(status)) return {Ending::Kind::signal, WTERMSIG(status), {}};
      if (reaped == process && WIFEXITED(status)) return {Ending::Kind::exit, WEXITSTATUS(status), {}};
      if ((reaped < 0 && errno != EINTR) || steady_clock::now() > give_up) return {};
      std::this_thread::sleep_for(pause);
    }
  }

  pid_t process_;
  FileDescriptor channel_;
  FileDescriptor output_;
  std::string earlier_output_;
};

}  // namespace assay::inline v0::detail
