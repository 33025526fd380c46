#pragma once

#include <filesystem>

namespace assay::testing {

/// The project's folder. One unit alone is compiled with its path: objects of all others are the same in every clone,
/// and a compiler cache serves them all.
std::filesystem::path source_directory();

}  // namespace assay::testing
