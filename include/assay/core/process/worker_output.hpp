#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "assay/core/process/file_descriptor.hpp"
#include "assay/core/result.hpp"

namespace assay::inline v0::detail {

/// The file that the standard streams of a worker lead to. The worker never waits for a reader, and it stays small as
/// long as `limit` is called now and then.
class WorkerOutput {
 public:
  WorkerOutput() = default;
  explicit WorkerOutput(FileDescriptor file) : file_(std::move(file)) {}

  /// A file without a name.
  [[nodiscard]] static Result<WorkerOutput> open();

  [[nodiscard]] int number() const noexcept { return file_.number(); }

  /// The last bytes, at least `size` of them if there are so many.
  [[nodiscard]] std::string last(std::size_t size) const;

  /// Throws all but the last `size` bytes away if there are more than 16 MiB.
  void limit(std::size_t size);
  /// What was kept when the rest was thrown away is no longer wanted.
  void forget() { earlier_.clear(); }

 private:
  FileDescriptor file_;
  std::string earlier_;
};

/// The last line of a text that has more than white space, without the white space at its end.
[[nodiscard]] std::string_view last_line(std::string_view text);

/// The last words of a process: the end of what it printed, at most `size` bytes, as one line.
[[nodiscard]] std::string last_words(const WorkerOutput& output, std::size_t size = 600);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/core/process/worker_output.ipp"
#endif
