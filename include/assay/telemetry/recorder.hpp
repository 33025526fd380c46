#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "assay/telemetry/recording.hpp"
#include "assay/telemetry/source.hpp"

namespace assay::inline v0 {

/// How sources are recorded.
struct RecorderOptions {
  double interval_seconds = 0.1;  ///< from the beginning of one poll of a source to that of the next
  bool keep = true;               ///< in memory: false where an observer writes it all down
  /// Called for what each poll brought, one call at a time; sensors are positions in the recorder's list.
  std::function<void(const std::vector<Reading>&, const std::vector<TelemetryEvent>&)> observer;
};

/// Records sources in the background, a thread each: a source that is slow delays no other.
///
/// `start` and `stop` are called by one thread; `so_far` by any.
class Recorder {
 public:
  /// Precondition: `interval_seconds` is above 0.
  explicit Recorder(std::vector<AnySource> sources, RecorderOptions options = {});
  ~Recorder() { static_cast<void>(stop()); }
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  /// Devices and sensors of all sources, without readings.
  [[nodiscard]] const Recording& description() const noexcept { return description_; }

  /// Begins, once.
  void start();
  /// Polls once more, ends, and gives what was recorded; what it gave before if it has ended.
  [[nodiscard]] Recording stop();
  /// A copy of what was recorded until now. O(readings).
  [[nodiscard]] Recording so_far();

 private:
  void follow(std::size_t source);
  void poll(std::size_t source);
  [[nodiscard]] static std::int64_t now();
  [[nodiscard]] static std::string wall_clock_text();

  std::vector<AnySource> sources_;
  RecorderOptions options_;
  std::vector<std::size_t> first_sensor_;  ///< of each source
  Recording description_, recording_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool ending_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/telemetry/recorder.ipp"
#endif
