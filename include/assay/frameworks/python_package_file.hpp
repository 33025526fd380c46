#pragma once

#include <string>

#include "assay/core/result.hpp"

namespace assay::inline v0 {

/// A library that comes with a package of Python, for whoever loads it without Python.
struct PythonPackageFile {
  std::string variable;    ///< of the environment, which names the file or a folder that has it: "ASSAY_WEBGPU"
  std::string beginning;   ///< of the file's name: "libwgpu_native"
  std::string folder;      ///< below the packages: "wgpu/resources"
  std::string what_to_do;  ///< what is told where there is none
};

/// What the variable names, else what the Python environment of VIRTUAL_ENV, the user's or the system's has; of several
/// in a folder the last by name. Nothing is loaded, and no Python is started. Errors: `not_found` where the variable
/// names nothing of the kind; `unsupported` where there is none.
[[nodiscard]] Result<std::string> find_python_package_file(const PythonPackageFile& file);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/frameworks/python_package_file.ipp"
#endif
