#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "assay/core/result.hpp"

namespace assay::inline v0::detail {

[[nodiscard]] std::vector<std::filesystem::path> sorted_entries(const std::filesystem::path& folder);

/// Folders in which a Python environment, or a folder of libraries, may have packages: itself, and site-packages below.
[[nodiscard]] std::vector<std::filesystem::path> python_package_folders(const std::filesystem::path& environment);

/// Where a runtime's file is looked for, and what is said where it is not.
struct RuntimeFile {
  const char* variable;    ///< that names the file or a folder
  const char* library;     ///< for people: "libonnxruntime.so"
  const char* what_to_do;  ///< where there is none
  /// Folders below one of packages in which the file may be; "" is the folder itself, "*" one below.
  std::vector<std::string> places;
  std::function<bool(const std::string& name)> is_it;
};

/// What the variable names, else what is found in the Python environment of VIRTUAL_ENV, in Python's folders of the
/// user and of the system. Nothing is loaded, and no Python is started. Errors: `not_found` where the variable names
/// nothing of the kind; `unsupported` where there is none.
[[nodiscard]] Result<std::string> find_runtime_file(const RuntimeFile& file);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/frameworks/detail/python_environment.ipp"
#endif
