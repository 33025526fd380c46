#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "assay/core/result.hpp"
#include "assay/telemetry/detail/sysfs_attribute.hpp"
#include "assay/telemetry/source.hpp"

namespace assay::inline v0 {

/// What a line of a kernel's log says of a device's health; nothing where it says nothing. Lines of /dev/kmsg, of dmesg
/// and of journalctl (-k -o short, short-monotonic, cat) are understood. The time is the line's own, in nanoseconds
/// since boot, where it has one, else 0. O(length).
///
/// Kinds: xid (NVIDIA's driver), lost (it fell off the bus), aer (PCIe), machine_check, edac (memory), ras (AMD's GPUs
/// and processors), thermal (a processor was slowed), link (NVLink, InfiniBand).
[[nodiscard]] std::optional<TelemetryEvent> kernel_log_event(std::string_view line);

/// The events of a whole log, in the order of its lines.
[[nodiscard]] std::vector<TelemetryEvent> kernel_log_events(std::string_view text);

/// Where messages of the kernel come from.
struct KernelLogOptions {
  std::filesystem::path path = "/dev/kmsg";  ///< or a file that grows, such as /var/log/kern.log
  bool from_beginning = false;  ///< also what was told before the source was opened, since boot or in the file
};

/// A `Source` that counts messages of the kernel by kind, and hands them out as events. Needs the right to read the
/// log. The counter "overrun" counts stretches of messages that were overwritten before they were read.
class KernelLogSource {
 public:
  /// Errors: `not_found`; `io` where the log may not be read (kernel.dmesg_restrict, or no root).
  [[nodiscard]] static Result<KernelLogSource> open(KernelLogOptions options = {});

  /// "kernel_log".
  [[nodiscard]] std::string name() const { return "kernel_log"; }
  [[nodiscard]] const std::vector<TelemetryDevice>& devices() const noexcept { return devices_; }
  [[nodiscard]] const std::vector<Sensor>& sensors() const noexcept { return sensors_; }
  [[nodiscard]] std::vector<Reading> poll();
  [[nodiscard]] std::vector<TelemetryEvent> take_events() { return std::exchange(events_, {}); }

 private:
  explicit KernelLogSource(KernelLogOptions options);
  void take_line(std::string_view line, std::int64_t now);

  KernelLogOptions options_;
  detail::FileDescriptor file_;
  bool records_ = false;  ///< each read is one message
  std::string rest_;      ///< of a file: the beginning of a line
  std::string problem_;
  std::vector<TelemetryDevice> devices_;
  std::vector<Sensor> sensors_;
  std::map<std::string, std::uint64_t> counts_;
  std::vector<TelemetryEvent> events_;
};

static_assert(Source<KernelLogSource>);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/telemetry/kernel_log.ipp"
#endif
