#pragma once

#include "assay/frameworks/python_package_file.hpp"

#include "assay/core/config.hpp"
#include "assay/frameworks/detail/python_environment.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Result<std::string> find_python_package_file(const PythonPackageFile& file) {
  const std::string known = file.beginning + "….so";
  return detail::find_runtime_file(
      {file.variable.c_str(), known.c_str(), file.what_to_do.c_str(), {"", file.folder}, [&](const std::string& name) {
         return name.rfind(file.beginning, 0) == 0 && name.find(".so") != std::string::npos;
       }});
}

}  // namespace assay::inline v0
