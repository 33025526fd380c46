#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "assay/core/process/child_process.hpp"
#include "assay/core/process/ending.hpp"
#include "assay/core/process/file_descriptor.hpp"
#include "assay/core/process/worker_output.hpp"
#include "assay/core/result.hpp"

namespace assay::inline v0::detail {

/// A time on the monotonic clock, in nanoseconds, that never comes.
inline constexpr std::int64_t no_deadline = std::numeric_limits<std::int64_t>::max();

/// The time on the monotonic clock in so many seconds.
[[nodiscard]] std::int64_t deadline_in(double seconds) noexcept;

/// What is executed, and what it is given.
struct WorkerCommand {
  /// The name of a program, which is looked for in PATH unless it has a '/', and its arguments. Never empty.
  std::vector<std::string> arguments;
  std::string program = {};       ///< what is executed, where that is not what the first argument says
  bool channel = true;            ///< whether it speaks with this process, over its descriptor 3
  std::vector<int> shared = {};   ///< descriptors of this process that it has as 4, 5 and so on; at most 8
  std::string log = {};           ///< the file of what it prints, written anew; empty: one without a name
  bool own_group = true;          ///< it leads a group of processes, which dies with it; else it is of this one's group
  bool ends_with_thread = false;  ///< on Linux its group is killed when the thread that starts it ends, even if by kill
};

/// A foreign program in a process that is executed, never forked: what hangs, crashes, floods or forks there costs an
/// answer, and never this process. It has nothing of this one but what `WorkerCommand` names: other descriptors are
/// closed, standard input is empty, signals have their usual effects, and what it prints goes to a file.
///
/// Each call has a deadline on the monotonic clock. Errors of all calls: `timed_out`; `aborted` where the process ended
/// or closed the channel; `malformed` where it sent what is no message. After any of them call `end`.
class ExecutedWorker {
 public:
  static constexpr int channel_number = 3;  ///< the channel's descriptor in the worker

  /// Errors: `io` where it cannot be executed, `out_of_memory`.
  [[nodiscard]] static Result<ExecutedWorker> start(const WorkerCommand& command);

  /// Sends bytes as they are. What the worker says meanwhile is kept.
  [[nodiscard]] Result<void> send(std::string_view bytes, std::int64_t deadline);
  /// A message: eight bytes of its length, in the machine's order, and it.
  [[nodiscard]] Result<void> send_message(std::string_view message, std::int64_t deadline);
  /// The next message, of at most `longest` bytes.
  [[nodiscard]] Result<std::string> receive_message(std::int64_t deadline, std::uint64_t longest);
  /// Sends a message, and waits for the next one.
  [[nodiscard]] Result<std::string> ask(std::string_view message, std::int64_t deadline, std::uint64_t longest);
  /// The next line without its end, of at most `longest` bytes.
  [[nodiscard]] Result<std::string> receive_line(std::int64_t deadline, std::uint64_t longest);

  /// How it ended, if it has, by itself or because it is past its deadline (`Ending::Kind::timeout`). Never waits.
  [[nodiscard]] std::optional<Ending> ended(std::int64_t deadline);

  /// Waits until it has ended, or kills it at the deadline.
  Ending wait(std::int64_t deadline);

  /// Kills it, with its group, and says how it ended if that was before: by a signal, with an exit code, or, where it
  /// lived on without its channel, `channel`; else `timeout`.
  Ending end();

  /// The last bytes of what it printed, at least `size` of them if there are so many. After its end, too.
  [[nodiscard]] const WorkerOutput& output() const noexcept { return output_; }

 private:
  ExecutedWorker(ChildProcess process, FileDescriptor channel, WorkerOutput output, bool limited)
      : process_(std::move(process)), channel_(std::move(channel)), output_(std::move(output)), limited_(limited) {}

  /// Waits until the channel is ready for some of `events`, and says for which; aborted where nobody is left who could
  /// make it so.
  [[nodiscard]] Result<short> await(short events, std::int64_t deadline);
  /// Takes what is there; nothing is no error.
  [[nodiscard]] Result<void> take_received();
  [[nodiscard]] Result<void> receive_more(std::int64_t deadline);

  ChildProcess process_;
  FileDescriptor channel_;
  WorkerOutput output_;
  bool limited_;          ///< whether the file of the output is to stay small
  std::string received_;  ///< and not taken yet
  std::optional<Ending> ending_;
};

/// Ends this process, without destructors, when the other end of a channel is closed or its process dies; from a thread
/// of its own, whatever the others do. For workers.
void leave_with_channel(int descriptor);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/core/process/executed_worker.ipp"
#endif
