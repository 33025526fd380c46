#pragma once

#include <cstdint>
#include <string>

namespace assay::testing {

/// The bytes of an npy file with any header and data, right or wrong.
inline std::string npy_file(std::string header, const std::string& data, int major = 1, int minor = 0) {
  const int length_bytes = major == 1 ? 2 : 4;
  header += '\n';
  std::string file = std::string("\x93NUMPY") + static_cast<char>(major) + static_cast<char>(minor);
  for (int byte = 0; byte < length_bytes; ++byte) file += static_cast<char>(header.size() >> (8 * byte) & 0xFF);
  return file + header + data;
}

/// A well-formed header of dtype and shape as Python writes them.
inline std::string npy_header(const std::string& type, const std::string& shape) {
  return "{'descr': '" + type + "', 'fortran_order': False, 'shape': " + shape + ", }";
}

}  // namespace assay::testing
