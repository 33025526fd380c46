#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/result.hpp"
#include "assay/telemetry/source.hpp"

namespace assay::inline v0 {

/// How a vendor's library is asked in another process.
struct WorkerOptions {
  /// The program that calls `serve_readings`, and its arguments; a name without '/' is looked for in PATH. Never empty.
  std::vector<std::string> command;
  double deadline_seconds = 1;     ///< of a poll; the worker is killed then
  double start_seconds = 10;       ///< of starting: drivers that are not kept loaded take seconds
  double seldom_seconds = 5;       ///< how often limits and counts of errors are read
  std::size_t most_restarts = 20;  ///< after which all its readings are failed
};

namespace detail {
class ReadingWorker;
}

/// A `Source` that has a library asked by a worker, a process of its own. A library that hangs, aborts, prints or ends
/// its process costs readings (`failed`, with the reason), and the worker is started again. A sensor that ended two
/// workers is not asked any more. A device that a new worker does not find is `lost`.
class WorkerSource {
 public:
  /// Starts the worker. Errors: what `open_vendor_library` says there; `timed_out`; `device` where it ended; `io` where
  /// no process could be started.
  [[nodiscard]] static Result<WorkerSource> open(WorkerOptions options);

  /// The worker goes with the source.
  WorkerSource(WorkerSource&&) noexcept;
  /// The worker that was there ends.
  WorkerSource& operator=(WorkerSource&&) noexcept;
  ~WorkerSource();

  /// Of the library.
  [[nodiscard]] std::string name() const { return name_; }
  [[nodiscard]] const std::vector<TelemetryDevice>& devices() const noexcept { return devices_; }
  [[nodiscard]] const std::vector<Sensor>& sensors() const noexcept { return sensors_; }
  /// Takes the deadline at most, and the time of a start where the worker ended before.
  [[nodiscard]] std::vector<Reading> poll();

  /// How often the worker was started anew.
  [[nodiscard]] std::size_t restarts() const noexcept { return restarts_; }

 private:
  explicit WorkerSource(WorkerOptions options);
  [[nodiscard]] bool due(std::size_t sensor, bool with_seldom) const { return with_seldom || !sensors_[sensor].seldom; }
  void restart();
  void blame(std::size_t sensor);

  WorkerOptions options_;
  std::string name_;
  std::vector<TelemetryDevice> devices_;
  std::vector<Sensor> sensors_;
  std::unique_ptr<detail::ReadingWorker> worker_;  ///< none: it ended
  std::vector<std::size_t> position_;              ///< of the worker's sensors among ours; past the end: a new one
  std::vector<std::string> why_not_;               ///< by sensor, why it is not asked; empty: it is
  std::vector<unsigned> blamed_;                   ///< by sensor, how many workers it ended
  std::string problem_;                            ///< why there is no worker
  std::size_t restarts_ = 0;
  std::int64_t seldom_due_ = 0;
};

static_assert(Source<WorkerSource>);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/telemetry/worker_source.ipp"
#endif
