#pragma once

#include "assay/frameworks/door/mode_name.hpp"

#include <algorithm>
#include <charconv>
#include <system_error>
#include <vector>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

/// The number behind a word, as of "level99"; −1 where it is another.
[[nodiscard]] inline int number_behind(std::string_view part, std::string_view word) {
  if (part.substr(0, word.size()) != word) return -1;
  int number = -1;
  const char* const end = part.data() + part.size();
  const auto read = std::from_chars(part.data() + word.size(), end, number);
  return read.ec == std::errc() && read.ptr == end ? number : -1;
}

[[nodiscard]] inline std::vector<std::string_view> parts_of_name(std::string_view name) {
  std::vector<std::string_view> parts;
  for (std::size_t start = 0; start <= name.size();) {
    const std::size_t end = std::min(name.find('.', start), name.size());
    parts.push_back(name.substr(start, end - start));
    start = end + 1;
  }
  return parts;
}

/// Words of names that stand for an option.
struct NamedOption {
  std::string_view word, key, value;
};
inline constexpr NamedOption no_excess{"no-excess", "xla_allow_excess_precision", "false"};
inline constexpr NamedOption accurate{"accurate", "EXECUTION_MODE_HINT", "ACCURACY"};

/// Of PJRT and OpenVINO: a device, words and options in any order.
[[nodiscard]] inline Result<ExecutionMode> read_device_mode(std::string_view name, ForeignRuntime runtime,
                                                            std::string_view device, const NamedOption& named) {
  ExecutionMode mode;
  mode.runtime = runtime;
  mode.provider.name = device;
  const std::vector<std::string_view> parts = parts_of_name(name);
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const std::size_t equals = parts[i].find('=');
    if (equals != std::string_view::npos && equals > 0) {
      mode.provider.options.emplace_back(parts[i].substr(0, equals), parts[i].substr(equals + 1));
    } else if (parts[i] == named.word) {
      mode.provider.options.emplace_back(named.key, named.value);
    } else if (runtime == ForeignRuntime::pjrt && parts[i] == "highest") {
      mode.highest_precision = true;
    } else if (i == 1 && !parts[i].empty() && equals == std::string_view::npos) {
      mode.provider.name = parts[i];
    } else {
      return failure(ErrorKind::invalid, "'" + std::string(name) + "' names no mode of a runtime: '" +
                                             std::string(parts[i]) + "' is no option, and not '" +
                                             std::string(named.word) + "'");
    }
  }
  return mode;
}

[[nodiscard]] inline std::string device_mode_name(const ExecutionMode& mode, std::string name, std::string_view device,
                                                  const NamedOption& named) {
  if (mode.provider.name != device) name += "." + mode.provider.name;
  for (const auto& [key, value] : mode.provider.options)
    name += key == named.key && value == named.value ? "." + std::string(named.word) : "." + key + "=" + value;
  return mode.highest_precision ? name + ".highest" : name;
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE std::string mode_name(const ExecutionMode& mode) {
  if (mode.runtime == ForeignRuntime::pjrt) return detail::device_mode_name(mode, "xla", "", detail::no_excess);
  if (mode.runtime == ForeignRuntime::openvino)
    return detail::device_mode_name(mode, "openvino", "CPU", detail::accurate);
  std::string name = "ort." + mode.provider.name;
  for (const auto& [key, value] : mode.provider.options) name += "." + key + "=" + value;
  name += ".level" + std::to_string(mode.optimization_level);
  if (mode.threads != 1) name += ".threads" + std::to_string(mode.threads);
  return name;
}

ASSAY_DETAIL_HEADER_INLINE Result<ExecutionMode> read_mode_name(std::string_view name) {
  const std::vector<std::string_view> parts = detail::parts_of_name(name);
  if (parts[0] == "xla") return detail::read_device_mode(name, ForeignRuntime::pjrt, "", detail::no_excess);
  if (parts[0] == "openvino") return detail::read_device_mode(name, ForeignRuntime::openvino, "CPU", detail::accurate);
  const auto refuse = [&](const std::string& why) {
    return failure(ErrorKind::invalid, "'" + std::string(name) + "' names no mode of ONNX Runtime: " + why +
                                           "; ort.PROVIDER[.KEY=VALUE…].levelN[.threadsN], such as ort.cpu.level99");
  };
  if (parts.size() < 3 || parts[0] != "ort" || parts[1].empty()) return refuse("it has no provider and level");
  ExecutionMode mode;
  mode.provider.name = parts[1];
  bool leveled = false;
  for (std::size_t i = 2; i < parts.size(); ++i) {
    const std::size_t equals = parts[i].find('=');
    const int level = detail::number_behind(parts[i], "level"), threads = detail::number_behind(parts[i], "threads");
    if (equals != std::string_view::npos && equals > 0 && !leveled) {
      mode.provider.options.emplace_back(parts[i].substr(0, equals), parts[i].substr(equals + 1));
    } else if (!leveled && (level == 0 || level == 1 || level == 2 || level == 99)) {
      mode.optimization_level = level;
      leveled = true;
    } else if (leveled && threads > 0 && i + 1 == parts.size()) {
      mode.threads = threads;
    } else {
      return refuse("'" + std::string(parts[i]) +
                    "' is no option, no level of 0, 1, 2 and 99, and no number of threads");
    }
  }
  if (!leveled) return refuse("it has no level");
  return mode;
}

}  // namespace assay::inline v0
