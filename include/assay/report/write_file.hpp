#pragma once

#include <cstddef>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>

#include "assay/core/result.hpp"

#if __has_include(<unistd.h>)
#include <fcntl.h>
#include <unistd.h>
#endif

namespace assay::inline v0 {
namespace detail {

/// Makes a rename in `folder` survive a power failure. Best effort: some file systems refuse, and the file is whole
/// anyway.
void synchronize_folder([[maybe_unused]] const std::filesystem::path& folder);

}  // namespace detail

/// Writes `content` to `path` so that readers, and whoever looks after a crash, find the old file or the new one, never
/// a part: a temporary file in the same folder, flushed to the medium, then renamed over `path`. A symbolic link is
/// followed; an existing file keeps its permissions. A device or pipe (/dev/stdout) is written in place.
/// Errors: the folder is absent or not writable, the medium is full, `path` is a folder; nothing is left behind then.
[[nodiscard]] Result<void> write_file(const std::filesystem::path& path, std::string_view content);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/report/write_file.ipp"
#endif
