#include "stage_process.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__linux__)
#include <sys/prctl.h>
#endif

#include <cerrno>
#include <csignal>
#include <cstring>
#include <thread>
#include <utility>

namespace assay_program {

namespace {

/// In the command's process, whose memory is its own: only calls that are safe behind a fork.
[[noreturn]] void become(char* const* arguments, int log) {
  const int nothing = ::open("/dev/null", O_RDONLY);
  if (nothing >= 0) ::dup2(nothing, STDIN_FILENO);
  ::dup2(log, STDOUT_FILENO);
  ::dup2(log, STDERR_FILENO);
  const bool own = std::strcmp(arguments[0], "assay") == 0;
  if (own)
    ::execv("/proc/self/exe", arguments);
  else
    ::execvp(arguments[0], arguments);
  const char* const reason = std::strerror(errno);
  static_cast<void>(!::write(STDERR_FILENO, arguments[0], std::strlen(arguments[0])));
  static_cast<void>(!::write(STDERR_FILENO, " cannot be started: ", 20));
  static_cast<void>(!::write(STDERR_FILENO, reason, std::strlen(reason)));
  ::_exit(127);
}

/// Leads the command's group, and ends as the command does. Where the process that wanted it is killed, it takes all of
/// the group with it: what would go on by itself disturbed whatever is measured next.
[[noreturn]] void lead(char* const* arguments, int log, pid_t parent) {
  ::setpgid(0, 0);
#if defined(__linux__)
  std::signal(SIGTERM, [](int) { ::kill(0, SIGKILL); });
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != parent) ::_exit(126);
#endif
  const pid_t command = ::fork();
  if (command == 0) {
    std::signal(SIGTERM, SIG_DFL);
    become(arguments, log);
  }
  for (int file = 3; file < 1024; ++file) ::close(file);  // locks among them, which are the parent's
  int status = 0;
  while (command > 0 && ::waitpid(command, &status, 0) < 0 && errno == EINTR) {
  }
  if (command > 0 && WIFSIGNALED(status)) {
    const rlimit none{0, 0};
    ::setrlimit(RLIMIT_CORE, &none);  // the command has left one, if anybody wants it
    std::signal(WTERMSIG(status), SIG_DFL);
    ::kill(::getpid(), WTERMSIG(status));
  }
  ::_exit(command > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : 126);
}

}  // namespace

assay::Result<StageProcess> StageProcess::start(const std::vector<std::string>& command,
                                                const std::filesystem::path& log, double seconds) {
  const auto refused = [&](const char* what) {
    return assay::failure(assay::ErrorKind::io, "'" + log.string() + "': " + what + ": " + std::strerror(errno));
  };
  std::vector<std::string> texts = command;
  std::vector<char*> arguments;
  for (std::string& text : texts) arguments.push_back(text.data());
  arguments.push_back(nullptr);
  const int file = ::open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (file < 0) return refused("the log cannot be written");
  const pid_t parent = ::getpid(), child = ::fork();
  if (child == 0) lead(arguments.data(), file, parent);
  ::close(file);
  if (child < 0) return refused("no process can be made");
  ::setpgid(child, child);
  return StageProcess(child, seconds);
}

StageProcess::StageProcess(StageProcess&& other) noexcept
    : child_(std::exchange(other.child_, 0)),
      most_seconds_(other.most_seconds_),
      start_(other.start_),
      ending_(other.ending_) {}

StageProcess& StageProcess::operator=(StageProcess&& other) noexcept {
  std::swap(child_, other.child_);
  most_seconds_ = other.most_seconds_;
  start_ = other.start_;
  ending_ = other.ending_;
  return *this;
}

StageProcess::~StageProcess() {
  if (child_ == 0) return;
  kill();
  int status = 0;
  while (::waitpid(child_, &status, 0) < 0 && errno == EINTR) {
  }
}

bool StageProcess::ended() {
  if (child_ == 0) return true;
  int status = 0;
  const pid_t ended = ::waitpid(child_, &status, WNOHANG);
  ending_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  if (ended == 0 || (ended < 0 && errno == EINTR)) {
    if (!ending_.timed_out && ending_.seconds > most_seconds_) {
      ending_.timed_out = true;
      kill();
    }
    return false;
  }
  kill();  // what it left behind
  if (WIFSIGNALED(status)) ending_.signal = WTERMSIG(status);
  if (WIFEXITED(status)) ending_.exit_code = WEXITSTATUS(status);
  child_ = 0;
  return true;
}

void StageProcess::kill() noexcept {
  ::kill(-child_, SIGKILL);
}

assay::Result<StageEnding> run_stage_command(const std::vector<std::string>& command, const std::filesystem::path& log,
                                             double seconds) {
  auto process = StageProcess::start(command, log, seconds);
  if (!process) return process.propagate();
  while (!process.value().ended()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  return process.value().ending();
}

}  // namespace assay_program
