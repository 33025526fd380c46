#pragma once

#include "assay/telemetry/serve_readings.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <set>
#include <vector>

#include "assay/core/config.hpp"
#include "assay/core/monotonic_time.hpp"
#include "assay/core/printed_number.hpp"
#include "assay/telemetry/detail/reading_worker.hpp"
#include "assay/telemetry/detail/shared_library.hpp"
#include "assay/telemetry/open_vendor_library.hpp"

namespace assay::inline v0 {

namespace detail {

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE bool send_whole(const std::string& text) {
  for (std::size_t sent = 0; sent < text.size();) {
    const ssize_t size = send_some(worker_channel, text.data() + sent, text.size() - sent, true);
    if (size <= 0) return false;
    sent += static_cast<std::size_t>(size);
  }
  return true;
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string description_text(const std::string& name,
                                                                      const VendorLibrary& library) {
  std::string text = "L\t" + worker_field(name) + "\n";
  for (const TelemetryDevice& device : library.devices())
    text += "D\t" + worker_field(device.id) + "\t" + worker_field(device.name) + "\t" + worker_field(device.kind) +
            "\t" + worker_field(device.parent) + "\n";
  for (const Sensor& sensor : library.sensors())
    text += "S\t" + std::to_string(sensor.device) + "\t" + std::string(name_of(sensor.quantity)) + "\t" +
            worker_field(sensor.name) + "\t" + worker_field(sensor.limits) + "\t" + printed_number(sensor.scale, 17) +
            "\t" + (sensor.wraps_at ? std::to_string(*sensor.wraps_at) : "") + "\t" + (sensor.seldom ? "1" : "0") +
            "\n";
  return text + ".\n";
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string reading_text(const Reading& reading, const Sensor& sensor) {
  const std::string place = "\t" + std::to_string(reading.sensor) + "\t" + std::to_string(reading.nanoseconds) + "\t";
  if (!reading.has_value())
    return "n" + place + std::string(name_of(reading.state)) + "\t" + worker_field(reading.reason) + "\n";
  if (is_counter(sensor.quantity) || sensor.quantity == Quantity::throttle_reasons)
    return "c" + place + std::to_string(reading.count) + "\n";
  return "v" + place + printed_number(reading.value, 17) + "\n";
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE int serve_readings(const std::string& name, const std::string& path) {
  if (::fcntl(detail::worker_channel, F_GETFD) < 0 || ::fcntl(detail::worker_page, F_GETFD) < 0) {
    std::fputs("assay: this serves readings to another process, which starts it\n", stderr);
    return 2;
  }
  void* const page =
      ::mmap(nullptr, detail::worker_page_size, PROT_READ | PROT_WRITE, MAP_SHARED, detail::worker_page, 0);
  if (page == MAP_FAILED) return 2;
  auto* const asking = static_cast<volatile std::uint64_t*>(page);
  detail::leave_with_channel(detail::worker_channel);

  const auto library = open_vendor_library(name, path);
  if (!library) {
    const ErrorKind kind = library.error().kind;
    const char* const text = kind == ErrorKind::unsupported ? "unsupported"
                             : kind == ErrorKind::not_found ? "not_found"
                                                            : "device";
    static_cast<void>(
        detail::send_whole(std::string("E\t") + text + "\t" + detail::worker_field(library.error().message) + "\n"));
    ::_exit(0);
  }
  VendorLibrary& source = *library.value();
  if (!detail::send_whole(detail::description_text(name, source))) ::_exit(0);
  std::set<std::size_t> skipped;
  std::string received;
  for (;;) {
    char buffer[4096];
    const ssize_t size = ::recv(detail::worker_channel, buffer, sizeof buffer, 0);
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) ::_exit(0);
    received.append(buffer, static_cast<std::size_t>(size));
    for (std::size_t end = received.find('\n'); end != received.npos; end = received.find('\n')) {
      const std::vector<std::string> fields = detail::fields_of(received.substr(0, end));
      received.erase(0, end + 1);
      if (fields[0] == "x" && fields.size() == 2) skipped.insert(static_cast<std::size_t>(std::stoull(fields[1])));
      if (fields[0] != "p" && fields[0] != "q") continue;
      std::string answer;
      for (std::size_t sensor = 0; sensor < source.sensors().size(); ++sensor) {
        if (fields[0] == "p" && source.sensors()[sensor].seldom) continue;
        const std::int64_t before = detail::monotonic_nanoseconds();
        if (skipped.count(sensor) > 0) {
          answer += detail::reading_text(Reading::none(sensor, before, ReadingState::failed, "not asked"),
                                         source.sensors()[sensor]);
          continue;
        }
        asking[0] = sensor;
        const Reading reading = source.read(sensor);
        answer += detail::reading_text(reading, source.sensors()[sensor]);
        // What a slow call comes after is told at once, so that the next one's hanging does not cost it.
        if (detail::monotonic_nanoseconds() - before > 10'000'000) {
          if (!detail::send_whole(answer)) ::_exit(0);
          answer.clear();
        }
      }
      if (!detail::send_whole(answer + ".\n")) ::_exit(0);
    }
  }
}

}  // namespace assay::inline v0
