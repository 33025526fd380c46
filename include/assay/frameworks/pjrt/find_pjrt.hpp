#pragma once

#include <string>

#include "assay/core/result.hpp"

namespace assay::inline v0 {

/// The file of a plugin of PJRT: what the variable ASSAY_PJRT names (the file, or a folder that has it, such as that of
/// a Python environment), else in the Python environment of VIRTUAL_ENV and in Python's folders of the user and of the
/// system: of the packages in `xla_plugins` and `jax_plugins`. libtpu is taken only where the variable names it. Nothing
/// is loaded, and no Python is started.
///
/// Errors: `not_found` where the variable names nothing of the kind; `unsupported` where there is none, with what to
/// install.
[[nodiscard]] Result<std::string> find_pjrt();

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/frameworks/pjrt/find_pjrt.ipp"
#endif
