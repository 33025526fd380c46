#pragma once

#include <string>
#include <utility>
#include <vector>

namespace assay::inline v0 {

/// Where and with what outcomes were obtained: what a reader needs before comparing two reports.
/// `detect_environment()` (core/detect_environment.hpp) fills it for the host; backends and adapters add their libraries.
struct Environment {
  std::string assay_version;
  std::string host_name;
  std::string operating_system;  ///< distribution, kernel and machine architecture
  std::string processor;         ///< model name
  unsigned logical_processors = 0;
  std::string instruction_sets;  ///< those that matter for numerics: sse2, fma, avx2, avx512f, …
  double memory_bytes = 0;
  std::string compiler;
  std::string compiler_flags;  ///< as the build states them; empty if it does not
  std::string started_at;      ///< UTC, ISO 8601
  std::vector<std::string> devices;
  std::vector<std::pair<std::string, std::string>> libraries;  ///< name, version (with its run-time configuration)
};

}  // namespace assay::inline v0
