#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "assay/plugin/loaded_plugin.hpp"

namespace assay_program {

/// Operations that kernels without templates may be of.
[[nodiscard]] const std::vector<std::string>& plugin_operations();

/// Whether a backend is a plugin that has no kernel of a family, as `families_by_operation` has them: of such a one no
/// list of cases needs to be made, which takes long where covering problems are looked for.
[[nodiscard]] bool plugin_lacks_family(std::string_view backend, std::string_view family);

/// Makes a library of kernels that this program found by itself; `title` is for people. Errors: those of `described`;
/// `malformed` for a name that another library has.
[[nodiscard]] assay::Result<void> add_described_plugin(
    assay::Result<std::shared_ptr<const assay::LoadedPlugin>> described, const std::string& title);

}  // namespace assay_program
