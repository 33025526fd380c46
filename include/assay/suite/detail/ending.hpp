#pragma once

#include <array>
#include <csignal>
#include <cstdio>
#include <string>
#include <utility>

namespace assay::inline v0::detail {

/// How the process of a worker came to its end.
struct Ending {
  enum class Kind {
    signal,   ///< by a signal that we did not send
    exit,     ///< it left by exit, _exit, or the end of main
    timeout,  ///< we killed it: out of time
    memory,   ///< we killed it: more memory than allowed
    channel,  ///< we killed it: it closed or damaged its channel to us
    unknown   ///< somebody else took its status
  };
  Kind kind = Kind::unknown;
  int number = 0;      ///< of the signal, or the exit code
  std::string detail;  ///< what a message adds
};

/// The exit code of a worker that finds its channel gone: a case closed descriptors that were not its own.
inline constexpr int exit_code_of_lost_channel = 113;

/// "SIGSEGV" and what it means, in a word or two. Signals without a name of ours are called "a signal".
[[nodiscard]] inline std::pair<std::string, std::string> description_of_signal(int number) {
  struct Entry {
    int number;
    const char* name;
    const char* meaning;
  };
  static const auto known = std::to_array<Entry>({
    {SIGSEGV, "SIGSEGV", "invalid memory access, or a stack overflow"}, {SIGABRT, "SIGABRT", "abort"},
        {SIGFPE, "SIGFPE", "arithmetic fault, such as an integer division by zero"}, {SIGILL, "SIGILL", "illegal instruction"},
        {SIGTERM, "SIGTERM", "asked to terminate"}, {SIGINT, "SIGINT", "interrupted"},
#if defined(SIGKILL)
        {SIGKILL, "SIGKILL", "killed by itself, by somebody, or by a system out of memory"},
        {SIGBUS, "SIGBUS", "misaligned access, or memory that is not there"},
        {SIGTRAP, "SIGTRAP", "trap, such as a failed check of the compiler's"}, {SIGPIPE, "SIGPIPE", "wrote where nobody reads"},
        {SIGHUP, "SIGHUP", "hung up"}, {SIGQUIT, "SIGQUIT", "quit"}, {SIGALRM, "SIGALRM", "alarm clock"},
        {SIGSYS, "SIGSYS", "forbidden system call"}, {SIGXCPU, "SIGXCPU", "processor time limit"}, {SIGXFSZ, "SIGXFSZ", "file size limit"},
        {SIGUSR1, "SIGUSR1", "user signal 1"}, {SIGUSR2, "SIGUSR2", "user signal 2"},
#endif
  });
  for (const Entry& entry : known)
    if (entry.number == number) return {entry.name, entry.meaning};
  return {"a signal", "without a common meaning"};
}

/// "signal 11 (SIGSEGV: invalid memory access, or a stack overflow)", "exit code 3", …, after "its worker ended: ".
[[nodiscard]] inline std::string description_of(const Ending& ending) {
  switch (ending.kind) {
    case Ending::Kind::signal: {
      const auto [name, meaning] = description_of_signal(ending.number);
      return "signal " + std::to_string(ending.number) + " (" + name + ": " + meaning + ")";
    }
    case Ending::Kind::exit: return "exit code " + std::to_string(ending.number);
    case Ending::Kind::timeout: return "timeout";
    case Ending::Kind::memory: return "too much memory (" + ending.detail + ")";
    case Ending::Kind::channel: return "channel lost";
    case Ending::Kind::unknown: break;
  }
  return "for a reason unknown";
}

/// The value of the label "ended": short, and the same for the same cause.
[[nodiscard]] inline std::string label_of(const Ending& ending) {
  switch (ending.kind) {
    case Ending::Kind::signal: return "signal " + std::to_string(ending.number);
    case Ending::Kind::exit: return "exit " + std::to_string(ending.number);
    case Ending::Kind::timeout: return "timeout";
    case Ending::Kind::memory: return "memory";
    case Ending::Kind::channel: return "channel";
    case Ending::Kind::unknown: break;
  }
  return "unknown";
}

/// The reason of a case that ended its worker.
[[nodiscard]] inline std::string reason_of(const Ending& ending) {
  switch (ending.kind) {
    case Ending::Kind::signal: return "the case ended its process by " + description_of(ending);
    case Ending::Kind::exit:
      return "the case ended its process with exit code " + std::to_string(ending.number) + " instead of returning an outcome";
    case Ending::Kind::timeout: return "the case did not return within " + ending.detail + ", and its process was killed";
    case Ending::Kind::memory: return "the case's process held " + ending.detail + ", and was killed";
    case Ending::Kind::channel: return "the case " + ending.detail;
    case Ending::Kind::unknown: break;
  }
  return "the case's process ended, and somebody else took its status (a handler of SIGCHLD in this program?)";
}

inline constexpr const char* closed_its_channel =
    "closed its process's channel to the runner, over which its outcome would have come (does it close descriptors that are not its own?)";

/// The cause of an end: what the system says, unless it only says that we killed the process.
[[nodiscard]] inline Ending true_ending(Ending seen, const Ending& status) {
  const bool by_our_hand = status.kind == Ending::Kind::unknown || (status.kind == Ending::Kind::signal && status.number == 9);
  if (!by_our_hand) seen = status;
  if (seen.kind == Ending::Kind::exit && seen.number == exit_code_of_lost_channel) return {Ending::Kind::channel, 0, closed_its_channel};
  return seen;
}

}  // namespace assay::inline v0::detail
