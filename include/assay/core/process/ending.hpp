#pragma once

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

/// "signal 11 (SIGSEGV: invalid memory access, or a stack overflow)", "exit code 3", …, after "its worker ended: ".
[[nodiscard]] std::string description_of(const Ending& ending);

/// The value of the label "ended": short, and the same for the same cause.
[[nodiscard]] std::string label_of(const Ending& ending);

/// The reason of a case that ended its worker.
[[nodiscard]] std::string reason_of(const Ending& ending);

inline constexpr const char* closed_its_channel =
    "closed its process's channel to the runner, over which its outcome would have come (does it close descriptors "
    "that are not its own?)";

/// The cause of an end: what the system says, unless it only says that we killed the process.
[[nodiscard]] inline Ending true_ending(Ending seen, const Ending& status) {
  const bool by_our_hand =
      status.kind == Ending::Kind::unknown || (status.kind == Ending::Kind::signal && status.number == 9);
  if (!by_our_hand) seen = status;
  if (seen.kind == Ending::Kind::exit && seen.number == exit_code_of_lost_channel)
    return {Ending::Kind::channel, 0, closed_its_channel};
  return seen;
}

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/core/process/ending.ipp"
#endif
