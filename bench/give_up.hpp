#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>

#include "assay/core/result.hpp"

/// Ends a bench that cannot measure what it is for. CMakeLists.txt defines ASSAY_BENCH, the program's name.
[[noreturn]] inline void give_up(const std::string& message) {
  std::fprintf(stderr, ASSAY_BENCH ": %s\n", message.c_str());
  std::exit(2);
}

template <class T>
T value_of(assay::Result<T> result) {
  if (!result) give_up(result.error().message);
  return std::move(result).value();
}
