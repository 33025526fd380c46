#pragma once

#include "assay/core/process/spawn_process.hpp"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#if defined(__linux__)
#include <sys/prctl.h>
#endif

#include "assay/core/config.hpp"
#include "assay/core/process/executed_worker.hpp"
#include "assay/core/process/file_descriptor.hpp"

extern char** environ;

namespace assay::inline v0::detail {

/// All that posix_spawn needs, prepared: nothing is allocated when it is called.
class SpawnOrders {
 public:
  SpawnOrders(const WorkerCommand& command, bool leads, const std::vector<FileDescriptor>& files, int output)
      : texts_(command.arguments), program_(command.program.empty() ? texts_[0] : command.program) {
    for (std::string& text : texts_) arguments_.push_back(text.data());
    arguments_.push_back(nullptr);
    ::posix_spawn_file_actions_init(&actions_);
    ::posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    for (const int stream : {STDOUT_FILENO, STDERR_FILENO})
      ::posix_spawn_file_actions_adddup2(&actions_, output, stream);
    int next = ExecutedWorker::channel_number;
    for (const FileDescriptor& file : files) ::posix_spawn_file_actions_adddup2(&actions_, file.number(), next++);
#if defined(__GLIBC_PREREQ)
#if __GLIBC_PREREQ(2, 34)
    ::posix_spawn_file_actions_addclosefrom_np(&actions_, next);  // what a library opened to stay open
#endif
#endif
    ::posix_spawnattr_init(&attributes_);
    sigset_t none, usual;
    ::sigemptyset(&none);
    ::sigfillset(&usual);
    ::sigdelset(&usual, SIGKILL);
    ::sigdelset(&usual, SIGSTOP);
    ::posix_spawnattr_setsigmask(&attributes_, &none);
    ::posix_spawnattr_setsigdefault(&attributes_, &usual);
    ::posix_spawnattr_setpgroup(&attributes_, 0);  // the terminal's interrupt is this process's to handle
    ::posix_spawnattr_setflags(&attributes_, static_cast<short>(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF |
                                                                (leads ? POSIX_SPAWN_SETPGROUP : 0)));
  }
  SpawnOrders(const SpawnOrders&) = delete;
  SpawnOrders& operator=(const SpawnOrders&) = delete;
  ~SpawnOrders() {
    ::posix_spawn_file_actions_destroy(&actions_);
    ::posix_spawnattr_destroy(&attributes_);
  }

  /// 0, or the system's reason.
  [[nodiscard]] int spawn(pid_t& process) const {
    return ::posix_spawnp(&process, program_.c_str(), &actions_, &attributes_, arguments_.data(), environ);
  }

 private:
  std::vector<std::string> texts_;
  std::string program_;
  std::vector<char*> arguments_;
  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
};

/// In a process of its own: leads the program's group, and ends as the program does. Where the thread that wanted it is
/// gone, it takes all of the group with it: what went on by itself would disturb whatever is measured next.
[[noreturn]] ASSAY_DETAIL_HEADER_INLINE void lead_group(const SpawnOrders& orders, pid_t parent, int failed) {
  ::setpgid(0, 0);
#if defined(__linux__)
  ::signal(SIGCHLD, SIG_DFL);
  ::signal(SIGTERM, [](int) { ::kill(0, SIGKILL); });
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != parent) ::_exit(126);
#else
  static_cast<void>(parent);
#endif
  pid_t program = -1;
  if (const int code = orders.spawn(program); code != 0) {
    static_cast<void>(!::write(failed, &code, sizeof code));
    ::_exit(127);
  }
  for (int file = 3; file < 1024; ++file) ::close(file);  // locks among them, which are the parent's
  int status = 0;
  while (::waitpid(program, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status)) {
    const rlimit none{0, 0};
    ::setrlimit(RLIMIT_CORE, &none);  // the program has left one, if anybody wants it
    ::signal(WTERMSIG(status), SIG_DFL);
    ::kill(::getpid(), WTERMSIG(status));
  }
  ::_exit(WIFEXITED(status) ? WEXITSTATUS(status) : 126);
}

ASSAY_DETAIL_HEADER_INLINE Result<ChildProcess> spawn_process(const WorkerCommand& command, int output,
                                                              const std::vector<int>& inherited) {
  // Above the numbers that they get in the worker, so that none is overwritten there before it was moved.
  std::vector<FileDescriptor> files;
  for (const int number : inherited) files.emplace_back(::fcntl(number, F_DUPFD_CLOEXEC, 16));
  const FileDescriptor printed(::fcntl(output, F_DUPFD_CLOEXEC, 16));
  bool all = static_cast<bool>(printed);
  for (const FileDescriptor& file : files) all = all && file;
  if (!all) return system_failure("no worker could be started");
  const SpawnOrders orders(command, command.own_group && !command.ends_with_thread, files, printed.number());
  const auto refused = [&](int code) {
    return failure(ErrorKind::io, "cannot execute '" + command.arguments[0] + "': " + std::strerror(code));
  };
  if (!command.ends_with_thread) {
    pid_t process = -1;
    if (const int code = orders.spawn(process); code != 0) return refused(code);
    return ChildProcess(process, command.own_group);
  }
  auto ends = open_channel();
  if (!ends) return ends.propagate();
  auto& [told, telling] = ends.value();
  const pid_t parent = ::getpid(), leader = ::fork();
  if (leader == 0) lead_group(orders, parent, telling.number());
  if (leader < 0) return system_failure("no process can be made");
  ::setpgid(leader, leader);  // the child does so too: whoever comes first
  ChildProcess process(leader, true);
  { const FileDescriptor closed = std::move(telling); }
  int code = 0;
  if (receive_some(told.number(), reinterpret_cast<char*>(&code), sizeof code, true) == sizeof code)
    return refused(code);
  return Result<ChildProcess>(std::move(process));
}

}  // namespace assay::inline v0::detail
