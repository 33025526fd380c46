#pragma once

#include <sys/types.h>

#include <cstdint>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/result.hpp"
#include "assay/frameworks/detail/door_message.hpp"
#include "assay/suite/file_descriptor.hpp"

namespace assay::inline v0::detail {

/// The parent's side of a worker: started when it is needed, and again after it ended.
class DoorProcess {
 public:
  DoorProcess(std::vector<std::string> command, double seconds) : command_(std::move(command)), seconds_(seconds) {}
  DoorProcess(const DoorProcess&) = delete;
  DoorProcess& operator=(const DoorProcess&) = delete;
  ~DoorProcess() { static_cast<void>(end()); }

  /// Errors: the worker's; `timed_out`; `device` where it ended, with how and its last words; `malformed`.
  [[nodiscard]] Result<DoorAnswer> ask(const DoorRequest& request);

 private:
  [[nodiscard]] Result<void> start();
  /// Sends and receives until the deadline.
  [[nodiscard]] Result<std::string> converse(const std::string& bytes, std::int64_t deadline);
  /// Kills what is left of it, and says how it ended, if that was not by us.
  std::string end();
  [[nodiscard]] std::string last_words() const;

  std::mutex asking_;
  std::vector<std::string> command_;
  double seconds_;
  pid_t process_ = -1;
  FileDescriptor channel_, output_;
};

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/frameworks/detail/door_process.ipp"
#endif
