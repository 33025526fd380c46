#pragma once

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "assay/core/checksum.hpp"
#include "assay/core/process/file_descriptor.hpp"
#include "assay/performance/detail/history_line_scanner.hpp"
#include "assay/performance/history_store.hpp"
#include "assay/report/write_file.hpp"

/// A history as a file of JSON lines, a run a line, appended and never changed: it lives in a repository or on a shared
/// disk, and grep and jq read it. README.md explains the form.
namespace assay::inline v0 {

/// What every line begins with. Other values are refused; members that a reader does not know, it skips.
inline constexpr const char* history_schema = "assay-history/1";

namespace detail {

inline constexpr std::string_view line_head = "{\"schema\":\"assay-history/";
inline constexpr std::string_view checksum_head = ",\"crc32\":\"";
inline constexpr std::size_t line_end_length = 20;  // ,"crc32":"01234567"}

/// The line without its newline, from the members before the checksum, which is of all that stands before its comma.
[[nodiscard]] inline std::string checked_line(std::string body) {
  char text[9];
  std::snprintf(text, sizeof text, "%08x", static_cast<unsigned>(crc32(body)));
  return body.append(checksum_head).append(text).append("\"}");
}

/// What stands behind lines that were found torn.
[[nodiscard]] inline std::string torn_marker() {
  return checked_line(std::string("{\"schema\":\"") + history_schema + "\",\"torn\":true");
}

[[nodiscard]] std::string history_line(const HistoryRun& run);

/// Reads lines; `name` is that of the file, for messages.
[[nodiscard]] Result<History> read_history_lines(std::string_view text, const std::string& name);

}  // namespace detail

/// How a file of lines is used.
struct JsonlHistoryOptions {
  bool to_medium =
      true;  ///< `append` returns when the run survives a loss of power; false: a kill of the process, which is quicker
};

/// A `HistoryStore` on a file of JSON lines. Any number of processes may append and read at the same time (advisory
/// locks: flock).
///
/// - A line is written in one call and ends with its CRC-32. A writer killed within leaves a torn last line: `load`
///   warns of it, and the next `append` begins a new line and marks the torn one as such.
/// - Damage elsewhere is an error that names the line. What `load` cannot see is the loss of whole lines.
/// - `load` is O(bytes): about 200 MB/s where lines are as `append` writes them, a third of that otherwise.
class JsonlHistory {
 public:
  /// The file need not exist; the first `append` makes it.
  explicit JsonlHistory(std::filesystem::path path, JsonlHistoryOptions options = {})
      : path_(std::move(path)), options_(options) {}

  /// The file.
  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

  /// Errors beside those of the concept: `malformed` where the file begins as no history does.
  [[nodiscard]] Result<void> append(const HistoryRun& run) { return append(std::span(&run, 1)); }

  /// Appends all of the runs or none, with one flush to the medium.
  [[nodiscard]] Result<void> append(std::span<const HistoryRun> runs);

  [[nodiscard]] Result<History> load() const;

 private:
  [[nodiscard]] static bool lock(int file, int kind) {
    int done = 0;
    do done = ::flock(file, kind);
    while (done != 0 && errno == EINTR);
    return done == 0;
  }

  [[nodiscard]] Failure refused(const std::string& why, const char* what = "append to") const {
    return failure(ErrorKind::io,
                   std::string("cannot ") + what + " '" + path_.string() + "': " + why + ": " + std::strerror(errno));
  }

  /// What must stand between the end of a file of `size` bytes and a new line.
  [[nodiscard]] Result<std::string> beginning_after(int file, std::size_t size) const;

  std::filesystem::path path_;
  JsonlHistoryOptions options_;
};

static_assert(HistoryStore<JsonlHistory>);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/performance/history_jsonl.ipp"
#endif
