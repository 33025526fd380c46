#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "assay/core/printed_number.hpp"
#include "assay/profile/function_profile.hpp"
#include "assay/report/write_file.hpp"
#include "assay/validators/read_parsed.hpp"

/// Profiles of functions as JSON, to be kept and compared with those of another unit or the next driver.
namespace assay::inline v0 {

/// The first member of every such file. Readers refuse other values; members that a reader does not know, it skips.
inline constexpr const char* function_profile_schema = "assay-function-profile/1";

/// The text of the file. Real numbers are texts: JSON has neither NaN nor infinities.
[[nodiscard]] std::string function_profiles_text(const std::vector<FunctionProfile>& profiles);

/// Errors: `malformed`, with what was found.
[[nodiscard]] Result<std::vector<FunctionProfile>> read_function_profiles_text(std::string_view text);

/// Errors: `io`, or as `read_function_profiles_text`; the message names the file.
[[nodiscard]] inline Result<std::vector<FunctionProfile>> read_function_profiles(const std::filesystem::path& path) {
  return detail::read_parsed(path, "profiles of functions that assay profile --json wrote",
                             read_function_profiles_text);
}

/// Errors as `write_file`.
[[nodiscard]] inline Result<void> write_function_profiles(const std::filesystem::path& path,
                                                          const std::vector<FunctionProfile>& profiles) {
  return write_file(path, function_profiles_text(profiles));
}

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/profile/function_profile_file.ipp"
#endif
