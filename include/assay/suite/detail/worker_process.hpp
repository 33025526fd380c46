#pragma once

#include <fcntl.h>
#include <sys/types.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#if defined(__linux__)
#include <sys/prctl.h>
#endif

#include "assay/core/process/child_process.hpp"
#include "assay/core/process/ending.hpp"
#include "assay/core/process/file_descriptor.hpp"
#include "assay/core/process/worker_output.hpp"
#include "assay/core/result.hpp"
#include "assay/suite/detail/case_server.hpp"
#include "assay/suite/serve_cases.hpp"

extern char** environ;

namespace assay::inline v0::detail {

/// The resident memory of a process in bytes, as /proc tells it. O(1), some microseconds.
[[nodiscard]] std::optional<std::uint64_t> resident_bytes_of(pid_t process);

/// A child process that serves cases, with the group of processes that it leads. The destructor kills the group.
class WorkerProcess {
 public:
  /// Forks a worker, and executes `command` in it, with `environment` beside the variables of this process, unless that
  /// is empty. `foreign` are descriptors that it must not hold.
  [[nodiscard]] static Result<WorkerProcess> start(const Suite& suite, const std::vector<std::string>& command,
                                                   const std::vector<std::string>& environment,
                                                   const std::vector<int>& foreign);

  [[nodiscard]] int channel() const noexcept { return channel_.number(); }
  [[nodiscard]] int output() const noexcept { return output_.number(); }
  void close_channel() { FileDescriptor closed = std::move(channel_); }
  [[nodiscard]] std::optional<std::uint64_t> resident_bytes() const { return resident_bytes_of(process_.number()); }

  /// How the process ended, if it has. The rest of its group ends with it.
  [[nodiscard]] std::optional<Ending> ended() { return process_.ended(); }
  /// Kills the whole group if it is still there.
  Ending kill() { return process_.kill(); }

  /// The last bytes of its output, at least `size` of them if there are so many. A large output is thrown away on the
  /// way.
  [[nodiscard]] std::string last_output(std::size_t size) const { return output_.last(size); }
  /// Keeps the file of the output small while a case writes and writes.
  void limit_output(std::size_t size) { output_.limit(size); }
  void forget_output() { output_.forget(); }

 private:
  WorkerProcess(pid_t process, FileDescriptor channel, WorkerOutput output)
      : process_(process, true), channel_(std::move(channel)), output_(std::move(output)) {}

  [[nodiscard]] static std::vector<std::string> environment_of_worker(int channel, const std::vector<std::string>& own);

  [[nodiscard]] static std::string name_of_variable(const std::string& variable) {
    return variable.substr(0, variable.find('='));
  }

  [[nodiscard]] static std::vector<char*> pointers_to(std::vector<std::string>& texts) {
    std::vector<char*> pointers;
    for (std::string& text : texts) pointers.push_back(text.data());
    pointers.push_back(nullptr);
    return pointers;
  }

  /// In the child: what belongs to the parent alone is given up.
  static void detach_from(pid_t parent, int output);

  /// noexcept: nothing may unwind into the frames that the child has of its parent.
  [[noreturn]] static void serve_and_leave(const Suite& suite, int channel) noexcept {
    CaseServer(suite, channel).serve();
    ::_exit(EXIT_SUCCESS);
  }

  [[noreturn]] static void execute(int channel, const std::vector<char*>& arguments,
                                   const std::vector<char*>& variables);

  ChildProcess process_;
  FileDescriptor channel_;
  WorkerOutput output_;
};

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/suite/detail/worker_process.ipp"
#endif
