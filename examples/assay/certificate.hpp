#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "assay/core/result.hpp"

namespace assay_program {

inline constexpr const char* certificate_file = "certificate.json";
inline constexpr const char* certificate_schema = "assay-certificate/1";

/// Who approved what, and when: every file of a certification by its SHA-256, so that it can be checked anywhere. It
/// shows that nothing was changed since, not who wrote it: sign the file itself with a key where that matters.
struct Certificate {
  std::string title, by, time, machine, version;
  std::map<std::string, std::string> files;  ///< by path from the certificate's folder
};

/// As 64 hexadecimal digits.
[[nodiscard]] std::string hash_of(std::string_view bytes);
[[nodiscard]] assay::Result<std::string> hash_of_file(const std::filesystem::path& path);
/// Of all files below `below`, by path from `root`. Errors: `io`.
[[nodiscard]] assay::Result<std::map<std::string, std::string>> hashes_below(const std::filesystem::path& root,
                                                                             const std::filesystem::path& below);

/// Writes the certificate of what lies in a folder: plan, policy and evidence. Errors: `io`.
[[nodiscard]] assay::Result<void> issue_certificate(const std::filesystem::path& folder, const std::string& title,
                                                    const std::string& by);
/// Errors: `not_found`, `io`, `malformed`.
[[nodiscard]] assay::Result<Certificate> read_certificate(const std::filesystem::path& folder);
/// What is not as it was signed, a line each. Errors: `io`.
[[nodiscard]] assay::Result<std::vector<std::string>> certificate_differences(const std::filesystem::path& folder,
                                                                              const Certificate& certificate);

}  // namespace assay_program
