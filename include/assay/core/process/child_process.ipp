#pragma once

#include "assay/core/process/child_process.hpp"

#include <signal.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <thread>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE std::optional<Ending> ChildProcess::ended() {
  siginfo_t information{};
  if (process_ < 0 || ::waitid(P_PID, static_cast<id_t>(process_), &information, WEXITED | WNOHANG | WNOWAIT) != 0)
    return reap();
  if (information.si_pid == 0) return std::nullopt;
  return kill();
}

ASSAY_DETAIL_HEADER_INLINE Ending ChildProcess::kill() {
  if (process_ < 0) return {};
  if (leads_group_) ::kill(-process_, SIGKILL);
  ::kill(process_, SIGKILL);  // it may have left its group
  return reap();
}

ASSAY_DETAIL_HEADER_INLINE Ending ChildProcess::reap() {
  using namespace std::chrono;
  if (process_ < 0) return {};
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

}  // namespace assay::inline v0::detail
