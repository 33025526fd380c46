// expect: FloatFormat
#include <cstdint>

#include "assay/formats/limits.hpp"

std::int8_t check() {
  return assay::next_up<std::int8_t>(
      1);  // the distance of integers is 1, and what comes after the last one is not infinity
}
