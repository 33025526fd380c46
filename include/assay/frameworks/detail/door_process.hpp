#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/process/executed_worker.hpp"
#include "assay/core/result.hpp"
#include "assay/frameworks/detail/door_message.hpp"

namespace assay::inline v0::detail {

/// The parent's side of a worker: started when it is needed, and again after it ended.
class DoorProcess {
 public:
  DoorProcess(std::vector<std::string> command, double seconds) : command_(std::move(command)), seconds_(seconds) {}

  /// Errors: the worker's; `timed_out`; `device` where it ended, with how and its last words; `malformed`.
  [[nodiscard]] Result<DoorAnswer> ask(const DoorRequest& request);

 private:
  std::mutex asking_;
  std::vector<std::string> command_;
  double seconds_;
  std::optional<ExecutedWorker> worker_;
};

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/frameworks/detail/door_process.ipp"
#endif
