#pragma once

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <string>

#include "assay/core/result.hpp"
#include "assay/suite/detail/ending.hpp"

namespace assay::inline v0::detail {

/// What a function says in a forked process, so that this one survives what it does: `device` if it crashed there or ended the process,
/// `timed_out` if it was not done after `seconds`.
template <class Function>
[[nodiscard]] Result<void> try_in_child(const Function& function, double seconds) {
  int ends[2];
  if (::pipe(ends) != 0) return failure(ErrorKind::io, "a pipe to a process that tries it could not be made");
  const ::pid_t child = ::fork();
  if (child < 0) {
    ::close(ends[0]);
    ::close(ends[1]);
    return failure(ErrorKind::io, "a process that tries it could not be started");
  }
  if (child == 0) {
    ::close(ends[0]);
    for (const int deadly : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTERM, SIGINT})
      std::signal(deadly, SIG_DFL);  // handlers are ours, not its
    const Result<void> said = function();
    std::string answer = said ? "+" : std::string(1, static_cast<char>('0' + static_cast<int>(said.error().kind))) + said.error().message;
    answer += '\0';  // its end: processes that the function started may hold the pipe open
    for (std::size_t sent = 0; sent < answer.size();) {
      const ::ssize_t written = ::write(ends[1], answer.data() + sent, answer.size() - sent);
      if (written < 0 && errno != EINTR) break;
      sent += written > 0 ? static_cast<std::size_t>(written) : 0;
    }
    ::_exit(0);
  }
  ::close(ends[1]);
  std::string answer;
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                                               std::chrono::duration<double>(seconds < 1e6 ? seconds : 1e6));
  bool in_time = true, ended = false;
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now()).count();
    if (left < 0) {
      in_time = false;
      break;
    }
    ::pollfd readable{ends[0], POLLIN, 0};
    const int ready = ::poll(&readable, 1, ended ? 0 : static_cast<int>(std::min<long long>(left, 20)) + 1);
    if (ready == 0) {
      if (ended) break;  // and what it wrote has been read
      ::siginfo_t information{};
      ended = ::waitid(P_PID, static_cast<::id_t>(child), &information, WEXITED | WNOHANG | WNOWAIT) != 0 || information.si_pid != 0;
    }
    if (ready <= 0) continue;
    char part[512];
    const ::ssize_t got = ::read(ends[0], part, sizeof part);
    if (got > 0)
      answer.append(part, static_cast<std::size_t>(got));
    else if (got == 0 || errno != EINTR)
      break;
    if (!answer.empty() && answer.back() == '\0') {
      answer.pop_back();
      break;
    }
  }
  ::close(ends[0]);
  if (!in_time) ::kill(child, SIGKILL);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!answer.empty() && answer.front() == '+') return {};
  if (!answer.empty()) return failure(static_cast<ErrorKind>(answer.front() - '0'), answer.substr(1));
  if (!in_time) return failure(ErrorKind::timed_out, "it was not loaded after " + std::to_string(static_cast<long long>(seconds)) + " s");
  if (WIFSIGNALED(status))
    return failure(ErrorKind::device, "it crashed while it was loaded, by " + description_of({Ending::Kind::signal, WTERMSIG(status), {}}) +
                                          (WTERMSIG(status) == SIGBUS ? "; the file may be cut short" : ""));
  return failure(ErrorKind::device, "it ended the process while it was loaded, with exit code " + std::to_string(WEXITSTATUS(status)));
}

}  // namespace assay::inline v0::detail
