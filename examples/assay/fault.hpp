#pragma once

#include <cstdio>
#include <string>

namespace assay_program {

/// Tells what is wrong and returns the exit code for it.
inline int fault(const std::string& message) {
  std::fprintf(stderr, "assay: %s\n", message.c_str());
  return 2;
}

}  // namespace assay_program
