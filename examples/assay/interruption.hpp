#pragma once

#include <atomic>

namespace assay_program {

/// Turns the first SIGINT or SIGTERM into a stop request, after which the running cases end and the report is written;
/// the second one ends the program at once. With a report to write, a broken pipe and a file that outgrows its limit
/// become errors of the write, no reason to end. Afterwards signals are handled as before; a handler of SIGINT that was
/// there, such as Python's, is told of the interruption then. Lasts from construction to destruction; one at a time.
class Interruption {
 public:
  explicit Interruption(bool report_to_write);
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  [[nodiscard]] const std::atomic<bool>& requested() const noexcept;
};

}  // namespace assay_program
