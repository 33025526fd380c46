#pragma once

#include "assay/telemetry/detail/sysfs_attribute.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>

#include "assay/core/config.hpp"
#include "assay/core/printed_number.hpp"
#include "assay/telemetry/detail/sysfs_finder.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE SysfsText read_attribute(const std::filesystem::path& path, FileDescriptor& file,
                                                    bool keep_open, char* buffer) {
  constexpr std::size_t most = 4095;
  // An open file of /sys says ENODEV when its device has gone; in a recorded copy it has no name any more.
  struct stat status {};
  if (file.number() >= 0 && (::fstat(file.number(), &status) != 0 || status.st_nlink == 0))
    FileDescriptor closed = std::move(file), none;
  if (file.number() < 0) {
    // Not blocking: in a copied tree, a name may be a pipe.
    FileDescriptor opened(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    if (opened.number() < 0) return {{}, errno};
    file = std::move(opened);
  }
  ssize_t size = 0;
  do size = ::pread(file.number(), buffer, most, 0);
  while (size < 0 && errno == EINTR);
  const int error = size < 0 ? errno : 0;
  if (!keep_open || error != 0) FileDescriptor closed = std::move(file), none;
  if (error != 0) return {{}, error};
  std::string_view text(buffer, static_cast<std::size_t>(size));
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ' || text.back() == '\0')) text.remove_suffix(1);
  return {text, 0};
}

ASSAY_DETAIL_HEADER_INLINE std::optional<std::string> small_text(const std::filesystem::path& path) {
  char buffer[4096];
  FileDescriptor file;
  const SysfsText read = read_attribute(path, file, false, buffer);
  return read.error == 0 ? std::optional(std::string(read.text)) : std::nullopt;
}

ASSAY_DETAIL_HEADER_INLINE std::optional<std::int64_t> whole_number_of(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  return code == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

/// The state that an error of the system means, with what helps.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE Reading refused_reading(const SysfsAttribute& attribute, std::size_t sensor,
                                                                 std::int64_t now, int error) {
  const std::string what = "'" + attribute.path.string() + "': " + std::strerror(error);
  switch (error) {
    case ENOENT:
    case ENODEV:
    case ENXIO: return Reading::none(sensor, now, ReadingState::lost, what);
    case EOPNOTSUPP:
    case ENOSYS: return Reading::none(sensor, now, ReadingState::unsupported, what);
    case EACCES:
    case EPERM:
      return Reading::none(sensor, now, ReadingState::failed, what + "; run as root, or let your group read the file");
    default: return Reading::none(sensor, now, ReadingState::failed, what);
  }
}

/// The count in the line of that name; the sum of the counts for an empty name, where no line has one.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::optional<std::uint64_t> count_in_list(std::string_view text,
                                                                                    std::string_view key) {
  std::optional<std::uint64_t> sum, total;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t space = line.rfind(' ');
    if (space == line.npos) continue;
    const auto count = whole_number_of(line.substr(space + 1));
    if (!count || *count < 0) continue;
    const std::string_view name = line.substr(0, space);
    if (name == key) return static_cast<std::uint64_t>(*count);
    if (name.substr(0, 9) == "TOTAL_ERR")
      total = static_cast<std::uint64_t>(*count);
    else
      sum = sum.value_or(0) + static_cast<std::uint64_t>(*count);
  }
  if (!key.empty()) return std::nullopt;
  return total ? total : sum;
}

ASSAY_DETAIL_HEADER_INLINE void add_readings(const SysfsAttribute& attribute, const std::vector<Sensor>& sensors,
                                             const SysfsText& read, std::int64_t now, std::vector<Reading>& readings) {
  for (const SysfsAttribute::Target& target : attribute.targets) {
    const auto none = [&](ReadingState state, const std::string& why) {
      std::string given(read.text.substr(0, 40));
      std::replace_if(
          given.begin(), given.end(), [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
      readings.push_back(
          Reading::none(target.sensor, now, state, "'" + attribute.path.string() + "' reads '" + given + "': " + why));
    };
    if (read.error != 0) {
      readings.push_back(refused_reading(attribute, target.sensor, now, read.error));
      continue;
    }
    const std::optional<std::int64_t> number = whole_number_of(read.text);
    switch (attribute.form) {
      case SysfsForm::gauge:
        if (!number)
          none(ReadingState::failed, "not a whole number");
        else if (sensors[target.sensor].quantity == Quantity::temperature && *number <= -273150)
          none(ReadingState::unsupported, "below absolute zero, as drivers say that there is none");
        else
          readings.push_back(Reading::of(target.sensor, now, static_cast<double>(*number) * attribute.factor));
        break;
      case SysfsForm::counter: {
        std::uint64_t count = 0;
        const auto [end, code] = std::from_chars(read.text.data(), read.text.data() + read.text.size(), count);
        if (code != std::errc() || end != read.text.data() + read.text.size())
          none(ReadingState::failed, "not a count");
        else
          readings.push_back(Reading::counted(target.sensor, now, count, sensors[target.sensor].scale));
        break;
      }
      case SysfsForm::link_speed: {
        const std::optional<double> speed = read_number(read.text.substr(0, read.text.find(' ')));
        if (!speed || !(*speed > 0) || read.text.find("GT/s") == read.text.npos)
          none(ReadingState::unsupported, "no link");
        else
          readings.push_back(Reading::of(target.sensor, now, *speed * 1e9));
        break;
      }
      case SysfsForm::link_width:
        if (!number || *number <= 0 || *number == 63 || *number == 255)
          none(ReadingState::unsupported, "no link");
        else
          readings.push_back(Reading::of(target.sensor, now, static_cast<double>(*number)));
        break;
      case SysfsForm::error_list:
        if (const auto count = count_in_list(read.text, target.key))
          readings.push_back(Reading::counted(target.sensor, now, *count));
        else
          none(ReadingState::failed, "no count of " + (target.key.empty() ? "errors" : target.key));
        break;
    }
  }
}

ASSAY_DETAIL_HEADER_INLINE SysfsTree find_sysfs_sensors(const std::filesystem::path& root,
                                                        const std::vector<std::string>& pci_classes) {
  SysfsFinder finder(root);
  finder.find_pci(pci_classes);
  finder.find_hwmon();
  finder.find_thermal_zones();
  finder.find_rapl();
  finder.find_edac();
  finder.find_processors();
  return std::move(finder).tree();
}

}  // namespace assay::inline v0::detail
