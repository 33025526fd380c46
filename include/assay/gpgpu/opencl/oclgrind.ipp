#pragma once

#include "assay/gpgpu/opencl/oclgrind.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

ASSAY_DETAIL_HEADER_INLINE Result<void> oclgrind_findings(std::string_view log, const std::string& file,
                                                          const std::string& kernel) {
  static constexpr std::string_view place = "At line ", column = " (column ";
  std::string first, places;
  int findings = 0;
  while (!log.empty()) {
    const std::size_t end = std::min(log.find('\n'), log.size());
    const std::string_view line = log.substr(0, end);
    log.remove_prefix(std::min(end + 1, log.size()));
    if (line.empty()) continue;
    if (line[0] != '\t') {  // what is found; all else of it is indented
      if (++findings == 1) first = line;
      continue;
    }
    const std::size_t at = line.find(place), of = line.find(column);
    if (findings != 1 || at == std::string_view::npos || of == std::string_view::npos) continue;
    const std::string_view from = line.substr(of + column.size());
    places += (places.empty() ? ", " : " and ") + file + ":" +
              std::string(line.substr(at + place.size(), of - at - place.size())) + ":" +
              std::string(from.substr(0, from.find(')')));
  }
  if (findings == 0) return {};
  return failure(ErrorKind::device, "Oclgrind in " + kernel + ": " + first + places +
                                        (findings == 1 ? "" : "; " + std::to_string(findings) + " findings in all"));
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE bool oclgrind_is_wanted() {
  const char* const named = std::getenv("ASSAY_OCLGRIND");
  return named != nullptr && *named != '\0';
}

ASSAY_DETAIL_HEADER_INLINE Result<std::string> find_oclgrind() {
  static constexpr const char* name = "liboclgrind-rt.so";
  std::error_code code;
  if (oclgrind_is_wanted()) {
    const std::filesystem::path named(std::getenv("ASSAY_OCLGRIND"));
    for (const auto& path : {named, named / name})
      if (std::filesystem::is_regular_file(path, code)) return path.string();
    return failure(ErrorKind::unsupported, "ASSAY_OCLGRIND is '" + named.string() + "', and there is no " + name +
                                               "; apt-get install oclgrind brings one");
  }
  for (const char* folder : {"/usr/lib/oclgrind", "/usr/local/lib/oclgrind", "/opt/oclgrind/lib/oclgrind"})
    if (const auto path = std::filesystem::path(folder) / name; std::filesystem::is_regular_file(path, code))
      return path.string();
  return failure(ErrorKind::unsupported, std::string("Oclgrind is not here: apt-get install oclgrind, or name its ") +
                                             name + " by ASSAY_OCLGRIND");
}

ASSAY_DETAIL_HEADER_INLINE OclgrindLog OclgrindLog::prepare() {
  OclgrindLog log;
  std::error_code code;
  const auto folder = std::filesystem::temp_directory_path(code);
  log.path_ =
      ((code ? std::filesystem::path(".") : folder) / ("assay-oclgrind-" + std::to_string(::getpid()))).string();
  ::setenv("OCLGRIND_LOG", log.path_.c_str(), 1);
  ::setenv("OCLGRIND_DATA_RACES", "1", 0);
  ::setenv("OCLGRIND_MAX_ERRORS", "1000000", 0);  // of all launches of a process together
  return log;
}

ASSAY_DETAIL_HEADER_INLINE Result<void> OclgrindLog::open() {
  file_.open(path_);
  if (!file_) return failure(ErrorKind::io, "Oclgrind does not write its log '" + path_ + "'");
  std::error_code code;
  std::filesystem::remove(path_, code);  // it stays open
  return {};
}

ASSAY_DETAIL_HEADER_INLINE Result<void> OclgrindLog::check(const std::string& file, const std::string& kernel) {
  if (!file_.is_open()) return {};
  file_.clear();  // it has ended before
  std::string text;
  for (std::string line; std::getline(file_, line);) text += line + "\n";
  return detail::oclgrind_findings(text, file, kernel);
}

}  // namespace assay::inline v0
