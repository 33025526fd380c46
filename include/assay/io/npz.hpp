#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/result.hpp"
#include "assay/io/npy_array.hpp"

namespace assay::inline v0 {

/// The arrays of an archive, by the names that `np.savez` gave them, in the order of the archive.
using NpzArrays = std::vector<std::pair<std::string, NpyArray>>;

/// Reads the arrays of an npz file that lies in memory; `name` stands for it in messages. Errors: as `read_npz`.
[[nodiscard]] Result<NpzArrays> parse_npz(const void* data, std::size_t size, const std::string& name = "npz data");

/// Reads the arrays of an npz file as `np.savez` writes it: a ZIP archive, also with 64-bit sizes, of npy files that are
/// stored as they are. Their checksums are held to. Errors: as `read_npy`, and `malformed` (not a ZIP archive, entries
/// beyond its end, a checksum that differs), `unsupported` (compressed or encrypted entries). Memory: twice the file.
[[nodiscard]] Result<NpzArrays> read_npz(const std::filesystem::path& path);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/io/npz.ipp"
#endif
