#pragma once

#include <cstdint>
#include <string>

namespace assay::inline v0 {

/// Something that happened at a time: a message of a driver, a device that went.
struct TelemetryEvent {
  std::int64_t nanoseconds = 0;  ///< by the monotonic clock, see `Reading`
  std::string device;            ///< as it was named where it was told: "0000:3b:00.0"; may be empty
  std::string kind;              ///< xid, aer, machine_check, edac, ras, thermal, lost
  int code = 0;                  ///< of an XID; 0 elsewhere
  /// What it asks for: "reset", "reboot", "drain", "restart application", "none".
  std::string action;
  bool fatal = false;  ///< the device cannot be trusted with work before `action` was done
  std::string text;    ///< as it was told
};

}  // namespace assay::inline v0
