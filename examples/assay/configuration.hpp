#pragma once

#include <optional>
#include <string>
#include <vector>

#include "assay/core/result.hpp"
#include "settings_file.hpp"

namespace assay_program {

/// A team's defaults, and the file that they come from.
struct Configuration {
  std::string file;
  std::vector<Setting> settings;
};

/// The settings in force: of the file `given` (by --config), else of the one that ASSAY_CONFIG names, else of the
/// nearest assay.toml in the working directory or above it, up to the root of its repository (the folder with .git), or
/// else the user's home; outside of both only the working directory counts, so that nobody else's file does. None:
/// there is none. Errors: `not_found`, `io` and those of `read_settings`.
[[nodiscard]] assay::Result<std::optional<Configuration>> find_configuration(const std::string& given);

}  // namespace assay_program
