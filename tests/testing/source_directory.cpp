#include "testing/source_directory.hpp"

std::filesystem::path assay::testing::source_directory() {
  return ASSAY_SOURCE_DIRECTORY;
}
