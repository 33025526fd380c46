#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>

#include "assay/core/result.hpp"

namespace assay::inline v0 {
/// The whole of a file, byte by byte; of a pipe or device, all until its end. `wanted` says in messages what to name
/// instead. Errors: `not_found`; `io`: the path is empty or a folder, opening or reading failed, or the file ended
/// before the size that it had when it was opened: part of a file is never taken for the whole.
[[nodiscard]] Result<std::string> read_file(const std::filesystem::path& path,
                                            std::string_view wanted = "a file that exists");

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/report/read_file.ipp"
#endif
