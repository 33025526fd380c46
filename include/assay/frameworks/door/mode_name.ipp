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

/// The flag of XLA that the word "no-excess" stands for.
inline constexpr std::string_view no_excess = "no-excess", excess_flag = "xla_allow_excess_precision";

/// Of PJRT: a platform, and then words and flags in any order.
[[nodiscard]] inline Result<ExecutionMode> read_pjrt_mode(std::string_view name) {
  ExecutionMode mode;
  mode.runtime = ForeignRuntime::pjrt;
  mode.provider.name.clear();
  const std::vector<std::string_view> parts = parts_of_name(name);
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const std::size_t equals = parts[i].find('=');
    if (equals != std::string_view::npos && equals > 0) {
      mode.provider.options.emplace_back(parts[i].substr(0, equals), parts[i].substr(equals + 1));
    } else if (parts[i] == no_excess) {
      mode.provider.options.emplace_back(excess_flag, "false");
    } else if (parts[i] == "highest") {
      mode.highest_precision = true;
    } else if (i == 1 && !parts[i].empty() && equals == std::string_view::npos) {
      mode.provider.name = parts[i];
    } else {
      return failure(ErrorKind::invalid, "'" + std::string(name) + "' names no mode of XLA: '" + std::string(parts[i]) +
                                             "' is no flag; xla[.PLATFORM][.no-excess][.highest][.FLAG=VALUE…]");
    }
  }
  return mode;
}

[[nodiscard]] inline std::string pjrt_mode_name(const ExecutionMode& mode) {
  std::string name = mode.provider.name.empty() ? "xla" : "xla." + mode.provider.name;
  for (const auto& [key, value] : mode.provider.options)
    name += key == excess_flag && value == "false" ? "." + std::string(no_excess) : "." + key + "=" + value;
  return mode.highest_precision ? name + ".highest" : name;
}

/// The property of OpenVINO that the word "accurate" stands for.
inline constexpr std::string_view accurate = "accurate", mode_hint = "EXECUTION_MODE_HINT", accuracy = "ACCURACY";

/// Of OpenVINO: a device, and then words and properties in any order.
[[nodiscard]] inline Result<ExecutionMode> read_openvino_mode(std::string_view name) {
  ExecutionMode mode;
  mode.runtime = ForeignRuntime::openvino;
  mode.provider.name = "CPU";
  const std::vector<std::string_view> parts = parts_of_name(name);
  const auto refuse = [&](const std::string& why) {
    return failure(ErrorKind::invalid, "'" + std::string(name) + "' names no mode of OpenVINO: " + why +
                                           "; openvino[.DEVICE][.accurate][.threadsN][.KEY=VALUE…]");
  };
  const auto is_device = [](std::string_view part) {
    return !part.empty() && std::all_of(part.begin(), part.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
  };
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const std::size_t equals = parts[i].find('=');
    if (equals != std::string_view::npos && equals > 0) {
      mode.provider.options.emplace_back(parts[i].substr(0, equals), parts[i].substr(equals + 1));
    } else if (parts[i] == accurate) {
      mode.provider.options.emplace_back(mode_hint, accuracy);
    } else if (const int threads = number_behind(parts[i], "threads"); threads > 0) {
      mode.threads = threads;
    } else if (parts[i] == "AUTO" || parts[i] == "HETERO" || parts[i] == "MULTI" || parts[i] == "BATCH") {
      return refuse("'" + std::string(parts[i]) + "' lets several devices compute, and a mode is that of one");
    } else if (i == 1 && is_device(parts[i])) {
      mode.provider.name = parts[i];
    } else {
      return refuse("'" + std::string(parts[i]) + "' is no device and no property");
    }
  }
  return mode;
}

[[nodiscard]] inline std::string openvino_mode_name(const ExecutionMode& mode) {
  std::string name = mode.provider.name == "CPU" ? "openvino" : "openvino." + mode.provider.name;
  for (const auto& [key, value] : mode.provider.options)
    name += key == mode_hint && value == accuracy ? "." + std::string(accurate) : "." + key + "=" + value;
  return mode.threads == 1 ? name : name + ".threads" + std::to_string(mode.threads);
}

/// Of a framework that computes operators one by one: a device, and the number of threads.
[[nodiscard]] inline Result<ExecutionMode> read_eager_mode(std::string_view name, ForeignRuntime runtime) {
  ExecutionMode mode;
  mode.runtime = runtime;
  const std::vector<std::string_view> parts = parts_of_name(name);
  const bool torch = runtime == ForeignRuntime::torch;
  const bool known = parts.size() > 1 && (parts[1] == "cpu" || (!torch && parts[1] == "gpu"));
  if (known) mode.provider.name = parts[1];
  if (known && parts.size() == 2) return mode;
  if (known && parts.size() == 3) mode.threads = number_behind(parts[2], "threads");
  if (known && parts.size() == 3 && mode.threads > 1) return mode;
  const std::string own(parts[0]);
  return failure(ErrorKind::invalid, "'" + std::string(name) + "' names no mode of " +
                                         (torch ? "PyTorch" : "TensorFlow") + ": " + own + ".DEVICE[.threadsN], " +
                                         (torch ? "DEVICE is cpu" : "DEVICE is cpu or gpu") +
                                         " and N at least 2, such as " + own + ".cpu");
}

[[nodiscard]] inline std::string eager_mode_name(const ExecutionMode& mode) {
  const std::string name = (mode.runtime == ForeignRuntime::torch ? "torch." : "tensorflow.") + mode.provider.name;
  return mode.threads == 1 ? name : name + ".threads" + std::to_string(mode.threads);
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE std::string mode_name(const ExecutionMode& mode) {
  if (mode.runtime == ForeignRuntime::pjrt) return detail::pjrt_mode_name(mode);
  if (mode.runtime == ForeignRuntime::openvino) return detail::openvino_mode_name(mode);
  if (mode.runtime == ForeignRuntime::torch || mode.runtime == ForeignRuntime::tensorflow)
    return detail::eager_mode_name(mode);
  std::string name = "ort." + mode.provider.name;
  for (const auto& [key, value] : mode.provider.options) name += "." + key + "=" + value;
  name += ".level" + std::to_string(mode.optimization_level);
  if (mode.threads != 1) name += ".threads" + std::to_string(mode.threads);
  return name;
}

ASSAY_DETAIL_HEADER_INLINE Result<ExecutionMode> read_mode_name(std::string_view name) {
  const std::vector<std::string_view> parts = detail::parts_of_name(name);
  if (parts[0] == "xla") return detail::read_pjrt_mode(name);
  if (parts[0] == "openvino") return detail::read_openvino_mode(name);
  if (parts[0] == "torch") return detail::read_eager_mode(name, ForeignRuntime::torch);
  if (parts[0] == "tensorflow") return detail::read_eager_mode(name, ForeignRuntime::tensorflow);
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
