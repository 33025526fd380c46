#pragma once

#include <string>
#include <utility>
#include <vector>

namespace assay::inline v0 {

/// Where and with what outcomes were obtained: what a reader needs before comparing two reports. `detect_environment()`
/// (core/detect_environment.hpp) fills it for the host; backends and adapters add their libraries.
struct Environment {
  std::string assay_version;         ///< of the headers that the program was compiled with
  std::string host_name;             ///< as the system tells it
  std::string operating_system;      ///< distribution, kernel and machine architecture
  std::string processor;             ///< model name
  unsigned logical_processors = 0;   ///< hardware threads; 0: unknown
  std::string instruction_sets;      ///< those that matter for numerics: sse2, fma, avx2, avx512f, …
  double memory_bytes = 0;           ///< bytes of main memory; 0: unknown
  std::string compiler;              ///< name and version of the compiler that built the program
  std::string compiler_flags;        ///< as the build states them; empty if it does not
  std::string started_at;            ///< UTC, ISO 8601
  std::vector<std::string> devices;  ///< one line a device: name, and what its backend tells of it
  std::vector<std::pair<std::string, std::string>> libraries;  ///< name, version (with its run-time configuration)
};

}  // namespace assay::inline v0
