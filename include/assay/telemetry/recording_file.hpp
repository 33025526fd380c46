#pragma once

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "assay/core/result.hpp"
#include "assay/telemetry/recording.hpp"

/// Recordings as files of JSON lines: a line that describes devices and sensors, then a line a poll. They are appended
/// and never changed, so that what was recorded before a crash is there. README.md explains the form.
namespace assay::inline v0 {

/// What the first line says. Other values are refused; members that a reader does not know, it skips.
inline constexpr const char* recording_schema = "assay-telemetry/1";

/// Writes a recording while it is made. Each line is written in one call; a line that a kill cut off is told by the
/// reader. Not thread-safe; a `Recorder` calls its observer one at a time.
class RecordingWriter {
 public:
  /// Makes the file, which must not exist, or be empty. Errors: `io`.
  [[nodiscard]] static Result<RecordingWriter> create(const std::filesystem::path& path, const Recording& description);

  /// Writes what a poll brought. The first failure is kept (`status`), and nothing is written after it.
  void write(const std::vector<Reading>& readings, const std::vector<TelemetryEvent>& events);
  /// Writes when the recording ended. Success, or the first thing that went wrong.
  [[nodiscard]] Result<void> finish(std::int64_t end_nanoseconds);
  /// What went wrong so far, for whoever wants to stop.
  [[nodiscard]] const std::string& problem() const noexcept { return problem_; }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  RecordingWriter(std::unique_ptr<std::FILE, Close> file, std::string name, const Recording& description)
      : file_(std::move(file)),
        name_(std::move(name)),
        sensors_(description.sensors),
        begin_(description.begin_nanoseconds) {}

  void line(const std::string& text);

  std::unique_ptr<std::FILE, Close> file_;
  std::string name_, problem_;
  std::vector<Sensor> sensors_;
  std::int64_t begin_;
};

/// Reads a recording. A last line that was not written to its end is left out, with a warning. Errors: `not_found`,
/// `io`, `malformed` with the number of the line.
[[nodiscard]] Result<Recording> read_recording(const std::filesystem::path& path);

/// The same of a text; `name` is for messages.
[[nodiscard]] Result<Recording> recording_of(std::string_view text, const std::string& name = "the recording");

/// Writes a whole recording. Errors: `io`, also where the file exists.
[[nodiscard]] Result<void> write_recording(const Recording& recording, const std::filesystem::path& path);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/telemetry/recording_file.ipp"
#endif
