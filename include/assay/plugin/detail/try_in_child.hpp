#pragma once

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <concepts>
#include <csignal>
#include <cstddef>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "assay/core/process/ending.hpp"
#include "assay/core/result.hpp"
#include "assay/suite/bytes.hpp"

namespace assay::inline v0::detail {

/// What a function said in a forked process, as bytes.
struct ChildAnswer {
  bool succeeded = false;
  ErrorKind kind{};  ///< of a failure
  std::string text;  ///< what it returned, or the message of its failure
};

template <class Archive, class Answer>
requires std::same_as<std::remove_const_t<Answer>, ChildAnswer>
void exchange(Archive& archive, Answer& answer) {
  archive(answer.succeeded, answer.kind, answer.text);
}

/// In the child: tells what the function says, and ends. What the process is not to do again, such as writing its
/// buffers, it does not.
template <class Function>
[[noreturn]] void answer_and_leave(const Function& function, int channel) {
  for (const int deadly : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTERM, SIGINT})
    std::signal(deadly, SIG_DFL);  // handlers are ours, not its
  const Result<std::string> said = function();
  ByteWriter writer;
  writer(said ? ChildAnswer{true, {}, said.value()} : ChildAnswer{false, said.error().kind, said.error().message});
  const std::string bytes = writer.take();
  for (std::size_t sent = 0; sent < bytes.size();) {
    const ::ssize_t written = ::write(channel, bytes.data() + sent, bytes.size() - sent);
    if (written < 0 && errno != EINTR) break;
    sent += written > 0 ? static_cast<std::size_t>(written) : 0;
  }
  ::_exit(0);
}

/// The answer, once all of it is there: processes that the function started may hold the channel open, so its end is no
/// sign.
[[nodiscard]] inline std::optional<ChildAnswer> complete_answer(const std::string& bytes) {
  ChildAnswer answer;
  ByteReader reader(bytes);
  reader(answer);
  return reader.complete() ? std::optional(std::move(answer)) : std::nullopt;
}

/// What a function returns in a forked process, so that this one survives what it does: its text or its failure;
/// `device` if it crashed there or ended the process, `timed_out` if it was not done after `seconds`.
template <class Function>
[[nodiscard]] Result<std::string> try_in_child(const Function& function, double seconds) {
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
    answer_and_leave(function, ends[1]);
  }
  ::close(ends[1]);
  std::string bytes;
  std::optional<ChildAnswer> answer;
  const auto deadline =
      std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                             std::chrono::duration<double>(seconds < 1e6 ? seconds : 1e6));
  bool in_time = true, ended = false;
  while (!answer) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now()).count();
    if (left < 0) {
      in_time = false;
      break;
    }
    ::pollfd readable{ends[0], POLLIN, 0};
    const int ready = ::poll(&readable, 1, ended ? 0 : static_cast<int>(std::min<long long>(left, 20)) + 1);
    if (ready == 0) {
      if (ended) break;  // and what it wrote has been read
      ::siginfo_t information{};
      ended = ::waitid(P_PID, static_cast<::id_t>(child), &information, WEXITED | WNOHANG | WNOWAIT) != 0 ||
              information.si_pid != 0;
    }
    if (ready <= 0) continue;
    char part[512];
    const ::ssize_t got = ::read(ends[0], part, sizeof part);
    if (got > 0)
      bytes.append(part, static_cast<std::size_t>(got));
    else if (got == 0 || errno != EINTR)
      break;
    answer = complete_answer(bytes);
  }
  ::close(ends[0]);
  if (!in_time) ::kill(child, SIGKILL);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (answer && answer->succeeded) return std::move(answer->text);
  if (answer) return failure(answer->kind, answer->text);
  if (!in_time)
    return failure(ErrorKind::timed_out,
                   "it was not loaded after " + std::to_string(static_cast<long long>(seconds)) + " s");
  if (WIFSIGNALED(status))
    return failure(ErrorKind::device, "it crashed while it was loaded, by " +
                                          description_of({Ending::Kind::signal, WTERMSIG(status), {}}) +
                                          (WTERMSIG(status) == SIGBUS ? "; the file may be cut short" : ""));
  return failure(ErrorKind::device,
                 "it ended the process while it was loaded, with exit code " + std::to_string(WEXITSTATUS(status)));
}

}  // namespace assay::inline v0::detail
