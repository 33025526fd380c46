#pragma once

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <string>

/// How a process ended, and what it said to stderr.
struct DyingProcess {
  int signal = 0;     ///< that ended it; 0: it ended by itself
  int exit_code = 0;  ///< where it ended by itself
  std::string errors;
};

/// Calls `body` in a process of its own, which exits with 0 if `body` returns. To be called while there is one thread.
template <class Body>
DyingProcess run_in_dying_process(const Body& body) {
  DyingProcess result;
  int ends[2];
  std::fflush(nullptr);
  if (::pipe(ends) != 0) return result;
  const pid_t child = ::fork();
  if (child == 0) {
    const rlimit no_core{0, 0};
    ::setrlimit(RLIMIT_CORE, &no_core);
    ::dup2(ends[1], STDERR_FILENO);
    body();
    ::_exit(0);
  }
  ::close(ends[1]);
  char text[512];
  for (ssize_t read; (read = ::read(ends[0], text, sizeof text)) > 0;)
    result.errors.append(text, static_cast<std::size_t>(read));
  ::close(ends[0]);
  int status = 0;
  if (child < 0 || ::waitpid(child, &status, 0) != child) return result;
  result.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
  return result;
}
