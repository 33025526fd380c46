// expect: FloatFormat
#include <cstdint>

#include "assay/formats/limits.hpp"

double check() {
  return assay::unit_in_last_place<std::int8_t>(1.0);
}
