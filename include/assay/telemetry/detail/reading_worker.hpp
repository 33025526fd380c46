#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "assay/core/result.hpp"
#include "assay/telemetry/detail/sysfs_attribute.hpp"
#include "assay/telemetry/sensor.hpp"

namespace assay::inline v0::detail {

/// Descriptors of a worker: the channel, lines of text in both directions, and a page that both processes see, in which
/// the worker says what it is asking.
inline constexpr int worker_channel = 3, worker_page = 4;
inline constexpr std::size_t worker_page_size = 4096;

/// The fields of a line, which tabs separate.
[[nodiscard]] std::vector<std::string> fields_of(std::string_view line);

/// A text as a field: tabs and newlines become spaces.
[[nodiscard]] std::string worker_field(std::string text);

/// The parent's side of a process that serves readings. The destructor kills it.
class ReadingWorker {
 public:
  /// Starts the process; it says nothing yet.
  [[nodiscard]] static Result<ReadingWorker> start(const std::vector<std::string>& command);

  ReadingWorker(ReadingWorker&& other) noexcept
      : process_(std::exchange(other.process_, -1)),
        channel_(std::move(other.channel_)),
        page_(std::exchange(other.page_, nullptr)),
        rest_(std::move(other.rest_)) {}
  ReadingWorker& operator=(ReadingWorker&&) = delete;
  ~ReadingWorker();

  [[nodiscard]] bool send(const std::string& line);
  /// The next line. Errors: `timed_out`; `aborted` where the worker ended.
  [[nodiscard]] Result<std::string> receive(std::int64_t deadline_nanoseconds);
  /// The sensor that it is asking, or asked last; past the end if none.
  [[nodiscard]] std::size_t asking() const noexcept;
  /// Kills it, and says how it ended, if that was not by us: "signal 6 (Aborted)".
  std::string end();

 private:
  ReadingWorker(pid_t process, OpenFile channel, volatile std::uint64_t* page)
      : process_(process), channel_(std::move(channel)), page_(page) {}

  pid_t process_;
  OpenFile channel_;
  volatile std::uint64_t* page_;
  std::string rest_;
};

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/telemetry/detail/reading_worker.ipp"
#endif
