#pragma once

#include <memory>
#include <string>
#include <vector>

#include "assay/plugin/loaded_plugin.hpp"

namespace assay_program {

/// Operations that kernels without templates may be of.
[[nodiscard]] const std::vector<std::string>& plugin_operations();

/// Makes a library of kernels that this program found by itself; `title` is for people. Errors: those of `described`;
/// `malformed` for a name that another library has.
[[nodiscard]] assay::Result<void> add_described_plugin(
    assay::Result<std::shared_ptr<const assay::LoadedPlugin>> described, const std::string& title);

}  // namespace assay_program
