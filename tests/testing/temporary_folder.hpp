#pragma once

#include <filesystem>
#include <random>
#include <string>
#include <system_error>

namespace assay::testing {

/// A folder of its own, gone afterwards.
struct TemporaryFolder {
  explicit TemporaryFolder(const std::filesystem::path& parent = std::filesystem::temp_directory_path())
      : path(parent /
             ("assay-test-" + std::to_string(std::random_device()()) + std::to_string(std::random_device()()))) {
    std::filesystem::create_directories(path);
  }
  ~TemporaryFolder() {
    std::error_code code;
    std::filesystem::remove_all(path, code);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  [[nodiscard]] std::string at(const std::string& name) const { return (path / name).string(); }

  std::filesystem::path path;
};

}  // namespace assay::testing
