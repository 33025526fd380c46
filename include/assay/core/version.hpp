#pragma once

namespace assay::inline v0 {

inline constexpr int version_major = 0;  ///< incompatible changes; while it is 0, those of `version_minor` are
inline constexpr int version_minor = 1;  ///< additions
inline constexpr int version_patch = 0;  ///< corrections

/// The version as text, "major.minor.patch". The build reads it from here: there is no second copy.
inline constexpr const char* version = "0.1.0";

}  // namespace assay::inline v0
