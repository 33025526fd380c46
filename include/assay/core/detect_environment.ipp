#pragma once

#include "assay/core/detect_environment.hpp"

#include <cstdio>
#include <fstream>
#include <thread>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

ASSAY_DETAIL_HEADER_INLINE std::string pretty_name_of(std::string_view os_release) {
  constexpr std::string_view key = "PRETTY_NAME=";
  for (std::size_t begin = 0; begin < os_release.size();) {
    const std::size_t end = os_release.find('\n', begin);
    std::string_view line = os_release.substr(begin, end == std::string_view::npos ? end : end - begin);
    begin = end == std::string_view::npos ? os_release.size() : end + 1;
    if (line.substr(0, key.size()) != key) continue;
    line.remove_prefix(key.size());
    if (line.size() >= 2 && (line.front() == '"' || line.front() == '\'') && line.back() == line.front())
      line = line.substr(1, line.size() - 2);
    return std::string(line);
  }
  return {};
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string text_of_file(const char* path) {
  std::ifstream file(path);
  std::string text;
  for (std::string line; std::getline(file, line);) text += line + '\n';
  return text;
}

ASSAY_DETAIL_HEADER_INLINE std::string instruction_sets() {
  std::string sets;
  [[maybe_unused]] const auto add = [&](bool present, const char* name) {
    if (present) sets += (sets.empty() ? "" : ", ") + std::string(name);
  };
#if (defined(__x86_64__) || defined(__i386__)) && defined(__GNUC__) && !defined(__CUDA_ARCH__) && \
    !defined(__HIP_DEVICE_COMPILE__)
  __builtin_cpu_init();
  add(__builtin_cpu_supports("sse2"), "sse2");
  add(__builtin_cpu_supports("sse4.2"), "sse4.2");
  add(__builtin_cpu_supports("avx"), "avx");
  add(__builtin_cpu_supports("fma"), "fma");
  add(__builtin_cpu_supports("avx2"), "avx2");
  add(__builtin_cpu_supports("avx512f"), "avx512f");
  add(__builtin_cpu_supports("avx512bw"), "avx512bw");
  add(__builtin_cpu_supports("avx512vl"), "avx512vl");
  add(__builtin_cpu_supports("avx512vnni"), "avx512vnni");
  add(__builtin_cpu_supports("avx512bf16"), "avx512bf16");
#if defined(__linux__)
  // the kernel's own words for those that compilers learned to ask for late: they are listed only where it enables them
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.compare(0, 5, "flags") != 0) continue;
    line += ' ';
    for (const char* name : {"f16c", "avx_vnni", "avx512_fp16", "amx_tile", "amx_int8", "amx_bf16", "amx_fp16"})
      add(line.find(std::string(1, ' ').append(name).append(1, ' ')) != std::string::npos, name);
    break;
  }
#endif
#elif defined(__aarch64__) && defined(__linux__)
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.compare(0, 8, "Features") != 0) continue;
    line += ' ';
    for (const char* name :
         {"asimd", "asimdhp", "asimddp", "asimdfhm", "sve", "sve2", "bf16", "svebf16", "i8mm", "sme"})
      add(line.find(std::string(1, ' ').append(name).append(1, ' ')) != std::string::npos, name);
    break;
  }
#endif
  return sets;
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string compiler_name() {
  const auto numbered = [](const char* name, int major, int minor, int patch) {
    return std::string(name) + " " + std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch);
  };
  std::string name = "unknown compiler";
#if defined(__clang__)
  name = numbered("clang", __clang_major__, __clang_minor__, __clang_patchlevel__);
#elif defined(__GNUC__)
  name = numbered("g++", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#endif
#if defined(__CUDACC_VER_MAJOR__)
  name = numbered("nvcc", __CUDACC_VER_MAJOR__, __CUDACC_VER_MINOR__, __CUDACC_VER_BUILD__) + " with " + name;
#endif
  return name;
}

ASSAY_DETAIL_HEADER_INLINE std::string iso_8601(std::chrono::system_clock::time_point time) {
  using namespace std::chrono;
  const auto day = floor<days>(time);
  const year_month_day date(day);
  const hh_mm_ss clock(floor<seconds>(time - day));
  char text[64];
  std::snprintf(text, sizeof text, "%04d-%02u-%02uT%02d:%02d:%02dZ", static_cast<int>(date.year()),
                static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                static_cast<int>(clock.hours().count()), static_cast<int>(clock.minutes().count()),
                static_cast<int>(clock.seconds().count()));
  return text;
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE Environment detect_environment() {
  Environment environment;
  environment.assay_version = version;
  environment.processor = detail::processor_name();
  environment.logical_processors = std::thread::hardware_concurrency();
  environment.instruction_sets = detail::instruction_sets();
  environment.memory_bytes = detail::host_memory_bytes();
  environment.compiler = detail::compiler_name();
#if defined(ASSAY_COMPILER_FLAGS)
  environment.compiler_flags = ASSAY_COMPILER_FLAGS;
#endif
  environment.started_at = detail::iso_8601(std::chrono::system_clock::now());
#if defined(__unix__) || defined(__APPLE__)
  utsname names{};
  if (uname(&names) == 0) {
    environment.host_name = names.nodename;
    const std::string distribution = detail::pretty_name_of(detail::text_of_file("/etc/os-release"));
    environment.operating_system =
        (distribution.empty() ? "" : distribution + ", ") + names.sysname + " " + names.release + " " + names.machine;
  }
#endif
  return environment;
}

}  // namespace assay::inline v0
