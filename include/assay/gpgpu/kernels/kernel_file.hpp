#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "assay/core/result.hpp"
#include "assay/gpgpu/kernels/described_kernel.hpp"

namespace assay::inline v0 {

/// Whose kernels a file describes.
enum class KernelInterface { opencl, vulkan, webgpu };

/// Reads a file of kernels; README.md has its form. `operations` are the names that there are; none: all.
///
/// Errors: those of `read_file`; `malformed`, with line and column: what is no JSON, members that are not known (with
/// those nearest), missing or of another kind, expressions that are none, promises that contradict each other.
[[nodiscard]] Result<KernelFile> read_kernel_file(const std::filesystem::path& path, KernelInterface kind,
                                                  const std::vector<std::string>& operations = {});

/// The same of a text. `path` is that of the file: sources are looked for beside it.
[[nodiscard]] Result<KernelFile> parse_kernel_file(std::string_view text, const std::filesystem::path& path,
                                                   KernelInterface kind,
                                                   const std::vector<std::string>& operations = {});

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/gpgpu/kernels/kernel_file.ipp"
#endif
