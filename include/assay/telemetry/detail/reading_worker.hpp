#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "assay/core/process/executed_worker.hpp"
#include "assay/core/result.hpp"

namespace assay::inline v0::detail {

/// Descriptors of a worker: the channel, lines of text in both directions, and a page that both processes see, in which
/// the worker says what it is asking.
inline constexpr int worker_channel = ExecutedWorker::channel_number, worker_page = 4;
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
      : worker_(std::move(other.worker_)), page_(std::exchange(other.page_, nullptr)) {}
  ReadingWorker& operator=(ReadingWorker&&) = delete;
  ~ReadingWorker();

  /// Errors of both: those of `ExecutedWorker`.
  [[nodiscard]] Result<void> send(const std::string& line, std::int64_t deadline) {
    return worker_.send(line, deadline);
  }
  [[nodiscard]] Result<std::string> receive(std::int64_t deadline) {
    return worker_.receive_line(deadline, std::uint64_t{1} << 20);
  }
  /// The sensor that it is asking, or asked last; past the end if none.
  [[nodiscard]] std::size_t asking() const noexcept { return static_cast<std::size_t>(page_[0]); }
  /// Kills it, and says how it ended, if that was not by us, and its last words: "signal 6 (SIGABRT: abort)".
  std::string end();

 private:
  ReadingWorker(ExecutedWorker worker, volatile std::uint64_t* page) : worker_(std::move(worker)), page_(page) {}

  ExecutedWorker worker_;
  volatile std::uint64_t* page_;
};

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/telemetry/detail/reading_worker.ipp"
#endif
