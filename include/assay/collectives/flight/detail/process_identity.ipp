#pragma once

#include "assay/collectives/flight/detail/process_identity.hpp"

#include <unistd.h>
#include <cstdio>
#include <cstdlib>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string first_line_of(const std::string& path) {
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) return {};
  char text[1024];
  const std::size_t size = std::fread(text, 1, sizeof text - 1, file);
  std::fclose(file);
  return std::string(text, size).substr(0, std::string(text, size).find('\n'));
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE ProcessStatus process_status(std::int64_t number) {
  const std::string line = first_line_of("/proc/" + std::to_string(number) + "/stat");
  const std::size_t name_end = line.rfind(')');  // the name may hold anything
  if (name_end == std::string::npos || name_end + 2 >= line.size()) return {};
  ProcessStatus status;
  const char state = line[name_end + 2];
  status.runs = state != 'Z' && state != 'X' && state != 'x';
  std::size_t at = name_end + 1;
  for (int field = 3; field < 22 && at != std::string::npos; ++field) at = line.find(' ', at + 1);
  if (at != std::string::npos) status.started = std::strtoll(line.c_str() + at, nullptr, 10);
  return status;
}

ASSAY_DETAIL_HEADER_INLINE ProcessIdentity this_process() {
  ProcessIdentity self;
  self.number = static_cast<std::int64_t>(::getpid());
  self.started = process_status(self.number).started;
  struct stat space {};
  if (::stat("/proc/self/ns/pid", &space) == 0) self.space = static_cast<std::int64_t>(space.st_ino);
  char host[64] = {};
  if (::gethostname(host, sizeof host - 1) == 0) self.host = host;
  self.boot = first_line_of("/proc/sys/kernel/random/boot_id");
  return self;
}

ASSAY_DETAIL_HEADER_INLINE ProcessLife life_of(const ProcessIdentity& process) {
  const ProcessIdentity self = this_process();
  if (process.number <= 0 || process.started == 0 || process.boot.empty() || process.boot != self.boot ||
      process.space != self.space)
    return ProcessLife::unknown;
  const ProcessStatus status = process_status(process.number);
  return status.runs && status.started == process.started ? ProcessLife::alive : ProcessLife::dead;
}

}  // namespace assay::inline v0::detail
