#pragma once

#include "assay/core/process/ending.hpp"

#include <array>
#include <csignal>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

/// "SIGSEGV" and what it means, in a word or two. Signals without a name of ours are called "a signal".
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::pair<std::string, std::string> description_of_signal(int number) {
  struct Entry {
    int number;
    const char* name;
    const char* meaning;
  };
  static const auto known = std::to_array<Entry>({
    {SIGSEGV, "SIGSEGV", "invalid memory access, or a stack overflow"}, {SIGABRT, "SIGABRT", "abort"},
        {SIGFPE, "SIGFPE", "arithmetic fault, such as an integer division by zero"},
        {SIGILL, "SIGILL", "illegal instruction"}, {SIGTERM, "SIGTERM", "asked to terminate"},
        {SIGINT, "SIGINT", "interrupted"},
#if defined(SIGKILL)
        {SIGKILL, "SIGKILL", "killed by itself, by somebody, or by a system out of memory"},
        {SIGBUS, "SIGBUS", "misaligned access, or memory that is not there"},
        {SIGTRAP, "SIGTRAP", "trap, such as a failed check of the compiler's"},
        {SIGPIPE, "SIGPIPE", "wrote where nobody reads"}, {SIGHUP, "SIGHUP", "hung up"}, {SIGQUIT, "SIGQUIT", "quit"},
        {SIGALRM, "SIGALRM", "alarm clock"}, {SIGSYS, "SIGSYS", "forbidden system call"},
        {SIGXCPU, "SIGXCPU", "processor time limit"}, {SIGXFSZ, "SIGXFSZ", "file size limit"},
        {SIGUSR1, "SIGUSR1", "user signal 1"}, {SIGUSR2, "SIGUSR2", "user signal 2"},
#endif
  });
  for (const Entry& entry : known)
    if (entry.number == number) return {entry.name, entry.meaning};
  return {"a signal", "without a common meaning"};
}

ASSAY_DETAIL_HEADER_INLINE std::string description_of(const Ending& ending) {
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

ASSAY_DETAIL_HEADER_INLINE std::string label_of(const Ending& ending) {
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

ASSAY_DETAIL_HEADER_INLINE std::string reason_of(const Ending& ending) {
  switch (ending.kind) {
    case Ending::Kind::signal: return "the case ended its process by " + description_of(ending);
    case Ending::Kind::exit:
      return "the case ended its process with exit code " + std::to_string(ending.number) +
             " instead of returning an outcome";
    case Ending::Kind::timeout:
      return "the case did not return within " + ending.detail + ", and its process was killed";
    case Ending::Kind::memory: return "the case's process held " + ending.detail + ", and was killed";
    case Ending::Kind::channel: return "the case " + ending.detail;
    case Ending::Kind::unknown: break;
  }
  return "the case's process ended, and somebody else took its status (a handler of SIGCHLD in this program?)";
}

}  // namespace assay::inline v0::detail
