#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include <sys/types.h>

#include "assay/core/result.hpp"

namespace assay_program {

/// How a command ended.
struct StageEnding {
  int exit_code = 0;       ///< of a command that exited
  int signal = 0;          ///< that killed it; 0: it exited
  bool timed_out = false;  ///< it took longer than it may, and was killed
  double seconds = 0;
};

/// A command in a process group of its own, with what it prints in `log`; the group is killed when the command ends,
/// when its time is over, with this object, and, where Linux tells of it, with the thread that started it, even if that
/// is killed.
class StageProcess {
 public:
  /// "assay" as the program is this one. Errors: `io` where no process can be made; a program that is not there is one
  /// that ends with 127.
  [[nodiscard]] static assay::Result<StageProcess> start(const std::vector<std::string>& command,
                                                         const std::filesystem::path& log, double seconds);
  StageProcess(StageProcess&& other) noexcept;
  StageProcess& operator=(StageProcess&& other) noexcept;
  ~StageProcess();

  /// Whether it has ended; one whose time is over is killed. Never waits.
  [[nodiscard]] bool ended();
  /// Once it has ended.
  [[nodiscard]] const StageEnding& ending() const noexcept { return ending_; }

 private:
  StageProcess(pid_t child, double most_seconds) : child_(child), most_seconds_(most_seconds) {}
  void kill() noexcept;

  pid_t child_;  ///< 0: none, or it has ended
  double most_seconds_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  StageEnding ending_;
};

/// Starts a command, and waits until it has ended. Errors: see `StageProcess::start`.
[[nodiscard]] assay::Result<StageEnding> run_stage_command(const std::vector<std::string>& command,
                                                           const std::filesystem::path& log, double seconds);

}  // namespace assay_program
