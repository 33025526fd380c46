#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "assay/core/enum_name.hpp"
#include "assay/profile/numeric_profile.hpp"
#include "assay/report/write_file.hpp"
#include "assay/validators/read_parsed.hpp"

/// A numeric profile as JSON, to be kept and compared with that of another unit or the next driver.
namespace assay::inline v0 {

/// The first member of every such file. Readers refuse other values; members that a reader does not know, it skips.
inline constexpr const char* profile_schema = "assay-profile/1";

namespace detail {

using ProfileJson = nlohmann::ordered_json;

}  // namespace detail

/// The text of the file. A finding without a value has a note that says why.
[[nodiscard]] std::string profile_text(const NumericProfile& profile);

/// Errors: `malformed`, with what was found.
[[nodiscard]] Result<NumericProfile> read_profile_text(std::string_view text);

/// Errors: `io`, or as `read_profile_text`; the message names the file.
[[nodiscard]] inline Result<NumericProfile> read_profile(const std::filesystem::path& path) {
  return detail::read_parsed(path, "a profile that assay profile --json wrote", read_profile_text);
}

/// Errors as `write_file`.
[[nodiscard]] inline Result<void> write_profile(const std::filesystem::path& path, const NumericProfile& profile) {
  return write_file(path, profile_text(profile));
}

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/profile/profile_file.ipp"
#endif
