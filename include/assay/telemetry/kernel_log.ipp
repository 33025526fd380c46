#pragma once

#include "assay/telemetry/kernel_log.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <utility>

#include "assay/core/config.hpp"
#include "assay/core/monotonic_time.hpp"
#include "assay/telemetry/xid.hpp"

namespace assay::inline v0 {

namespace detail {

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE bool is_hexadecimal(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/// The first PCI address, "0000:3b:00.0"; a domain of eight digits becomes one of four. Empty if there is none.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string pci_address_in(std::string_view text) {
  for (std::size_t colon = text.find(':'); colon != text.npos; colon = text.find(':', colon + 1)) {
    std::size_t begin = colon;
    while (begin > 0 && is_hexadecimal(text[begin - 1])) --begin;
    const std::string_view domain = text.substr(begin, colon - begin), rest = text.substr(colon + 1);
    if ((domain.size() != 4 && domain.size() != 8) || rest.size() < 5) continue;
    const bool device = is_hexadecimal(rest[0]) && is_hexadecimal(rest[1]) && rest[2] == ':' &&
                        is_hexadecimal(rest[3]) && is_hexadecimal(rest[4]);
    if (!device) continue;
    std::string address = std::string(domain.substr(domain.size() - 4)) + ":" + std::string(rest.substr(0, 5));
    const bool function = rest.size() > 6 && rest[5] == '.' && rest[6] >= '0' && rest[6] <= '7';
    address += function ? std::string(rest.substr(5, 2)) : ".0";
    std::transform(address.begin(), address.end(), address.begin(),
                   [](char c) { return c >= 'A' && c <= 'F' ? static_cast<char>(c - 'A' + 'a') : c; });
    return address;
  }
  return {};
}

/// Seconds since boot with a fraction, as nanoseconds.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::optional<std::int64_t> boot_time_in(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  std::int64_t seconds = 0;
  const char* const end = text.data() + text.size();
  const auto whole = std::from_chars(text.data(), end, seconds);
  if (whole.ec != std::errc() || whole.ptr == end || *whole.ptr != '.' || seconds < 0 || seconds > 1'000'000'000)
    return std::nullopt;
  std::int64_t fraction = 0, unit = 1'000'000'000;
  const char* place = whole.ptr + 1;
  for (; place != end && *place >= '0' && *place <= '9' && unit > 1; ++place, unit /= 10)
    fraction = fraction * 10 + (*place - '0');
  if (place != end) return std::nullopt;
  return seconds * 1'000'000'000 + fraction * unit;
}

/// Splits a line into its time and what the kernel said.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::pair<std::int64_t, std::string_view> message_of(std::string_view line) {
  // /dev/kmsg: "6,339,5140900,-;text", the third number is microseconds.
  const std::size_t semicolon = line.find(';');
  if (semicolon != line.npos && semicolon < 64 && !line.empty() && line[0] >= '0' && line[0] <= '9') {
    const std::size_t first = line.find(','), second = line.find(',', first + 1);
    std::int64_t microseconds = 0;
    if (second < semicolon) {
      const auto parsed = std::from_chars(line.data() + second + 1, line.data() + semicolon, microseconds);
      if (parsed.ec == std::errc() && microseconds >= 0 && microseconds < 1'000'000'000'000'000)
        return {microseconds * 1000, line.substr(semicolon + 1)};
    }
  }
  // dmesg and short-monotonic: "[  123.456789] text", perhaps behind "<3>".
  const std::size_t open = line.find('['), close = line.find(']', open == line.npos ? 0 : open);
  if (open != line.npos && close != line.npos && open <= 4)
    if (const auto time = boot_time_in(line.substr(open + 1, close - open - 1))) return {*time, line.substr(close + 1)};
  return {0, line};
}

/// The code of an XID: the first whole number behind the address in parentheses, "Xid (PCI:0000:3b:00): 79, …".
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::optional<int> xid_code_in(std::string_view text, std::size_t after) {
  for (std::size_t colon = text.find(": ", after); colon != text.npos; colon = text.find(": ", colon + 1)) {
    int code = 0;
    const char* const end = text.data() + text.size();
    const auto parsed = std::from_chars(text.data() + colon + 2, end, code);
    if (parsed.ec == std::errc() && code >= 0 && (parsed.ptr == end || *parsed.ptr == ',' || *parsed.ptr == ' '))
      return code;
  }
  return std::nullopt;
}

/// Words that make a line an event. All of `words` must be in it.
struct LogPattern {
  const char* kind;
  const char* words[2];
  const char* action;
  bool fatal;
};

inline constexpr LogPattern log_patterns[] = {
    {"lost", {"NVRM", "fallen off the bus"}, "reboot", true},
    {"lost", {"NVRM", "GPU is lost"}, "reboot", true},
    {"ras", {"amdgpu", "uncorrectable hardware error"}, "reset", true},
    {"ras", {"amdgpu", "hardware error"}, "look at the counts of ECC errors", false},
    {"ras", {"amdgpu", "Uncorrectable error"}, "reset", true},
    {"ras", {"amdgpu", "RAS poison"}, "reset", true},
    {"ras", {"amdgpu", "GPU reset begin"}, "look for what came before", true},
    {"machine_check",
     {"[Hardware Error]: Machine check events logged", ""},
     "look at the machine-check records",
     false},
    {"machine_check", {"Machine Check Exception", ""}, "take the node out of service", true},
    {"machine_check", {"[Hardware Error]", "Uncorrected error"}, "take the node out of service", true},
    {"machine_check", {"[Hardware Error]", "Corrected error"}, "look at the counts of ECC errors", false},
    {"edac", {"EDAC", " UE "}, "replace the module", true},
    {"edac", {"EDAC", " CE "}, "look at the counts of ECC errors", false},
    {"aer", {"AER", "Uncorrected (Fatal)"}, "reset", true},
    {"aer", {"AER", "Uncorrected (Non-Fatal)"}, "look at the link", false},
    {"aer", {"severity=Uncorrected", "Fatal"}, "reset", true},
    {"aer", {"PCIe Bus Error", "severity=Corrected"}, "look at the link", false},
    {"aer", {"AER", "Corrected error"}, "look at the link", false},
    {"thermal", {"temperature above threshold", ""}, "look at the cooling", false},
    {"thermal", {"temperature/speed normal", ""}, "none", false},
    {"link", {"mlx5_core", "Link down"}, "look at the cable", false},
    {"ras", {"Memory failure:", "hardware memory corruption"}, "replace the module", true},
};

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE std::optional<TelemetryEvent> kernel_log_event(std::string_view line) {
  const auto [time, message] = detail::message_of(line.substr(0, 4096));
  std::string_view text = message;
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r' || text.back() == ' ')) text.remove_suffix(1);
  TelemetryEvent event;
  event.nanoseconds = time;
  event.text = std::string(text);
  const std::size_t xid = text.find("NVRM: Xid (");
  if (xid != text.npos) {
    const std::size_t close = text.find(')', xid);
    const auto code = close == text.npos ? std::nullopt : detail::xid_code_in(text, close);
    if (code) {
      event.kind = "xid";
      event.code = *code;
      const std::string_view address = text.substr(xid + 11, close - xid - 11);
      event.device = detail::pci_address_in(address);
      if (event.device.empty()) event.device = std::string(address);
      event.action = std::string(name_of(xid_action(*code)));
      event.fatal = is_fatal(xid_action(*code));
      return event;
    }
  }
  for (const detail::LogPattern& pattern : detail::log_patterns) {
    bool all = true;
    for (const char* word : pattern.words) all = all && text.find(word) != text.npos;
    if (!all) continue;
    event.kind = pattern.kind;
    event.device = detail::pci_address_in(text);
    event.action = pattern.action;
    event.fatal = pattern.fatal;
    return event;
  }
  return std::nullopt;
}

ASSAY_DETAIL_HEADER_INLINE std::vector<TelemetryEvent> kernel_log_events(std::string_view text) {
  std::vector<TelemetryEvent> events;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (auto event = kernel_log_event(text.substr(0, end))) events.push_back(std::move(*event));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return events;
}

ASSAY_DETAIL_HEADER_INLINE KernelLogSource::KernelLogSource(KernelLogOptions options) : options_(std::move(options)) {
  devices_.push_back({"kernel", "messages of the kernel", "kernel", ""});
  for (const char* kind : {"xid", "lost", "aer", "machine_check", "edac", "ras", "thermal", "link", "overrun"})
    sensors_.push_back({0, Quantity::events, kind, "", 1, {}, false});
}

ASSAY_DETAIL_HEADER_INLINE Result<KernelLogSource> KernelLogSource::open(KernelLogOptions options) {
  KernelLogSource source(std::move(options));
  const std::string name = source.options_.path.string();
  detail::FileDescriptor file(::open(name.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (file.number() < 0)
    return failure(errno == ENOENT ? ErrorKind::not_found : ErrorKind::io,
                   "cannot read '" + name + "': " + std::strerror(errno) +
                       (errno == EPERM || errno == EACCES ? "; run as root, or set kernel.dmesg_restrict to 0" : ""));
  struct stat status {};
  if (::fstat(file.number(), &status) != 0 || S_ISDIR(status.st_mode))
    return failure(ErrorKind::io,
                   "'" + name + "' is no log; name /dev/kmsg, or a file that the kernel's messages go to");
  source.records_ = S_ISCHR(status.st_mode);
  if (!source.options_.from_beginning) static_cast<void>(::lseek(file.number(), 0, SEEK_END));
  source.file_ = std::move(file);
  return source;
}

ASSAY_DETAIL_HEADER_INLINE void KernelLogSource::take_line(std::string_view line, std::int64_t now) {
  auto event = kernel_log_event(line);
  if (!event) return;
  event->nanoseconds = now;  // the clock of all readings; the line's own time is in a log that is kept elsewhere
  ++counts_[event->kind];
  events_.push_back(std::move(*event));
}

ASSAY_DETAIL_HEADER_INLINE std::vector<Reading> KernelLogSource::poll() {
  constexpr std::size_t most_bytes = std::size_t{4} << 20;  // a poll takes no longer than that
  const std::int64_t now = detail::monotonic_nanoseconds();
  char buffer[8192];
  for (std::size_t taken = 0; taken < most_bytes;) {
    const ssize_t size = ::read(file_.number(), buffer, sizeof buffer);
    if (size < 0 && errno == EINTR) continue;
    if (size < 0 && errno == EPIPE) {  // messages were overwritten before they were read
      ++counts_["overrun"];
      continue;
    }
    if (size < 0 && errno != EAGAIN) problem_ = std::string("cannot read the log: ") + std::strerror(errno);
    if (size <= 0) break;
    taken += static_cast<std::size_t>(size);
    const std::string_view text(buffer, static_cast<std::size_t>(size));
    if (records_) {
      take_line(text.substr(0, text.find('\n')), now);  // what follows are properties
      continue;
    }
    rest_.append(text);
    std::size_t begin = 0;
    for (std::size_t end = rest_.find('\n'); end != rest_.npos; end = rest_.find('\n', begin)) {
      take_line(std::string_view(rest_).substr(begin, end - begin), now);
      begin = end + 1;
    }
    rest_.erase(0, begin);
    if (rest_.size() > 65536) rest_.clear();  // no line of a log
  }
  std::vector<Reading> readings;
  for (std::size_t sensor = 0; sensor < sensors_.size(); ++sensor)
    readings.push_back(problem_.empty() ? Reading::counted(sensor, now, counts_[sensors_[sensor].name])
                                        : Reading::none(sensor, now, ReadingState::failed, problem_));
  return readings;
}

}  // namespace assay::inline v0
