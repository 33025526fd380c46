#pragma once

#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "assay/io/detail/read_only_file.hpp"
#include "assay/io/detail/safetensors_header_parser.hpp"
#include "assay/io/safetensors_data.hpp"
#include "assay/io/safetensors_file.hpp"

namespace assay::inline v0 {

namespace detail {

/// Length and JSON text that stand before the data, padded so that the data begins at a multiple of 8.
[[nodiscard]] std::string safetensors_preamble(const std::vector<const SafetensorsData*>& tensors,
                                               const std::map<std::string, std::string>& metadata);

/// Misuse: anything that the format does not allow.
void expect_writable(const std::vector<SafetensorsData>& tensors, const std::map<std::string, std::string>& metadata);

}  // namespace detail

/// Opens a safetensors file: reads its header, and checks that against the format and the file's length. Tensors are
/// read later, one by one. Errors: `not_found`, `io` (a directory, not readable), `malformed` (not safetensors, a
/// header that contradicts the format, itself or the file's length: names twice, data with holes or overlaps, too short
/// or too long), `unsupported` (an unknown dtype), `out_of_memory`. Each message names the file and what to do. Memory:
/// the header.
[[nodiscard]] Result<SafetensorsFile> open_safetensors(const std::string& path);

/// Reads a safetensors file that lies in memory, where it must stay as long as it is read; `name` stands for it in
/// messages. Errors: as `open_safetensors`.
[[nodiscard]] Result<SafetensorsFile> parse_safetensors(const void* data, std::size_t size,
                                                        const std::string& name = "safetensors data");

/// Writes a safetensors file, replacing what was there. Tensors are laid out as the reference implementation does:
/// those of the widest dtype first, then by name, so that all are aligned. Errors: `io`; a file that could not be
/// written whole is removed. Misuse: names twice or not UTF-8, negative extents, elements of less than a byte that fill
/// no whole number of bytes, null data, a header beyond 100 MB.
[[nodiscard]] Result<void> write_safetensors(const std::string& path, const std::vector<SafetensorsData>& tensors,
                                             const std::map<std::string, std::string>& metadata = {});

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/io/safetensors.ipp"
#endif
